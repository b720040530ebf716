import {existsSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openLogs} from './open-logs.ts';

const steps = (from: number, count: number) =>
	Array.from({length: count}, (_, at) => `step ${from + at} loss 2.${(from + at) % 10}\n`).join('');

test('logs are followed at their end, at 80x24', async () => {
	await using logs = await openLogs(steps(0, 100));
	expect(await logs.sees('step 99 ')).toMatchInlineSnapshot(`
		" practice market . no money  . $1.00/h  1 no end $1.00/h              * 1  12:41
		0 Overview 1 Offers [2 Instances] 3 Templates 4 Keys 5 Activity 6 Profiles
		Instances > 7 train-a   * running >0m   $1.000/h
		 Connect   Ports  [Logs]  Usage   Run   Timeline   Spec   Ends   JSON   [ ] tabs
		--------------------------------------------------------------------------------
		LOGS  follow on  100 lines                                         read 12:41:07
		step 85 loss 2.5
		step 86 loss 2.6
		step 87 loss 2.7
		step 88 loss 2.8
		step 89 loss 2.9
		step 90 loss 2.0
		step 91 loss 2.1
		step 92 loss 2.2
		step 93 loss 2.3
		step 94 loss 2.4
		step 95 loss 2.5
		step 96 loss 2.6
		step 97 loss 2.7
		step 98 loss 2.8
		step 99 loss 2.9
		--------------------------------------------------------------------------------

		G end  / search  & only  Tab next  w wrap  y copy  x destroy  ? help"
	`);
	await logs.log(steps(100, 3));
	await logs.sees('103 lines');
	await logs.sees('step 102 ');
	expect(logs.tails).toEqual(['10000', '500']);
});

test('who reads further up stays there while more is logged, and G goes on with it', async () => {
	await using logs = await openLogs(steps(0, 100));
	logs.type('g');
	await logs.sees('line 1 of 100 lines, G follows');
	await logs.log(steps(100, 50));
	await logs.sees('line 1 of 150 lines');
	logs.type('j');
	await logs.sees('line 2 of 150 lines');
	logs.type('G');
	expect(await logs.sees('follow on')).toContain('step 149 ');
});

test('what came faster than it was read is read anew from the beginning of what is there', async () => {
	await using logs = await openLogs(steps(0, 10));
	logs.logs.container = steps(5000, 2000);
	logs.type('R');
	await logs.sees('2,000 lines');
	expect(logs.tails).toEqual(['10000', '500', '10000']);
});

test('a search counts the lines that have the words, and Tab goes from one to the next', async () => {
	await using logs = await openLogs(steps(0, 100));
	logs.type('/');
	await logs.sees('search> _');
	logs.type('LOSS 2.5');
	await logs.sees('search> LOSS 2.5_');
	logs.type('\r');
	await logs.sees('10 with "LOSS 2.5"');
	await logs.sees(/step 85 .*step 9[0-9]/s);
	logs.type('\t');
	logs.type('\t');
	await logs.sees('step 5 loss 2.5');
	logs.type('y');
	// What is copied is the line that was found.
	await logs.sees(/^step 5 loss 2\.5$/m);
	logs.type('/');
	await logs.sees('search> _');
	logs.type('\u001B');
	await logs.sees('LOGS  line');
});

test('a filter shows only lines with its words as they are typed, and Esc shows all again', async () => {
	await using logs = await openLogs(steps(0, 100));
	logs.type('&');
	await logs.sees('only with> _');
	logs.type('loss 2.5');
	expect(await logs.sees(/only with> loss 2\.5_\n.*\nstep 15 loss 2\.5/s)).not.toContain('2.6');
	logs.type('\r');
	await logs.sees('follow on  10 of 100 lines with "loss 2.5"');
	await logs.log('step 100 loss 2.5\nstep 101 loss 2.6\n');
	await logs.sees('11 of 102 lines');
	logs.type('&');
	await logs.sees('only with> loss 2.5_');
	logs.type('\u001B');
	await logs.sees('follow on  102 lines');
});

test('w breaks long lines and cuts them again, with the same line at the top', async () => {
	const long = `begin ${'x'.repeat(100)} last\n`;
	await using logs = await openLogs(`${steps(0, 60)}${long}${steps(60, 60)}`);
	logs.type('/');
	await logs.sees('search> _');
	logs.type('begin');
	await logs.sees('search> begin_');
	logs.type('\r');
	expect(await logs.sees(/G follows +1 with "begin".*\nstep 55 /)).not.toContain('x last');
	logs.type('w');
	expect(await logs.sees('x last')).toMatch(/G follows.*\nstep 55 /);
	logs.type('w');
	await logs.sees('x~');
});

