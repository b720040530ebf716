import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	MOST_PATTERNS,
	patternProblem,
	readPattern,
	readPatterns,
} from '../../../source/renter/training/own-patterns.ts';
import {previewPattern} from '../../../source/renter/training/pattern-preview.ts';
import {readStepLine} from '../../../source/renter/training/step-line.ts';
import {openTrainingLog} from '../../../source/renter/training/training-log.ts';

const read = (pattern: string, line: string) => readStepLine(line, readPatterns([pattern]));

test.each<readonly [string, string, object | undefined]>([
	['it {step}/{of} | L={loss}', '[gpu0] it 12/900 | L=2.5e-1 | x', {step: 12, of: 900, loss: 0.25}],
	['it {step} * L {loss}', 'it 7   took 3 s,\tL  nan', {step: 7, loss: NaN}],
	['Schritt {step}: Fehler {loss}', 'Schritt 1,200: Fehler .5', {step: 1200, loss: 0.5}],
	[
		'u{step} lr {lr} v {tokens} g {grad} t {seconds} loss {loss}',
		'u5 lr 1e-4 v 12k g .4 t 2.5 loss 3',
		{
			step: 5,
			rate: 1e-4,
			tokensPerSecond: 12_000,
			gradient: 0.4,
			secondsPerStep: 2.5,
			loss: 3,
		},
	],
	['bye{done}', 'bye bye', {isDone: true}],
	['wrote *{checkpoint}', 'wrote /out/7.pt', {isCheckpoint: true}],
	['(a+)+ {step}', 'x (a+)+ 4 y', {step: 4}],
	['n {step}', 'n 12 then n 13', {step: 12}],
	['{step} of', '12.34.56 of', undefined],
	['it {step} L {loss}', 'it 7 L', undefined],
])('the pattern %j reads %j', (pattern, line, found) => {
	expect(patternProblem(pattern)).toBe(undefined);
	expect(read(pattern, line)).toEqual(found && {...found, isOwn: true});
});

test("where a pattern of one's own does not match, a line is read as ever", () => {
	expect(read('it {step} L {loss}', 'step 3 loss 2.5')).toEqual({step: 3, loss: 2.5});
});

test.each([
	['it {steps}', '{steps} is no figure: there are {step} {of} {loss}'],
	['it {step', 'a brace stands for a name alone'],
	['it {step} {', 'a brace stands for a name alone'],
	['lr {lr}', 'it needs one of {step} {loss} {done} {checkpoint} {eval}'],
	['{step}{loss} x', 'two figures need a text between them'],
	['{step}*{loss} x', 'two figures need a text between them'],
	['a {step} b {step}', 'each name may stand in it once'],
	[' {step} ', 'it needs a text beside its names'],
	[`${'x'.repeat(200)} {step}`, 'a pattern has at most 200 characters'],
])('%j is no pattern: %s', (pattern, why) => {
	expect(patternProblem(pattern)).toContain(why);
	expect(readPattern(pattern)).toBe(undefined);
});

test('of very many patterns as many count as there may be, and what is none is left out', () => {
	const many = Array.from({length: 30}, (_, at) => (at === 0 ? 'none' : `p${at} {step}`));
	expect(readPatterns(many)).toHaveLength(MOST_PATTERNS - 1);
});

test('a pattern reads the figures of lines that are made like it, whatever stands around', () => {
	// A `k` alone behind a figure is its unit, and an `e` between two makes them one.
	const word = fc
		.stringMatching(/^[a-z|=: ]{1,12}$/)
		.filter(text => text.trim() !== '' && !/^(?:k(?![a-z])|e$)/.test(text));
	fc.assert(
		fc.property(word, word, fc.nat(1_000_000), fc.nat(9999), word, (a, b, step, loss, end) => {
			const line = `${a}${step}${b}${loss}${end}`;
			const found = read(`${a}{step}${b}{loss}`, line);
			expect([found?.step, found?.loss]).toEqual([step, loss]);
		}),
	);
});

test.each([
	['a'.repeat(180), 'a'.repeat(1_000_000)],
	['* '.repeat(60), ' '.repeat(1_000_000)],
	['1'.repeat(180), '1'.repeat(1_000_000)],
])('a line of a megabyte is read to a bound, by the pattern %.6s', (text, line) => {
	expect(read(`${text} x {step}`, line)?.step).not.toBe(5);
});

test('a preview says how many lines match and what the last ones give, before anything is kept', () => {
	const lines = ['boot', 'it 1/9 L 3.5', 'it 2/9 L 3.25', '\u001B[31mit 3/9 L 3\u001B[0m', 'bye'];
	expect(previewPattern('it {step}/{of} L {loss}', lines, 2)).toEqual({
		problem: undefined,
		count: 3,
		of: 5,
		last: [
			{text: 'it 2/9 L 3.25', gives: 'step 2 of 9 loss 3.25'},
			{text: 'it 3/9 L 3', gives: 'step 3 of 9 loss 3'},
		],
	});
	expect(previewPattern('nope {step}', lines, 1).last).toEqual([{text: 'bye', gives: undefined}]);
	expect(previewPattern('{x}', lines, 1).problem).toContain('{x} is no figure');
});

test("a log of one's own trainer has steps by a pattern, and ends by it", () => {
	const log = openTrainingLog(readPatterns(['it {step}/{of} L {loss}', 'bye{done}']));
	expect(log(['it 1/9 L 3.5', 'it 2/9 L 3.25'], 0)).toMatchObject({step: 2, of: 9, isDone: false});
	expect(log(['it 1/9 L 3.5', 'it 2/9 L 3.25', 'bye'], 0)).toMatchObject({step: 2, isDone: true});
});
