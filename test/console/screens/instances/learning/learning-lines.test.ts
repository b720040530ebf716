import {stripVTControlCharacters} from 'node:util';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {learningLines} from '../../../../../source/console/screens/instances/learning/learning-lines.ts';
import {
	usualLearning,
	type LearningState,
} from '../../../../../source/console/screens/instances/learning/learning-state.ts';
import {createTheme} from '../../../../../source/console/ui/theme.ts';
import {trainingLines} from '../../../../../source/host/simulated/training.ts';
import type {ComparedRun} from '../../../../../source/renter/training/compared-runs.ts';
import {openTrainingLog} from '../../../../../source/renter/training/training-log.ts';
import {restOf, judgeTraining} from '../../../../../source/renter/training/verdict.ts';
import {widthOf} from '../../../../../source/renter/text/text-width.ts';
import {runs} from '../../../../helpers/property.ts';

const theme = createTheme({LANG: 'C.UTF-8', NO_COLOR: '1'});
const START = Date.UTC(2026, 10, 21, 12) / 1000;

/** A simulated run after so many seconds, as the page shows it. */
function shown(
	instance: number,
	seconds: number,
	state: Partial<LearningState> = {},
	size = {columns: 80, rows: 20},
) {
	const lines = trainingLines(instance, START, START + seconds);
	const texts = lines.map(({at, text}) => `${new Date(at * 1000).toISOString()} ${text}`);
	return pageOf(texts, (START + seconds) * 1000, state, size);
}

function pageOf(
	texts: readonly string[],
	now: number,
	state: Partial<LearningState>,
	size: {readonly columns: number; readonly rows: number},
	over: readonly ComparedRun[] = [],
) {
	const training = openTrainingLog()(texts, now);
	const verdict = judgeTraining({training, now, since: now, use: undefined, isRunning: true});
	const reading = {
		training,
		verdict,
		isAgreed: true,
		rest: restOf(training, 3.2),
		endsEarlyBy: undefined,
	};
	return learningLines({...usualLearning, reading, ...state}, {theme, size, now, over}).map(line =>
		stripVTControlCharacters(line),
	);
}

test('a run is a verdict, its figures, and a curve over its steps', () => {
	expect(
		`\n${shown(0, 3000)
			.map(line => line.trimEnd())
			.join('\n')}\n`,
	).toMatchInlineSnapshot(`
		"
		LEARNING  step 19,980 of 24,000 ████████████████▋    83%  ETA 10m  $0.54 more
		loss 1.71  lr 6.8e-6  345,000 tok/s  0.15 s/step
		last step 3 s ago   checkpoint 20,000
		── loss  mean of 20 ─────────────────────────────────────── all steps  linear ──
		    5.0┤
		       │⢄
		       │ ⠱⡄
		    4.0┤  ⠈⡢⡀
		       │    ⠙⠦⡀
		       │      ⠉⢢⡀
		    3.0┤        ⠈⠓⠤⣀
		       │            ⠓⠢⢄⣀
		       │                ⠉⠑⠦⠤⢄⣀⡀
		    2.0┤                      ⠘⠉⠓⠒⠒⠦⠤⠤⠤⣀⣀⣀⣀⣀
		       │                                 ⠁  ⠉⠉⠉⠉⠙⠉⠓⠒⠒⠒⠒⠒⠒⠒⠒⠖⠲⠢⠤⠤⠤⠤⠴⠤
		       │
		    1.0┤
		       └┴─────────────┴──────────────┴──────────────┴──────────────┴────────────
		        0           5,000           10k            15k            20k
		at 19,980  loss 1.71  lr 6.8e-6  by its log
		"
	`);
});

test.each([
	[0, 3000, 'LEARNING'],
	[4, 2990, 'FLAT'],
	[5, 1300, 'RISING'],
	[5, 2000, 'NAN'],
	[6, 1300, 'SILENT'],
	[1, 30, 'STARTING'],
])('instance %d after %d s is %s', (instance, seconds, verdict) => {
	expect(shown(instance, seconds)[0]).toMatch(new RegExp(`^${verdict}`));
});

test('every line fits, at every size', () => {
	for (const columns of [60, 80, 140, 200])
		for (const rows of [8, 11, 20, 36])
			for (const seconds of [0, 3, 30, 3000, 9000]) {
				const lines = shown(5, seconds, {zoom: seconds % 7}, {columns, rows});
				expect(lines.length).toBeLessThanOrEqual(rows);
				for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
			}
});

test('a cursor reads a step, and a zoom shows the last of them', () => {
	expect(shown(0, 3000, {at: 10_000}).at(-1)).toMatch(/^at 9,980 {2}loss 1\.\d\d {2}lr/);
	expect(shown(0, 3000, {zoom: 2}).join('\n')).toContain('the last 25 %');
	expect(shown(0, 3000, {series: 'rate'}).join('\n')).toContain('learning rate');
});

