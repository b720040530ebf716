/** What an agent leaves when it is killed outright, and what the next one on its folder makes of it. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import type {Client} from '../../source/client/client.ts';
import {membersOf, endLeftovers} from '../../source/host/sandbox/ending.ts';
import {readRecord} from '../../source/host/instance/record.ts';
import {siteOf} from '../../source/host/instance/site.ts';
import {openFolder} from '../helpers/folder.ts';
import {startHost} from '../helpers/host/host-process.ts';
import {testPublication} from '../helpers/host/hosts.ts';
import {insideKinds} from '../helpers/host/local-host.ts';
import {clientOf, startMarket} from '../helpers/market/market-process.ts';

/** A market of its own, and the file with its provider's key. */
async function openMarket(folder: string, name: string) {
	const market = await startMarket(join(folder, `${name}.db`), '--credit', '1000');
	const key = await market.key();
	const keyFile = join(folder, `${name}.key`);
	writeFileSync(keyFile, key);
	const client = clientOf(market.url, key);
	return {
		url: market.url,
		keyFile,
		client,
		async [Symbol.asyncDispose]() {
			await client[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

/** An instance of either kind: an idle one that is entered, and a program with a child of its own. */
async function rent(client: Client, isIdle: boolean): Promise<number> {
	const cpus = async () => (await client.offers.search({limit: 100})).offers;
	await expect.poll(async () => (await cpus()).length).toBeGreaterThan(0);
	const [offer] = await cpus();
	const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
		image: 'ubuntu:24.04',
		launch: {mode: isIdle ? 'ssh' : 'args', sshDirect: isIdle, jupyterDirect: false},
		...(!isIdle && {arguments: {list: ['sh', '-c', 'setsid sleep 9999 & exec sleep 9998']}}),
	});
	const status = async () => (await client.instances.show(id))?.actual_status;
	await expect.poll(status).toBe('running');
	return id;
}

const kinds = insideKinds.filter(({left}) => left === undefined).map(({kind}) => kind);

test.each(
	kinds.flatMap(runtime =>
		(['was destroyed', 'was forgotten'] as const).flatMap(ending =>
			[true, false].map(isIdle => ({runtime, ending, isIdle})),
		),
	),
)(
	'an agent ends all that a killed one left of an instance that $ending meanwhile ($runtime, idle: $isIdle)',
	async ({runtime, ending, isIdle}) => {
		using folder = openFolder();
		const hostFolder = join(folder.path, 'host');
		await using market = await openMarket(folder.path, 'market');
		const start = async ({url, keyFile}: {readonly url: string; readonly keyFile: string}) =>
			startHost({url, keyFile, folder: hostFolder, runtime});
		await using killed = await start(market);
		const id = await rent(market.client, isIdle);
		const family = await readRecord(siteOf(hostFolder, id).record);
		if (family === undefined) throw new Error('it has no record');
		const left = async () => (await membersOf(family)).length;
		// It is reported to run before its program has begun another.
		await expect.poll(left).toBeGreaterThan(1);
		expect(process.kill(killed.pid, 'SIGKILL')).toBe(true);
		await killed.ended;
		// The keeper, and what it keeps, go on: a renter loses nothing by the death of an agent.
		expect(await left()).toBeGreaterThan(1);
		try {
			if (ending === 'was destroyed') {
				await market.client.instances.destroy(id);
				await using next = await start(market);
				await expect.poll(left).toBe(0);
				await next.end();
			} else {
				// As a market that was restored from before the rent: it knows the machine alone.
				await using other = await openMarket(folder.path, 'other');
				const {id: machine} = await other.client.hosts.publish(testPublication());
				const known = {url: other.url, id: machine, name: 'rig'};
				writeFileSync(join(hostFolder, 'machine.json'), JSON.stringify(known));
				await using next = await start(other);
				await expect.poll(left).toBe(0);
				await next.end();
			}
			expect(await membersOf(family)).toEqual([]);
		} finally {
			await endLeftovers(hostFolder);
		}
	},
);
