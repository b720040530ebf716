import {expect, test} from 'vitest';
import {quoted} from '../../../source/renter/leases/inside.ts';
import {readPatterns} from '../../../source/renter/training/own-patterns.ts';
import {createDoneWatch} from '../../../source/renter/training/done-watch.ts';
import {openRunReader} from '../../../source/renter/training/run-reader.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {splitLines} from '../../../source/renter/text/new-lines.ts';
import {endlessLease, type Lease} from '../../../source/renter/words/lease.ts';
import type {WhenDone} from '../../../source/renter/words/when-done.ts';

const NOON = Date.UTC(2026, 10, 23, 12);
const instance = {id: 7, actual_status: 'running', start_date: 1_764_000_000};

const steps = (from: number, to: number) =>
	Array.from({length: to - from + 1}, (_, at) => `step ${from + at}/100 loss 2.5\n`).join('');

/** Looks at logs, a minute after each other. */
function watching(
	whenDone: WhenDone,
	{
		files = [],
		runPatterns = [],
	}: {
		readonly files?: readonly (string | undefined)[];
		readonly runPatterns?: readonly string[];
	} = {},
) {
	const lease: Lease = {...endlessLease, endsAt: 2_000_000_000, whenDone};
	const clock = {now: NOON};
	const scripts: string[] = [];
	const said = [...files];
	const watch = createDoneWatch(() => clock.now, {
		own: readPatterns(runPatterns),
		inside: async (_, script) => (scripts.push(script), said.shift()),
	});
	const settings = {...defaultSettings, runPatterns};
	const read = openRunReader({settings, inside: undefined, since: NOON});
	async function look(text: string, at: typeof instance = instance) {
		clock.now += 60_000;
		const row = {
			instance: at,
			condition: 'running',
			rate: {now: undefined, atMost: undefined},
			now: clock.now,
		} as const;
		await watch.note(at, lease, {...(await read(row, text, clock.now)), lines: splitLines(text)});
		return watch.evidence(at, lease);
	}
	return {clock, lease, look, scripts, watch};
}

const line: WhenDone = {kind: 'line', text: 'All done'};

test('a line that comes after the lease counts once two looks have shown it', async () => {
	const {look, clock, watch, lease} = watching(line);
	await look(`boot\n${steps(1, 5)}`);
	expect(await look(`boot\n${steps(1, 9)}All done\n`)).toBe(undefined);
	expect(await look(`boot\n${steps(1, 9)}All done\n`)).toBe('its log says "All done"');
	clock.now += 200_000;
	expect(watch.evidence(instance, lease)).toBe(undefined);
	expect(watch.isRead(instance, lease)).toBe(false);
});

const log = `boot\n${steps(1, 5)}All done\n${steps(6, 9)}`;

test.each<readonly [string, readonly string[]]>([
	['from before the lease', [log, log, `${log}more\n`, `${log}more\n`]],
	['of a log that was empty in between', [log, '', log, log]],
	['of a log that was empty at first', ['', log, log, log]],
	['of a log that was cut in between', [log, steps(7, 9), log, log]],
	[
		'of a log whose first line is alike by chance',
		['a\nb\nc\n---\n', '---\nAll done\n', '---\nAll done\n'],
	],
	[
		'of an end that others cut off',
		[`boot\n${steps(1, 5)}`, `${steps(90, 99)}All done\n`, `boot\n${steps(1, 6)}`],
	],
	['that is gone at the second look', [steps(1, 5), `${steps(1, 5)}All done\n`, steps(1, 9)]],
])('a line %s ends nothing', async (_, texts) => {
	const {look} = watching(line);
	const said: Array<string | undefined> = [];
	for (const text of texts) said.push(await look(text));
	expect(said.filter(Boolean)).toEqual([]);
});

test('a log that begins anew counts from there', async () => {
	const {look} = watching(line);
	await look(log);
	await look('anew 1\nanew 2\nanew 3\n');
	await look('anew 1\nanew 2\nanew 3\nAll done\n');
	expect(await look('anew 1\nanew 2\nanew 3\nAll done\n')).toBe('its log says "All done"');
});

test('another start of the instance, or another lease, begins anew', async () => {
	const {look} = watching(line);
	await look(steps(1, 5));
	await look(`${steps(1, 5)}All done\n`);
	const again = {...instance, start_date: 1_764_000_900};
	expect(await look(`${steps(1, 5)}All done\n`, again)).toBe(undefined);
	expect(await look(`${steps(1, 5)}All done\n`, again)).toBe(undefined);
});