test('what the machine says of a container is another list of lines', async () => {
	await using logs = await openLogs(steps(0, 3));
	logs.logs.daemon = 'pulling layer 7/19\n';
	logs.type('a');
	await logs.sees('ACTIONS');
	logs.type('machine');
	await logs.sees(/> +logs of the container, or of the machine/);
	logs.type('\r');
	const shown = await logs.sees('LOGS of the machine');
	expect(shown).not.toContain('step 1');
	await logs.sees('pulling layer 7/19');
});

test('Ctrl-E shows them in the pager of the user, from a file that is gone afterwards', async () => {
	const files: string[] = [];
	const seen: Array<{
		readonly args: readonly string[];
		readonly text: string;
		readonly mode: number;
	}> = [];
	await using logs = await openLogs(`${steps(0, 2)}\u001B[31mred\u001B[0m\n`, {
		environment: {LANG: 'C', PAGER: 'more -d'},
		async run({program, args}) {
			const file = args.at(-1) ?? '';
			files.push(file);
			seen.push({
				args: [program, ...args.slice(0, -1)],
				text: readFileSync(file, 'utf8'),
				mode: statSync(file).mode & 0o777,
			});
			return {kind: 'ended', code: 0};
		},
	});
	logs.type('\u0005');
	await expect
		.poll(() => seen)
		.toEqual([
			{args: ['more', '-d'], text: 'step 0 loss 2.0\nstep 1 loss 2.1\nred\n', mode: 0o600},
		]);
	await logs.sees('LOGS  follow on');
	await expect.poll(() => files.filter(existsSync)).toEqual([]);
});

test('a pager that is not there is said to be so', async () => {
	await using logs = await openLogs(steps(0, 2), {
		run: async () => ({kind: 'notStarted', reason: 'there is no such program here'}),
	});
	logs.type('\u0005');
	await logs.sees('less was not started: there is no such program here.');
});

test('they are saved to a file that only the user can read, and no file is ever written over', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-logs-'));
	const file = join(folder, 'a file');
	await using logs = await openLogs(steps(0, 2));
	const save = async () => {
		logs.type('a');
		await logs.sees('ACTIONS');
		logs.type('to a file');
		await logs.sees(/> +save the logs to a file/);
		logs.type('\r');
		await logs.sees('file> rentty-7.log_');
		logs.type('\u0015');
		await logs.sees('file> _');
		logs.type(file);
		await logs.sees(/file> .*a file_/);
		logs.type('\r');
	};
	await save();
	await logs.sees('2 lines are in ');
	expect(readFileSync(file, 'utf8')).toBe('step 0 loss 2.0\nstep 1 loss 2.1\n');
	expect(statSync(file).mode & 0o777).toBe(0o600);
	await save();
	await logs.sees(/Not saved to /);
	rmSync(folder, {recursive: true});
});

test('nothing that an instance logs does anything to the terminal', async () => {
	await using logs = await openLogs(
		'\u001B]0;owned\u0007\u001B[2J\u001B]52;c;aWQ=\u0007after\rall\n',
	);
	await logs.sees(/^all$/m);
	expect(logs.written()).not.toMatch(/owned|aWQ=/);
});

test('logs are read every four seconds, and less often where nobody types', async () => {
	await using logs = await openLogs(steps(0, 3));
	expect(logs.planned()).toContain(4000);
	logs.pass(660);
	await expect.poll(logs.planned).toContain(30_000);
	logs.pass(30);
	await expect.poll(logs.planned).toContain(12_000);
});

test('where the connection is lost, what is shown stays and says how old it is', async () => {
	await using logs = await openLogs(steps(0, 3));
	await logs.close();
	logs.type('[');
	await logs.sees('[Ports]');
	logs.type('R');
	await logs.sees(/Instances > 7 train-a .* stale from 12:41:07$/m);
	logs.type(']');
	expect(await logs.sees('[Logs]')).toContain('step 2 loss');
});

test('on a wide screen the end of the logs stands below all else, whatever part of them was read', async () => {
	await using logs = await openLogs(steps(0, 100), {columns: 140, rows: 40});
	logs.type('g');
	await logs.sees('line 1 of 100 lines');
	logs.type('[[[');
	await logs.sees(/\[All\].*CONNECT.*LOGS.*step 99 /s);
	logs.type('l');
	await logs.sees('line 1 of 100 lines');
});
