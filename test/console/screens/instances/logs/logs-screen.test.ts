import {expect, test} from 'vitest';
import {openLogs} from './open-logs.ts';

const steps = (from: number, count: number) =>
	Array.from({length: count}, (_, at) => `step ${from + at} loss 2.${(from + at) % 10}\n`).join('');

test('logs of several that are marked are one, each line behind its name, at 80x24', async () => {
	await using logs = await openLogs(steps(0, 3), {second: 'error: no disk\nretrying\n'});
	await logs.sees('5 lines');
	const shown = await logs.sees('LOGS of 2');
	expect(shown.split('\n').slice(3, 8).toSorted()).toMatchInlineSnapshot(`
		[
		  "7 train-a step 0 loss 2.0",
		  "7 train-a step 1 loss 2.1",
		  "7 train-a step 2 loss 2.2",
		  "8 train-b error: no disk",
		  "8 train-b retrying",
		]
	`);
	expect(shown.split('\n').toSpliced(3, 5)).toMatchInlineSnapshot(`
		[
		  " practice market . no money  . $2.00/h  2 no end $2.00/h              * 2  12:41",
		  "0 Overview 1 Offers [2 Instances] 3 Templates 4 Keys 5 Activity 6 Profiles",
		  "LOGS of 2  follow on  5 lines                                      read 12:41:07",
		  "",
		  "",
		  "",
		  "",
		  "",
		  "",
		  "",
		  "",
		  "",
		  "",
		  "",
		  "",
		  "",
		  "--------------------------------------------------------------------------------",
		  "",
		  "G end  / search  & only  Tab next  w wrap  y copy  Ctrl-E pager  ? help",
		]
	`);
});

const timed = (...minutes: readonly number[]) =>
	minutes.map(minute => `2026-11-23 12:0${minute}:00,000 minute ${minute}\n`).join('');

const minutes = (frame: string) => [...frame.matchAll(/minute (\d)/g)].map(([, said]) => said);

test('logs of several are one in the order of their times', async () => {
	await using logs = await openLogs(timed(0, 2), {second: timed(1, 3)});
	expect(minutes(await logs.sees('4 lines'))).toEqual(['0', '1', '2', '3']);
	logs.logs.second += timed(6, 8);
	await logs.log(timed(5, 7));
	const all = ['0', '1', '2', '3', '5', '6', '7', '8'];
	expect(minutes(await logs.sees('8 lines'))).toEqual(all);
});

test('a line of several has room for what is logged at 140x40, and goes on below itself', async () => {
	await using logs = await openLogs(`begin ${'x'.repeat(150)} last\n`, {
		second: '',
		columns: 140,
		rows: 40,
	});
	await logs.sees('1 line ');
	logs.type('w');
	const shown = await logs.sees('x last');
	expect(shown.split('\n').slice(2, 5)).toMatchInlineSnapshot(`
		[
		  "LOGS of 2  follow on  1 line                                                                                                   read 12:41:07",
		  "7 train-a begin xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		  "          xxxxxxxxxxxxxxxxxxxxxxxxxx last",
		]
	`);
});

test('the filter of several takes names, too, and what comes passes through it', async () => {
	await using logs = await openLogs(steps(0, 3), {second: 'error: no disk\n'});
	await logs.sees('4 lines');
	logs.type('&');
	await logs.sees('only with> _');
	logs.type('train-b');
	await logs.sees('only with> train-b_');
	logs.type('\r');
	const shown = await logs.sees('1 of 4 lines with "train-b"');
	expect(shown).not.toContain('step 1');
	logs.logs.second += 'gave up\n';
	await logs.log(steps(3, 1));
	expect(await logs.sees('2 of 6 lines')).toContain('8 train-b gave up');
});

test('each name has its own colour, and nothing that is logged does anything to the terminal', async () => {
	const environment = {LANG: 'C', COLORTERM: 'truecolor'};
	await using logs = await openLogs('\u001B]0;owned\u0007one\n', {second: 'two\n', environment});
	await logs.sees('2 lines');
	expect(logs.written()).not.toContain(']0;owned\u0007');
	expect(logs.written()).toContain('\u001B[36m7 train-a');
	expect(logs.written()).toContain('\u001B[33m8 train-b');
});
