import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {openAccount} from '../../source/market/accounts/people.ts';
import {addCredit} from '../../source/market/ledger/accounts-store.ts';
import {openFaultyHost} from '../helpers/host/faulty-host.ts';
import {noProcesses, sleepers} from '../helpers/host/local-host.ts';
import {openFolder} from '../helpers/folder.ts';
import {clientOf} from '../helpers/market/market-process.ts';
import {openDatabase} from '../helpers/market/postgres.ts';

test.skipIf(noProcesses !== undefined)(
	'whoever is outbid is stopped with their disk kept, and goes on when they win again',
	async () => {
		using folder = openFolder();
		await using world = await openFaultyHost(folder.path, 1);
		const {hostFolder} = world;
		// Who rents of a machine of its own pays nothing, and outbids nobody.
		await using client = await strangerOf(world);
		const [offer] = (await client.offers.search({pricing: 'bid', limit: 1})).offers;
		const bidding = async (price: number, seconds: string) => {
			const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
				image: 'ubuntu:24.04',
				price,
				launch: {mode: 'args', sshDirect: false, jupyterDirect: false},
				arguments: {list: ['sh', '-c', `echo began >> starts; exec sleep ${seconds}`]},
			});
			return id;
		};
		const [mine, theirs] = [`7000${process.pid}`, `8000${process.pid}`];
		const count = () => [sleepers(mine), sleepers(theirs)];
		const running = async (expected: readonly number[]): Promise<void> => {
			await expect.poll(count).toEqual(expected);
		};

		const low = await bidding(0.06, mine);
		await running([1, 0]);
		const high = await bidding(0.09, theirs);
		await running([0, 1]);
		expect(await client.instances.show(low)).toMatchObject({
			intended_status: 'running',
			cur_state: 'stopped',
			status_msg: expect.stringContaining('Somebody pays more') as unknown,
		});
		const starts = join(hostFolder, 'instances', String(low), 'home', 'starts');
		expect(readFileSync(starts, 'utf8')).toBe('began\n');

		await client.instances.destroy(high);
		await running([1, 0]);
		expect(readFileSync(starts, 'utf8')).toBe('began\nbegan\n');
		const isThere = () => existsSync(join(hostFolder, 'instances', String(high)));
		await expect.poll(isThere).toBe(false);
	},
);

/** A client of somebody else than the machine's provider. */
async function strangerOf({url, file}: Awaited<ReturnType<typeof openFaultyHost>>) {
	const database = await openDatabase(file);
	const now = Date.now() / 1000;
	const {id, key} = await openAccount(database, {kind: 'renter', now});
	await addCredit(database, id, {micros: 1e9, description: 'For a test', now});
	await database.destroy();
	return clientOf(url, key);
}