test('a log that is not read yet, cannot be read, or has no run is said', () => {
	expect(shown(0, 60, {reading: undefined})[0]).toMatch(/^LOOKING/);
	expect(shown(0, 60, {reading: undefined, failure: 'it is 503'})[0]).toContain(
		'NO ACCESS  it is 503',
	);
	expect(shown(0, 0)[0]).toMatch(/^NO RUN/);
});

const figures = fc.oneof(
	fc.double().map(String),
	fc.constantFrom('0', '-1', '1e308', '-1e308', '1e305M', '9e999', '1e-320', 'nan', '-inf', '5k'),
);
const names = ['step', 'loss', 'lr', 'max_steps', 'grad_norm', 'tokens/s', 'epoch'];
const oddLines = fc.oneof(
	fc
		.array(fc.tuple(fc.constantFrom(...names), figures), {minLength: 1, maxLength: 5})
		.map(pairs => pairs.map(([name, figure]) => `${name}: ${figure}`).join(' ')),
	fc
		.record({step: figures, loss: figures})
		.map(one => JSON.stringify(one).replaceAll(/"(?=-?\d)|(?<=\d)"/g, '')),
	fc.tuple(figures, figures).map(([one, other]) => `${one}/${other} loss ${one} ${other}s/it`),
	fc.constantFrom(
		'saving checkpoint-999999999999',
		'0001-01-01 00:00:00 step 5 loss 3',
		'9999-12-31 23:59:59 step 7 loss 4',
	),
);

test('figures that no run has are passed over, and draw the page', () => {
	const page = fc.record({
		zoom: fc.nat(6),
		series: fc.constantFrom('loss', 'rate'),
		columns: fc.integer({min: 20, max: 200}),
		rows: fc.integer({min: 5, max: 60}),
	});
	fc.assert(
		fc.property(fc.array(oddLines, {minLength: 1, maxLength: 60}), page, (texts, of) => {
			const {columns, rows, ...state} = of;
			const drawn = pageOf(texts, START * 1000, state, {columns, rows});
			expect(drawn.filter(line => widthOf(line) > columns)).toEqual([]);
			expect(drawn.join('\n')).not.toMatch(/Infinity|undefined|step NaN/);
		}),
		{numRuns: runs(1000)},
	);
});

const linesOf = (count: number, slope: number) =>
	Array.from({length: count}, (_, at) => `step ${at + 1}/200 loss ${(4 - at * slope).toFixed(3)}`);

test('up to three runs lie over the one of the page, each with its letter, over the same steps', () => {
	const over = [
		{label: 'sft-b', count: 60, slope: 0.005, isEnded: false},
		{label: 'sft-0', count: 180, slope: 0.012, isEnded: true},
	].map(({label, count, slope, isEnded}, index) => {
		const {steps, of} = openTrainingLog()(linesOf(count, slope), 0);
		return {id: index + 2, label, at: 0, of, steps, isEnded};
	});
	const page = pageOf(linesOf(120, 0.01), 0, {at: 100}, {columns: 80, rows: 20}, over);
	expect(`\n${page.map(line => line.trimEnd()).join('\n')}\n`).toMatchInlineSnapshot(`
		"
		LEARNING  step 120 of 200 ████████████         60%
		loss 2.81

		── loss  3 runs  mean of 20 ─────────────────────────────── all steps  linear ──
		    5.0┤                                   ┊
		       │                                   ┊
		       │                                   ┊
		    4.0┤⠒⠒⠒⠒⠲⠤⠶⢶⢄⣤⣤⡀⠤⢄ ⣀⣀ ⣀                ┊
		       │          ⠈⠈⠉⠙⠒⠖⠲⠤⡤⠭⣀⣁B            ┊
		       │                   ⠈ ⠁⠘⠉⠍⠱⠒⡒⠢⠤⠤⣀⣀⡀ ┊
		    3.0┤                            ⠈ ⠁⠐ ⠊⠩⠉⡑⢒⠒⠢⠤⠤⢄A
		       │                                   ┊   ⠁⠐ ⠂⠠ ⡀⢀
		       │                                   ┊            ⠁⠈ ⠂⠠ ⠄⢀
		    2.0┤                                   ┊                     ⠁⠈ ⠂⠠ ⠄ C
		       │                                   ┊
		       │                                   ┊
		    1.0┤                                   ┊
		       └┴────────────────┴─────────────────┴─────────────────┴─────────────────┴
		        0               50                100               150              200
		at 100  A 3.01 this  B - sft-b (at 60)  C 2.81 sft-0 (ended)
		"
	`);
	for (const [columns, rows] of [
		[60, 11],
		[140, 36],
	] as const) {
		const lines = pageOf(linesOf(120, 0.01), 0, {}, {columns, rows}, over);
		expect(lines).toHaveLength(rows);
		for (const letter of ['A', 'B', 'C']) expect(lines.slice(3).join('')).toContain(letter);
		expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
	}
});
