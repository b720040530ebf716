import {appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readGpus} from '../../../source/renter/history/gpu-samples.ts';
import {followUse, openUseHistory} from '../../../source/renter/history/use-history.ts';
import {applyList, noteKeptUse, type KeptUse} from '../../../source/renter/fleet/apply-polls.ts';
import {unseenFleet} from '../../../source/renter/fleet/fleet-state.ts';
import {meanUse} from '../../../source/renter/instance/times.ts';
import {createStore} from '../../../source/renter/state/store.ts';
import {atMinute, listOf, lookAt} from '../../helpers/fleet/looks.ts';

const NOON = Date.UTC(2026, 10, 23, 12);
const MINUTE = 60_000;

function openFolder() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-use-'));
	return {
		file: join(folder, 'state', 'use.jsonl'),
		[Symbol.dispose]: () => rmSync(folder, {recursive: true}),
	};
}

const busy = (id: number, util: number) => ({
	id,
	actual_status: 'running',
	gpu_util: util,
	disk_usage: -1,
	gpu_temp: null,
});

test('what lists said is known after a restart, a line a minute that nobody else can read', async () => {
	using folder = openFolder();
	const history = openUseHistory(folder.file);
	for (let second = 0; second < 120; second += 10) {
		history.noteList([busy(7, second), busy(8, 5)], NOON + second * 1000);
	}
	await history.settle();
	expect(readFileSync(folder.file, 'utf8').trim().split('\n')).toHaveLength(2);
	expect(statSync(folder.file).mode & 0o777).toBe(0o600);
	const {samples} = openUseHistory(folder.file).follow(7, NOON + 3 * MINUTE);
	expect(samples.get().map(({at, machine}) => [(at - NOON) / 1000, machine?.util])).toEqual([
		[0, 0],
		[60, 60],
	]);
	expect(samples.get()[0]?.machine).not.toHaveProperty('disk');
});

test('a page that is open gets every look, and each GPU has a line of its own', async () => {
	using folder = openFolder();
	const history = openUseHistory(folder.file);
	const {samples, stop} = history.follow(7, NOON);
	history.noteList([busy(7, 10), busy(8, 5)], NOON);
	history.noteList([busy(7, 20)], NOON + 10_000);
	history.noteGpus(7, [{util: 97, power: 684.12}, {util: 61}], NOON + 10_000);
	expect(samples.get().map(({machine, gpus}) => machine?.util ?? gpus)).toEqual([
		10,
		20,
		[{util: 97, power: 684.12}, {util: 61}],
	]);
	expect(history.follow(7, NOON).samples.get()).toEqual([{at: NOON + 10_000, machine: {util: 20}}]);
	stop();
	history.noteList([busy(7, 30)], NOON + 20_000);
	expect(samples.get()).toHaveLength(3);
	await history.settle();
	const again = openUseHistory(folder.file).follow(7, NOON + MINUTE);
	expect(again.samples.get().at(-1)?.gpus).toEqual([{util: 97, power: 684.1}, {util: 61}]);
});

test('several consoles write at once, and torn or strange lines are passed over', async () => {
	using folder = openFolder();
	const consoles = [0, 1, 2].map(() => openUseHistory(folder.file));
	for (const [at, history] of consoles.entries()) {
		for (let minute = 0; minute < 20; minute++) {
			history.noteList([busy(7, at)], NOON + minute * MINUTE + at);
		}
	}
	await Promise.all(consoles.map(async history => history.settle()));
	appendFileSync(folder.file, '[7,\n{"at":"x","use":[[7,1]]}\n{"at":1,"use":[[7,{"a":1}],[7,');
	const history = openUseHistory(folder.file);
	history.noteList([busy(7, 50)], NOON + 20 * MINUTE);
	await history.settle();
	const looks = openUseHistory(folder.file)
		.follow(7, NOON + 21 * MINUTE)
		.samples.get();
	expect(looks).toHaveLength(61);
	expect(looks.map(({at}) => at)).toEqual(looks.map(({at}) => at).toSorted((a, b) => a - b));
});

test('the files stay within their bytes, however long and however many', async () => {
	using folder = openFolder();
	const longest = 20_000;
	const history = openUseHistory(folder.file, longest);
	const many = Array.from({length: 2000}, (_, id) => busy(id, 50));
	for (let minute = 0; minute < 50; minute++) history.noteList(many, NOON + minute * MINUTE);
	await history.settle();
	const bytes = [folder.file, `${folder.file}.1`].map(file => statSync(file).size);
	// The last line of each may be longer than what was left.
	expect(Math.max(...bytes)).toBeLessThan(longest + 12_000);
});

test('without a file what was seen is known while the program runs, and nothing is written', async () => {
	using folder = openFolder();
	const history = openUseHistory(undefined);
	const {samples} = history.follow(7, NOON);
	history.noteList([busy(7, 50)], NOON);
	await history.settle();
	expect(samples.get()).toHaveLength(1);
	expect(existsSync(folder.file)).toBe(false);
});

