import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openClient} from '../../../source/client/client.ts';
import type {Client} from '../../../source/client/client.ts';
import {openFaultProxy} from '../services/fault-proxy.ts';
import {createSwiftTime} from '../hand-time.ts';
import {openRentable} from './rentable.ts';

/** A market with offers behind a proxy with faults, and clients whose waiting takes no time. */
export async function openSafeRental() {
	const market = await openRentable();
	const proxy = await openFaultProxy(market.url);
	const folder = mkdtempSync(join(tmpdir(), 'rentty-pending rents-'));
	const time = createSwiftTime();
	const files = {
		pendingRentsFile: join(folder, 'state', 'wishes.json'),
		journalFile: join(folder, 'state', 'journal.jsonl'),
	};
	const clients: Client[] = [];

	/** A client as another start of the program opens it. */
	function openAnother(options: Partial<Parameters<typeof openClient>[0]> = {}): Client {
		const client = openClient({
			url: proxy.url,
			key: market.key,
			time,
			paceScale: 0,
			profile: 'test',
			...files,
			...options,
		});
		clients.push(client);
		return client;
	}

	/** Every instance that was ever made, those that were destroyed among them. */
	async function made(): Promise<number[]> {
		const rows = await market.database.selectFrom('instances').select('id').orderBy('id').execute();
		return rows.map(({id}) => id);
	}

	return {
		...market,
		...files,
		folder,
		proxy,
		time,
		client: openAnother(),
		openAnother,
		made,
		async [Symbol.asyncDispose]() {
			await Promise.all(clients.map(async client => client.close()));
			await proxy.close();
			await market[Symbol.asyncDispose]();
			rmSync(folder, {recursive: true});
		},
	};
}

export type SafeRental = Awaited<ReturnType<typeof openSafeRental>>;

/** An order that every offer of a test market takes. */
export const plainOrder = {image: 'ubuntu:24.04', label: 'trainer', disk: 16} as const;
