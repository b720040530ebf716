import * as z from 'zod/mini';
import type {PermissionsRecord} from '../../../source/contract/grammar/permissions.ts';
import {createApp} from '../../../source/market/service/server.ts';
import {openDatabase} from './postgres.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {createKey} from '../../../source/market/api-keys/store.ts';
import {createHandClock, TEST_NOW, testServices} from './market.ts';

const path = '/api/v0/template/';
const named = z.looseObject({template: z.looseObject({id: z.int(), hash_id: z.string()})});
const found = z.looseObject({templates: z.array(z.looseObject({id: z.int(), name: z.string()}))});

/** A market without a socket, with two accounts, for calls about templates. */
export async function openTemplateMarket(file = ':memory:') {
	const database = await openDatabase(file);
	const clock = createHandClock(TEST_NOW);
	const log: string[] = [];
	const app = createApp(testServices(database, clock), line => log.push(line));
	const personOf = async (permissions?: PermissionsRecord) => {
		const {id} = await database
			.insertInto('accounts')
			.values({created_at: TEST_NOW})
			.returning('id')
			.executeTakeFirstOrThrow();
		return {id, ...(await callsOf(database, app, {accountId: id, permissions}))};
	};
	return {
		database,
		clock,
		log,
		me: await personOf(),
		other: await personOf(),
		personOf,
		[Symbol.asyncDispose]: async () => database.destroy(),
	};
}

type App = ReturnType<typeof createApp>;
type Who = {readonly accountId: number; readonly permissions: PermissionsRecord | undefined};

async function callsOf(database: Database, app: App, {accountId, permissions}: Who) {
	const {value} = await createKey(database, {accountId, name: 'x', permissions, now: TEST_NOW});
	const headers = {authorization: `Bearer ${value}`, 'content-type': 'application/json'};

	async function call(method: string, body?: unknown, query = '') {
		const response = await app.request(path + query, {
			method,
			headers,
			...(body !== undefined && {body: typeof body === 'string' ? body : JSON.stringify(body)}),
		});
		const reply: unknown = JSON.parse(await response.text());
		return {status: response.status, body: reply};
	}

	return {
		call,
		/** Makes a template and answers its number and hash. */
		async make(body: Readonly<Record<string, unknown>> = {}) {
			const reply = await call('POST', {name: 'T', image: 'a/b', ...body});
			return z.parse(named, reply.body).template;
		},
		async edit(hash: string, changes: Readonly<Record<string, unknown>>) {
			const reply = await call('PUT', {hash_id: hash, ...changes});
			return z.parse(named, reply.body).template;
		},
		/** The templates that a search finds. */
		async find(filters: unknown = {}, more: Readonly<Record<string, unknown>> = {}) {
			const texts = Object.entries({select_filters: filters, ...more}).map(([name, part]) => [
				name,
				JSON.stringify(part),
			]);
			const query = new URLSearchParams(texts).toString();
			return z.parse(found, (await call('GET', undefined, `?${query}`)).body).templates;
		},
	};
}