test('GPUs are read from what the tool prints, and from nothing else', () => {
	expect(
		readGpus('1, 61, 72909, 58, 402.11, 81559, 700.00\n0, 97, 72908.8, 66, [N/A], 81559, 700\n'),
	).toEqual([
		{util: 97, memory: 71.2, heat: 66, memoryAll: 81559 / 1024, powerLimit: 700},
		{
			util: 61,
			memory: 72909 / 1024,
			heat: 58,
			power: 402.11,
			memoryAll: 81559 / 1024,
			powerLimit: 700,
		},
	]);
	const hostile = [
		'0, 1e9, 999, -1, \u001B[31m7, 0, 0',
		'99999999, 5, 5, 5, 5, 5, 5',
		'0.5, 5, 5, 5, 5, 5, 5',
		'0, 5, 5, 5',
		'x'.repeat(60_000),
		'__proto__, 1, 1, 1, 1, 1, 1',
	];
	expect(readGpus(hostile.join('\n'))).toEqual([{memory: 999 / 1024}]);
	expect(
		readGpus(Array.from({length: 5000}, (_, at) => `${at}, 1,1,1,1,1,1`).join('\n')),
	).toHaveLength(16);
	expect(readGpus('nvidia-smi: command not found')).toEqual([]);
});

test('use and cost of all instances are known over restarts, for a day', async () => {
	using folder = openFolder();
	const history = openUseHistory(folder.file);
	const stopped = {id: 9, actual_status: 'exited'};
	history.noteList([busy(7, 10), stopped], NOON - 25 * 60 * MINUTE, {now: 9, atMost: 9});
	history.noteList([busy(7, 20), stopped], NOON, {now: 1.23456, atMost: 2});
	history.noteList([stopped], NOON + MINUTE, {now: 0.01, atMost: 0.01});
	await history.settle();
	appendFileSync(folder.file, '{"at":1e999,"use":[[7,1]]}\nno line\n{"at":1,"use":{"7":1}}\n');
	const {samples} = openUseHistory(folder.file).followAll(NOON + 2 * MINUTE);
	expect(samples.get()).toEqual({
		gpus: new Map(),
		use: new Map([[7, [{at: NOON, value: 20}]]]),
		burn: [
			{at: NOON, now: 1.235, atMost: 2},
			{at: NOON + MINUTE, now: 0.01, atMost: 0.01},
		],
	});
});

test('a screen of all instances gets a look a minute until it is left', () => {
	const history = openUseHistory(undefined);
	const {samples, stop} = history.followAll(NOON);
	for (const second of [0, 10, 60]) {
		history.noteList([busy(7, second)], NOON + second * 1000, {now: 1, atMost: 1});
	}
	expect(
		samples
			.get()
			.use.get(7)
			?.map(({value}) => value),
	).toEqual([0, 60]);
	stop();
	history.noteList([busy(7, 1)], NOON + 5 * MINUTE, {now: 1, atMost: 1});
	expect(samples.get().burn).toHaveLength(2);
});

test('a fleet that is looked at anew begins with the use and the costs that were kept', async () => {
	using folder = openFolder();
	const history = openUseHistory(folder.file);
	for (let minute = 0; minute < 30; minute += 1) {
		const burn = {now: minute / 10, atMost: minute / 10};
		history.noteList([busy(7, minute)], atMinute(minute - 40), burn);
	}
	await history.settle();
	const state = createStore(unseenFleet);
	const waiting: Array<() => void> = [];
	const fleet = {
		state,
		noteKeptUse: (kept: KeptUse) => state.set(noteKeptUse(state.get(), kept, lookAt(0))),
	};
	const timers = {
		now: () => atMinute(0),
		after: (_: number, run: () => void) => (waiting.push(run), () => undefined),
	};
	const use = openUseHistory(folder.file);
	followUse({fleet, use, timers});
	state.set(applyList(state.get(), listOf([busy(7, 99)]), lookAt(0)));
	const drawn = () => {
		const [row] = state.get().rows;
		return row === undefined ? [] : meanUse(row.observation.useSpans, row.now);
	};
	expect(drawn().filter(value => value !== undefined)).toEqual([99]);
	for (const run of waiting) run();
	expect(drawn().slice(0, 3)).toEqual([10.5, 12.5, 14.5]);
	expect(drawn().at(-1)).toBe(99);
	const {samples} = state.get();
	expect(samples).toHaveLength(31);
	expect(samples[0]).toMatchObject({at: atMinute(-40), now: 0});
	state.set(applyList(state.get(), listOf([busy(7, 99)]), lookAt(1)));
	expect(waiting).toHaveLength(1);
	await use.settle();
});
