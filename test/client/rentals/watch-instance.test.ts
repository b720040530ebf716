import {expect, test} from 'vitest';
import {
	outlookOf,
	watchStart,
	type StartWatchResult,
	type WatchOptions,
} from '../../../source/client/rentals/watch-instance.ts';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {createSwiftTime} from '../../helpers/hand-time.ts';
import {openSafeRental, plainOrder} from '../../helpers/market/safe-rental.ts';

type Look = Partial<Instance> | Error | undefined;

/** What is watched where one look after another shows these; the last of them for ever. */
async function watched(
	looks: readonly Look[],
	options: WatchOptions = {},
	proven: ReadonlyArray<'gone' | 'unlisted'> = ['gone'],
) {
	const time = createSwiftTime();
	const shown = [...looks];
	const show = async () => {
		const look = shown.length > 1 ? shown.shift() : shown[0];
		if (look instanceof Error) throw look;
		return look && {id: 7, ...look};
	};
	const proofs = [...proven];
	const find = async () => {
		const kind = proofs.length > 1 ? proofs.shift() : proofs[0];
		return {kind: kind ?? 'gone'} as const;
	};
	return Array.fromAsync(watchStart({show, find, time}, 7, options), brief);
}

function brief(seen: StartWatchResult): string {
	const at = seen.waitedMs / 1000;
	return 'state' in seen ? `${at} ${seen.kind}: ${seen.state}` : `${at} ${seen.kind}`;
}

test('an instance is watched every ten seconds until it runs', async () => {
	const looks = [{}, {actual_status: null}, {actual_status: 'loading'}, {actual_status: 'running'}];
	expect(await watched(looks)).toEqual([
		'0 waiting: undefined',
		'10 waiting: undefined',
		'20 waiting: loading',
		'30 running',
	]);
});

test('a state that never runs is one that two looks in a row show', async () => {
	const unknown = {actual_status: 'unknown'};
	expect(await watched([unknown, {actual_status: 'loading'}, unknown, unknown])).toEqual([
		'0 waiting: unknown',
		'10 waiting: loading',
		'20 waiting: unknown',
		'30 never runs: unknown',
	]);
	expect(await watched([{intended_status: 'stopped', actual_status: 'loading'}])).toEqual([
		'0 waiting: stopped',
		'10 never runs: stopped',
	]);
	expect(await watched([{actual_status: 'exited'}], {hopelessAfter: 25_000})).toHaveLength(4);
});

test('an instance is gone when it is not there twice in a row', async () => {
	const looks = [undefined, {actual_status: 'loading'}, undefined];
	expect(await watched(looks)).toEqual([
		'0 waiting: undefined',
		'10 waiting: loading',
		'20 waiting: undefined',
		'30 gone',
	]);
});

test('an instance that nothing proves to be gone is waited for', async () => {
	const looks = [undefined];
	const seen = await watched(looks, {timeout: 40_000}, ['unlisted', 'unlisted', 'gone']);
	expect(seen).toEqual([
		'0 waiting: undefined',
		'10 waiting: undefined',
		'20 waiting: undefined',
		'30 gone',
	]);
	expect((await watched(looks, {timeout: 30_000}, ['unlisted'])).at(-1)).toBe('30 timed out');
});

test('a look that fails says nothing of the instance', async () => {
	const exited = {actual_status: 'exited'};
	const looks = [exited, new Error('no answer'), exited, {actual_status: 'running'}];
	expect(await watched(looks)).toEqual([
		'0 waiting: exited',
		'10 unseen',
		'20 waiting: exited',
		'30 running',
	]);
});

test('a word that nobody knows is passed on until the time is over', async () => {
	const seen = await watched([{actual_status: 'warming up'}], {interval: 4000, timeout: 10_000});
	expect(seen).toEqual([
		'0 waiting: warming up',
		'4 waiting: warming up',
		'8 waiting: warming up',
		'10 waiting: warming up',
		'10 timed out',
	]);
});

test.for([
	[{actual_status: 'running', intended_status: 'running'}, 'running'],
	[{actual_status: 'running', intended_status: 'stopped'}, 'hopeless'],
	[{actual_status: 'exited', cur_state: 'stopped', next_state: 'running'}, 'waiting'],
	[{actual_status: 'offline'}, 'hopeless'],
	[{actual_status: 'frozen'}, 'waiting'],
] as const)('of %o it is to be expected: %s', ([instance, outlook]) => {
	expect(outlookOf({id: 7, ...instance})).toBe(outlook);
});

test('an instance of a real market is watched, and whoever has seen enough stops it', async () => {
	await using world = await openSafeRental();
	const rented = await world.client.instances.rent(world.offer.id, plainOrder);
	if (rented.outcome !== 'created') throw new Error('nothing was rented');
	const stop = new AbortController();
	const seen: string[] = [];
	const look = async () => {
		for await (const one of world.client.instances.watch(rented.id, {signal: stop.signal})) {
			seen.push(brief(one));
			if (seen.length === 2) stop.abort(new Error('enough'));
		}
	};
	await expect(look()).rejects.toThrow('enough');
	expect(seen).toEqual(['0 waiting: undefined', '10 waiting: undefined']);
	await world.client.instances.destroy(rented.id);
	const kinds = await Array.fromAsync(world.client.instances.watch(rented.id), ({kind}) => kind);
	expect(kinds).toEqual(['waiting', 'gone']);
});
