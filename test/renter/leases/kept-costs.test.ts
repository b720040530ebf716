import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openKeptCosts, noSightings} from '../../../source/renter/leases/sightings.ts';
import {endlessLease, writeLabel} from '../../../source/renter/words/lease.ts';
import {openFolder} from '../../helpers/folder.ts';
import {guarded, MADE} from '../../helpers/commands/guarded.ts';

const service = {name: 'lab', url: 'https://gpus.example'};
const label = writeLabel('train', {...endlessLease, maxCost: 1, action: 'destroy'});
const instance = {label: label ?? '', dph_base: 1, storage_total_cost: 0, uptime_mins: null};

const everyMinute = (count: number) => Array.from({length: count}, () => 60);

function fileIn(folder: {readonly path: string}): string {
	return join(folder.path, 'costs.json');
}

test('a guard that starts again and again fills no budget again', async () => {
	using folder = openFolder();
	const calls: string[] = [];
	for (let run = 0; run < 3; run++) {
		let at = 0;
		const costs = openKeptCosts(fileIn(folder), service, () => at);
		const guard = guarded({...instance, costs});
		await guard.looks(run * 1500, ...everyMinute(24));
		at = 60_000;
		await guard.looks(30);
		await costs.settle();
		calls.push(guard.calls.join());
	}
	expect(calls).toEqual(['', '', 'destroy 7']);
});

test('the same number made at another time is another instance, and another service has others', async () => {
	using folder = openFolder();
	let at = 0;
	const costs = openKeptCosts(fileIn(folder), service, () => (at += 60_000));
	for (const soFar of [0.9, 1]) costs.keep([{instance: {id: 7, start_date: MADE}, soFar}]);
	await costs.settle();
	const recalled = (of: typeof service, startDate: number) =>
		openKeptCosts(fileIn(folder), of, () => 0).recall({id: 7, start_date: startDate}, noSightings)
			.cost;
	expect([MADE, MADE + 0.9].map(start => recalled(service, start))).toEqual([0.9, 0.9]);
	expect(recalled(service, MADE + 1)).toBeUndefined();
	expect(recalled({...service, name: 'home'}, MADE)).toBeUndefined();
});

test('what one look alone says that it has cost is not kept', async () => {
	using folder = openFolder();
	let at = 0;
	const costs = openKeptCosts(fileIn(folder), service, () => (at += 60_000));
	for (const soFar of [0.9, 9000, 0.9, 0.9])
		costs.keep([{instance: {id: 7, start_date: MADE}, soFar}]);
	await costs.settle();
	expect(readFileSync(fileIn(folder), 'utf8')).toContain('"dollars":0.9}');
});

test('what was kept never sinks, and what is gone is kept no longer', async () => {
	using folder = openFolder();
	let at = 0;
	const costs = openKeptCosts(fileIn(folder), service, () => at);
	const known = {instance: {id: 7, start_date: MADE}, soFar: 0.9};
	costs.keep([known]);
	costs.keep([known]);
	at = 60_000;
	costs.keep([{...known, soFar: 0.1}]);
	await costs.settle();
	expect(readFileSync(fileIn(folder), 'utf8')).toContain('"dollars":0.9');
	at = 120_000;
	costs.keep([]);
	await costs.settle();
	expect(readFileSync(fileIn(folder), 'utf8')).toContain('"costs":[]');
});

test.each(['', '{', '[]', '{"service":"lab https://gpus.example","costs":[{"id":"7"},null,7]}'])(
	'a file with %j is none',
	text => {
		using folder = openFolder();
		writeFileSync(fileIn(folder), text);
		const costs = openKeptCosts(fileIn(folder), service, () => 0);
		expect(costs.recall({id: 7, start_date: MADE}, noSightings)).toEqual(noSightings);
	},
);

test('a cost that may have reached its limit is told once, also by the next guard, and ends nothing', async () => {
	const guard = guarded({...instance, uptime_mins: 31});
	await guard.looks(1700, ...everyMinute(30), 20, 20);
	expect(guard.told).toEqual([]);
	await guard.looks(80, 20);
	guard.restart();
	await guard.looks(20, 20);
	expect(guard.told.map(({kind}) => kind)).toEqual(['may cost']);
	const [told] = guard.told;
	const costs = /^at least \$0\.5\d, at most \$1\.0\d, of \$1$/v;
	expect(told?.kind === 'may cost' && told.costs).toMatch(costs);
	expect(guard.calls).toEqual([]);
});

test('the evidence of an end by its cost says that it is the least, and what it may be', async () => {
	const guard = guarded({...instance, uptime_mins: 61});
	await guard.looks(3600, ...everyMinute(61));
	const told = guard.told.at(-1);
	expect(told?.kind === 'ended' && told.evidence).toContain(
		'cost at least $1.02, at most $2.02, of $1',
	);
});

test('a field that contradicts an earlier look is told, and ends nothing', async () => {
	const world = guarded({
		label: writeLabel('train', {...endlessLease, maxCost: 1}) ?? '',
		dph_total: 0.4,
		uptime_mins: 3,
	});
	await world.looks(10, 10);
	world.set({uptime_mins: 4.5});
	await world.looks(60);
	world.set({uptime_mins: 599});
	await world.looks(10, 10);
	world.set({start_date: MADE - 300 * 86_400});
	await world.looks(10, 10);
	world.set({start_date: null, uptime_mins: 0});
	await world.looks(10);
	const told = world.told.flatMap(event =>
		event.kind === 'contradiction' ? [[event.field, event.before, event.after]] : [],
	);
	const moved = new Date((MADE - 300 * 86_400) * 1000).toISOString();
	expect(told).toEqual([
		['uptime_mins', '5 min', '599 min'],
		['start_date', new Date(MADE * 1000).toISOString(), moved],
		['start_date', moved, 'nothing'],
	]);
	expect(world.calls).toEqual([]);
});

test('a price that rises is told each time, with what it costs until the end, and none that falls', async () => {
	const world = guarded({
		label: writeLabel('train', {...endlessLease, endsAt: MADE + 7200}) ?? '',
		dph_total: 0.4,
	});
	await world.looks(10, 10);
	world.set({dph_total: 0.8});
	await world.looks(10, 10);
	world.restart();
	await world.looks(10);
	world.set({dph_total: 0.2});
	await world.looks(10);
	world.set({dph_total: 0.8, label: 'without a lease'});
	await world.looks(10);
	world.set({dph_total: 1});
	await world.looks(10);
	const told = world.told.flatMap(event => (event.kind === 'dearer' ? [event] : []));
	expect(told.map(({from, to}) => [from, to])).toEqual([
		[0.4, 0.8],
		[0.8, 1],
	]);
	expect(told[0]?.untilEnd).toBeCloseTo((0.8 * (7200 - 30)) / 3600);
	expect(told[1]).toMatchObject({id: 7, label: 'without a lease', untilEnd: undefined});
});
