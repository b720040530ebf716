import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test, vi} from 'vitest';
import {runHostWord} from '../../../source/commands/host/machines.ts';
import {waysToFind} from '../../../source/commands/host/host.ts';
import {readInstance, rentRunning} from '../../helpers/market/instances.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openProvided} from '../../helpers/market/provided.ts';

/** A provider's market, and what `rentty host` prints for its words. */
async function openWords() {
	const market = await openProvided();
	const folder = openFolder();
	const keyFile = join(folder.path, 'key');
	writeFileSync(keyFile, market.hostKey);

	async function run(...words: readonly string[]): Promise<string> {
		const written: string[] = [];
		const spy = vi.spyOn(process.stdout, 'write').mockImplementation(text => {
			written.push(String(text));
			return true;
		});
		try {
			await runHostWord([...words, '--market', market.url, '--key-file', keyFile]);
		} finally {
			spy.mockRestore();
		}
		return written.join('');
	}

	return {
		...market,
		run,
		async [Symbol.asyncDispose]() {
			folder[Symbol.dispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('a provider lists, prices, maintains and unlists a machine in words, and reads what it earns', async () => {
	await using market = await openWords();
	const {id} = market.machine;
	const rented = await rentRunning(market.database, {ask_id: market.machine.asks[0]?.id ?? 0});
	const lines = (await market.run('list')).trim().split('\n');
	expect(lines[0]?.split('\t').slice(0, 5)).toEqual(['ID', 'NAME', 'GPUS', 'USE', '$/H']);
	expect(lines[1]?.split('\t').slice(0, 5)).toEqual([
		String(id),
		'rig',
		'2x RTX 4090',
		'Dx',
		'$0.40',
	]);
	expect(JSON.parse(await market.run('list', '--json'))).toMatchObject({id, name: 'rig'});
	expect(await market.run('price', 'rig', '--gpu', '0.6', '--for', '3 months')).toBe(
		`Machine ${id} is offered on these terms.\n`,
	);
	expect((await market.offers())[1]).toMatchObject({dph_base: 0.6});
	expect(await readInstance(market.database, rented.id)).toMatchObject({gpu_micros: 400_000});
	await market.pass(3600);
	expect(await market.run('earnings', '--days', '1')).toMatch(
		new RegExp(`^MACHINE\tGPUS\tDISK\tTRAFFIC\n${id}\t`),
	);
	await market.host.heartbeat([id]);
	const start = new Date((rented.created_at + 7200) * 1000).toISOString();
	expect(await market.run('maintain', '--start', start, '--hours', '2')).toMatch(/is announced/);
	expect(await market.run('maintain', String(id), '--cancel')).toMatch(/^deleted 1 /);
	expect(await market.run('unlist')).toMatch(/offered no longer/);
	expect(await market.run('list')).toMatch(/unlisted/);
});

test('a provider without any earnings reads a sentence, and no empty table', async () => {
	await using market = await openWords();
	expect(await market.run('earnings')).toBe(
		'Nothing was earned in the last 30 days.\n$0.00 are not paid out: $0.00 less $0.00 for the market.\n',
	);
	expect(await market.run('earnings', '--days', '1')).toMatch(
		/^Nothing was earned in the last day/,
	);
});

test('a provider sets the job of idle GPUs in words, reads where it runs, and removes it', async () => {
	await using market = await openWords();
	const {id} = market.machine;
	expect(await market.run('defjob')).toBe(`Machine ${id} has no default job.\n`);
	const job = ['--image', 'lab/miner:2', '--bid', '0.15', '--args', "--pool 'a b'"];
	expect(await market.run('defjob', 'rig', ...job)).toBe(
		`Machine ${id} runs lab/miner:2 on its idle GPUs. Whoever rents goes before it.\n`,
	);
	expect(await market.machines.show(id)).toMatchObject({bid_image_args: ['--pool', 'a b']});
	const [work] = (await market.host.takeWork({after: 0})).work;
	const report = {instance_id: work?.instance_id ?? 0, boot: work?.boot ?? 0};
	await market.host.report([{...report, status: 'running'}]);
	const what = 'lab/miner:2 at $0.15/h';
	const words = `own job on 1 of 2 GPUs: It is starting on GPU 1. (${what})`;
	expect(await market.run('defjob')).toBe(`Machine ${id} has its ${words}.\n`);
	expect(await market.run('defjob', '--remove')).toMatch(/has no default job any longer/);
	await expect(market.run('defjob', '--remove')).rejects.toThrow(/no default job/);
});

test.each([
	[['price'], /needs a term/],
	[['price', 'other', '--gpu', '1'], /You have no machine other/],
	[['price', '--gpu', 'much'], /--gpu takes a number/],
	[['price', '--for', 'a while'], /--for takes a time/],
	[['maintain', '--start', 'soon', '--hours', '2'], /--start takes a date/],
	[['maintain'], /needs --start and --hours/],
	[['defjob', '--image', 'x'], /needs --image and --bid/],
	[['defjob', '--image', 'x', '--remove'], /takes a job, or --remove/],
	[['defjob', '--image', 'x', '--bid', 'much'], /--bid takes a number/],
	[['earnings', '--days', 'all'], /--days takes a whole number/],
])('%j says what is missing', async (words, says) => {
	await using market = await openWords();
	await expect(market.run(...words)).rejects.toThrow(says);
});

test('other words after rentty host are none of these', async () => {
	expect(await runHostWord(['--market', 'x'])).toBeUndefined();
	expect(await runHostWord(['constructor'])).toBeUndefined();
});

test('a host says how its machine is found, and why usual searches hide it', () => {
	const machine = {id: 7, listed: true, verification: 'verified', disk_space: 100};
	expect(waysToFind(7, machine)).toEqual(['Renters find it by: rentty offers any machine=7']);
	const small = {...machine, verification: 'unverified', disk_space: 4, direct_port_count: 0};
	expect(waysToFind(7, small).slice(1).join('\n')).toMatch(
		/not verified: rentty host test[\s\S]*less than 8 GB[\s\S]*ports/,
	);
});
