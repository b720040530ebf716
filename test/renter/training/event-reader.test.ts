import {Buffer} from 'node:buffer';
import {spawnSync} from 'node:child_process';
import {appendFileSync, mkdirSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {RunInside} from '../../../source/renter/leases/inside.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {openEventReader} from '../../../source/renter/training/event-reader.ts';
import {openRunReader} from '../../../source/renter/training/run-reader.ts';
import {eventOf, fileVersion} from '../../helpers/event-file.ts';
import {openFolder} from '../../helpers/folder.ts';

const NOON = Date.UTC(2026, 10, 23, 12);
const instance = {id: 7, actual_status: 'running'};

const scalar = (tag: string, step: number, value: number) =>
	eventOf({tag, step, value, at: NOON + step * 1000});
const steps = (from: number, to: number) =>
	Buffer.concat(
		Array.from({length: to - from + 1}, (_, at) => [
			scalar('train/loss', from + at, 4 - (from + at) / 100),
			scalar('train/learning_rate', from + at, 0.5),
			scalar('eval/loss', from + at, 9),
		]).flat(),
	);

/** A shell on this machine in place of one in an instance. */
function openShell(path?: string) {
	const asked: string[] = [];
	const inside: RunInside = async (_, script) => {
		asked.push(script);
		const {stdout, status} = spawnSync('sh', [], {
			input: script,
			encoding: 'utf8',
			maxBuffer: 1e7,
			...(path !== undefined && {env: {PATH: path}}),
		});
		return status === 0 ? stdout : undefined;
	};
	return {asked, inside};
}

function openRun(path = 'logs/run 1') {
	const folder = openFolder();
	mkdirSync(join(folder.path, path), {recursive: true});
	const file = join(folder.path, path, 'events.out.tfevents.1764000000.host');
	writeFileSync(file, fileVersion);
	return {folder, file};
}

test('a file is found, read from where it was left, and a torn end is read once it is whole', async () => {
	const {folder, file} = openRun();
	using _ = folder;
	const {inside, asked} = openShell();
	const read = openEventReader(inside, [folder.path]);
	expect(await read(instance, NOON)).toEqual([]);
	appendFileSync(file, steps(1, 3));
	const lines = await read(instance, NOON + 5000);
	expect(lines.map(({loss = NaN, ...rest}) => ({...rest, loss: Number(loss.toFixed(4))}))).toEqual(
		[1, 2, 3].map(step => ({step, at: NOON + step * 1000, loss: 4 - step / 100, rate: 0.5})),
	);
	const next = steps(4, 4);
	appendFileSync(file, next.subarray(0, 30));
	expect(await read(instance, NOON + 10_000)).toEqual([]);
	appendFileSync(file, next.subarray(30));
	expect(await read(instance, NOON + 15_000)).toMatchObject([{step: 4}]);
	expect(asked.filter(script => script.includes('find'))).toHaveLength(1);
});

test('a large file is read in pieces, some at each look', async () => {
	const {folder, file} = openRun();
	using _ = folder;
	const {inside, asked} = openShell();
	const read = openEventReader(inside, [folder.path]);
	appendFileSync(file, steps(1, 3000));
	const lines = [...(await read(instance, NOON)), ...(await read(instance, NOON + 5000))];
	expect(asked.length).toBeLessThanOrEqual(16);
	expect(new Set(lines.map(({step}) => step)).size).toBe(3000);
});

test('an instance without base64 tells the bytes by od', async () => {
	const {folder, file} = openRun();
	using _ = folder;
	const tools = join(folder.path, 'bin');
	mkdirSync(tools);
	for (const name of ['sh', 'find', 'ls', 'head', 'tail', 'od'])
		symlinkSync(`/bin/${name}`, join(tools, name));
	appendFileSync(file, steps(1, 500));
	const {inside} = openShell(tools);
	const lines = await openEventReader(inside, [folder.path])(instance, NOON);
	expect(lines.at(-1)).toMatchObject({step: 500});
});

test('the newest file counts, once the one that is read does not grow', async () => {
	const {folder, file} = openRun();
	using _ = folder;
	const {inside} = openShell();
	const read = openEventReader(inside, [folder.path]);
	appendFileSync(file, steps(1, 3));
	utimesSync(file, 1, 1);
	await read(instance, NOON);
	const other = join(folder.path, "it's; touch x.tfevents.2");
	writeFileSync(other, Buffer.concat([fileVersion, steps(1, 1)]));
	expect(await read(instance, NOON + 30_000)).toEqual([]);
	expect(await read(instance, NOON + 90_000)).toMatchObject([{step: 1}]);
	appendFileSync(other, steps(2, 2));
	expect(await read(instance, NOON + 95_000)).toMatchObject([{step: 2}]);
});

test('nothing comes of a damaged file, of none, or of an instance that nobody gets into', async () => {
	const {folder, file} = openRun();
	using _ = folder;
	const {inside, asked} = openShell();
	const read = openEventReader(inside, [folder.path]);
	appendFileSync(file, Buffer.alloc(100, 7));
	for (const seconds of [0, 5, 10]) expect(await read(instance, NOON + seconds * 1000)).toEqual([]);
	expect(asked).toHaveLength(1);
	expect(await openEventReader(inside, ['/nowhere'])(instance, NOON)).toEqual([]);
	expect(await openEventReader(async () => undefined, [])(instance, NOON)).toEqual([]);
});

test.each([
	['file=/x\nfrom=7\nas=64\n', 'a place that it was not asked for'],
	['file=x\nfrom=0\nas=64\n', 'a name without a folder'],
	['file=/x\u0007\nfrom=0\nas=64\n', 'a name with harmful characters'],
	['file=/x\nfrom=0\nas=64\n!!!!', 'no bytes'],
])('of the answer %j, %s, nothing is taken', async said => {
	expect(await openEventReader(async () => said, [])(instance, NOON)).toEqual([]);
});

const rowAt = (now: number) =>
	({instance, condition: 'running', rate: {now: 1, atMost: 1}, now}) as const;

test('a run whose log has no steps has those of its event file, and ends as its log says', async () => {
	const {folder, file} = openRun();
	using _ = folder;
	const {inside} = openShell();
	const settings = {...defaultSettings, runFolders: [folder.path]};
	const read = openRunReader({settings, inside, since: NOON});
	const look = async (text: string, now: number) => read(rowAt(now), text, now);
	appendFileSync(file, steps(1, 200));
	const found = await look('hello\n', NOON + 200_000);
	expect(found).toMatchObject({verdict: 'LEARNING', training: {step: 200, isOfEvents: true}});
	expect(found.training.steps.at(-1)?.loss).toBeCloseTo(2, 5);
	const done = 'hello\ntraining complete\n';
	expect((await look(done, NOON + 205_000)).verdict).toBe('DONE');
	appendFileSync(file, steps(201, 230));
	expect((await look(done, NOON + 230_000)).verdict).toBe('LEARNING');
});