test('a run is done after steps that came under the lease, and not where it was done before', async () => {
	const {look} = watching({kind: 'run'});
	const done = `${steps(1, 100)}training complete\n`;
	expect([await look(done), await look(done), await look(done)]).toEqual([
		undefined,
		undefined,
		undefined,
	]);
	const next = `${done}${steps(1, 50)}`;
	expect([await look(next), await look(next)]).toEqual([undefined, undefined]);
	const all = `${done}${steps(1, 100)}`;
	expect([await look(all), await look(all)]).toEqual([undefined, undefined]);
	const end = `${all}training complete\n`;
	expect([await look(end), await look(end)]).toEqual([undefined, 'its run is DONE']);
});

test('a run that has counted its last step is done once its log is quiet for ten minutes', async () => {
	const {look} = watching({kind: 'run'});
	await look(`boot\n${steps(1, 5)}`);
	const all = `boot\n${steps(1, 100)}`;
	const looks = async (text: string) => {
		const said: Array<string | undefined> = [];
		for (let minute = 0; minute < 11; minute++) said.push(await look(text));
		return said;
	};
	expect((await looks(all)).filter(Boolean)).toEqual([]);
	// It was evaluating, or saving.
	expect((await looks(`${all}saved\n`)).filter(Boolean)).toEqual([]);
	expect(await look(`${all}saved\n`)).toBe('its run is DONE');
});

/** Last of what many looks at a log say of a run, for whoever has a pattern. */
async function quietEnd(text: string) {
	const {look} = watching({kind: 'run'}, {runPatterns: ['it {step} of {of}']});
	await look('boot\n');
	const said: Array<string | undefined> = [];
	for (let minute = 0; minute < 13; minute++) said.push(await look(`boot\n${text}`));
	return said.at(-1);
}

test('steps without losses count where a pattern of the user read them, and not an installation', async () => {
	expect(await quietEnd('Step 8/9\nStep 9/9\n')).toBe(undefined);
	expect(await quietEnd('it 8 of 9\nit 9 of 9\n')).toBe('its run is DONE');
	expect(await quietEnd('Step 9/9\nit 1 of 20\n')).toBe(undefined);
});

test('a run that is done, and after which something else is loaded, is done once its log is quiet', async () => {
	const {look} = watching({kind: 'run'});
	await look(`boot\n${steps(1, 5)}`);
	const text = `boot\n${steps(1, 100)}training complete\nLoading: 100%|███| 4/4 [00:08<00:00]\n`;
	for (let minute = 0; minute < 11; minute++) expect(await look(text)).toBe(undefined);
	expect(await look(text)).toBe('its run is DONE');
});

test.each<readonly [string, string, readonly WhenDone[]]>([
	[
		'the bar of what is loaded first',
		'Loading checkpoint shards: 100%|██████████| 9/9 [00:08<00:00]\n',
		[{kind: 'run'}, {kind: 'step', step: 5}],
	],
	['the last step of what is installed first', 'Step 9/9: begin\n', [{kind: 'run'}]],
])('%s ends nothing', async (_, full, all) => {
	for (const whenDone of all) {
		const {look} = watching(whenDone);
		await look('boot 1\nboot 2\nboot 3\n');
		const said: Array<string | undefined> = [];
		for (let minute = 0; minute < 20; minute++) {
			said.push(await look(`boot 1\nboot 2\nboot 3\n${full}`));
		}
		expect(said.filter(Boolean)).toEqual([]);
	}
});

test('a step is reached by a run that goes on under the lease', async () => {
	const {look} = watching({kind: 'step', step: 50});
	await look(steps(1, 60));
	expect(await look(steps(1, 60))).toBe(undefined);
	await look(steps(1, 61));
	expect(await look(steps(1, 62))).toBe('its run has made step 50');
});

test('a file counts that was not there, or is newer than at the first look', async () => {
	const path = "/root/it's out/DONE";
	const {look, scripts} = watching(
		{kind: 'file', text: path},
		{
			files: [
				'at=1764000000\n',
				undefined,
				'at=1764000000\n',
				'at=1764009999\n',
				'at=1764009999\n',
			],
		},
	);
	const said: Array<string | undefined> = [];
	for (let at = 0; at < 5; at++) said.push(await look('x\n'));
	expect(said).toEqual([undefined, undefined, undefined, undefined, `${path} is there`]);
	expect(scripts[0]).toContain(quoted(path));
});
