import {expect, test} from 'vitest';
import type {RunBook} from '../../../../../source/renter/training/kept-runs.ts';
import {defaultSettings} from '../../../../../source/renter/settings/default-settings.ts';
import {createSettingsStore} from '../../../../helpers/settings-store.ts';
import {openTestConsole} from '../../../../helpers/console/console.ts';
import {instance, openLoggingService} from '../logs/open-logs.ts';

const START = new Date(2026, 10, 21, 12, 41, 7).getTime();

/** A step a second until now. */
function steps(count: number): string {
	return Array.from({length: count}, (_, at) => {
		const time = new Date(START - (count - at) * 1000).toISOString();
		return `${time} step ${at + 1}/1000 loss ${(4 - at / 100 + 0.02 * Math.sin(at)).toFixed(4)} lr 1e-4\n`;
	}).join('');
}

const now = () => new Date(START);

async function openRun(columns = 80, rows = 24, runBook?: RunBook) {
	const service = await openLoggingService([instance]);
	service.logs.container = steps(200);
	const settings = createSettingsStore(defaultSettings);
	const own = {settings, ...(runBook && {runBook})};
	const rentty = openTestConsole({service, columns, rows, now, ...own});
	rentty.type('2');
	await rentty.sees('1 of 1');
	rentty.type('V');
	return {
		...rentty,
		settings,
		service,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await service.close();
		},
	};
}

test.each([
	[60, 15],
	[80, 24],
	[140, 40],
])('at %dx%d V says whether an instance is learning', async (columns, rows) => {
	await using run = await openRun(columns, rows);
	await run.sees(/LEARNING {2}step 200 of 1,000/);
	await run.sees('ETA 13m  $0.22 more');
});

test('keys read single steps, zoom, and look again', async () => {
	await using run = await openRun();
	await run.sees('LEARNING');
	run.type('<');
	await run.sees(/^at 199 {2}loss/m);
	run.type('G');
	await run.sees(/^at 200 {2}loss .*by its log/m);
	run.type('.');
	await run.sees('the last 50 %');
	run.type('\t');
	await run.sees('learning rate');
	run.service.logs.container += 'Training complete\n';
	run.type('R');
	await run.sees('DONE');
});

test('what a log says reaches no terminal but as figures', async () => {
	await using run = await openRun();
	run.service.logs.container = `${steps(30)}\u001B]0;evil\u0007step 40 loss 3.1 lr \u001B[2J9\n`;
	await run.sees('LEARNING');
	run.type('R');
	await run.sees('step 40');
	expect(await run.shown()).not.toContain('evil');
});

/** A run that was kept of an instance that is gone. */
const book: RunBook = {
	note: async () => {},
	runs: () => [
		{
			id: 99,
			label: 'sft-0',
			at: START - 86_400_000,
			of: 1000,
			steps: Array.from({length: 400}, (_, at) => ({
				step: at + 1,
				loss: 4.5 - at / 200,
				rate: undefined,
				at: undefined,
			})),
		},
	],
};

test.each([
	[60, 15],
	[80, 24],
	[140, 40],
])('at %dx%d an equals sign lists other runs, and Space lays one over', async (columns, rows) => {
	await using run = await openRun(columns, rows, book);
	await run.sees('LEARNING');
	run.type('=');
	await run.sees('RUNS to lay over it');
	await run.sees(/^> \[ \] sft-0 +step 400 of 1,000/m);
	run.type(' ');
	await run.sees('[B] sft-0');
	run.type('\r');
	await run.sees('2 runs');
	if (rows > 15) await run.sees(/at 200 {2}A .* this {2}B 3\.\d+ sft-0 \(ended\)/);
	run.type('=u\u001B');
	await run.sees(/loss {2}mean of 20/);
});

test('where no other run is known, that is said', async () => {
	await using run = await openRun();
	await run.sees('LEARNING');
	run.type('=');
	await run.sees('No other run is known');
	await run.sees('Logs of what runs are read from now on.');
});

test.each([
	[60, 15],
	[80, 24],
	[140, 40],
])(
	'at %dx%d * tries a pattern on the last lines, keeps it, and lets go of it',
	async (columns, rows) => {
		await using run = await openRun(columns, rows);
		run.service.logs.container = 'boot\nit 41/90 X=3.5\nit 42/90 X=3.25\n';
		run.type('R');
		await run.sees('step 42 of 90');
		expect(await run.shown()).toMatch(/loss -/);
		run.type('*');
		await run.sees('A pattern of your own');
		run.type('it {step}/{of} X={lo}');
		await run.sees('{lo} is no figure');
		run.type('\u007F\u007Foss}');
		await run.sees('It matches 2 of the last 3 lines');
		await run.sees('> step 42 of 90 loss 3.25');
		run.type('\r');
		await run.sees(/loss 3.25/);
		expect(run.settings.get().runPatterns).toEqual(['it {step}/{of} X={loss}']);
		run.type('*');
		await run.sees('{step} {of} {loss}');
		run.type('\u001B[A');
		await run.sees('> step 42 of 90 loss 3.25');
		run.type('\r');
		await run.sees(/loss -/);
		expect(run.settings.get().runPatterns).toEqual([]);
	},
);

test.each([
	[60, 15],
	[80, 24],
	[140, 40],
])(
	'at %dx%d # lists the steps behind the curve, follows them, and copies all',
	async (columns, rows) => {
		await using run = await openRun(columns, rows);
		await run.sees('LEARNING');
		run.type('#');
		await run.sees(/TIME \(UTC\) +STEP +LOSS +MEAN +LR/);
		await run.sees(/ to 200 of 200/);
		expect(await run.shown()).toMatch(/ 200 +[12]\.\d+ +2\.\d+ +0\.0001/);
		run.type('g');
		await run.sees(/1 to \d+ of 200/);
		run.type('y');
		await run.sees('Copied');
		run.type('\u001B');
		await run.sees('of 200');
		run.type('#');
		await run.sees('all steps');
	},
);
