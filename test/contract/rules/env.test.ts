import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	containerPort,
	envProblem,
	isIdentityPort,
	layEnv,
	parseEnv,
	printEnv,
	readEnvObject,
	type Env,
} from '../../../source/contract/rules/env.ts';
import {least, runs} from '../../helpers/property.ts';

test.each<readonly [line: string, object: Readonly<Record<string, string>>]>([
	['', {}],
	['-e A=b', {A: 'b'}],
	['-e A=b=c', {A: 'b=c'}],
	['-e A=', {A: ''}],
	['-e A', {}],
	['-e NAME -e B=1', {B: '1'}],
	['-e =b', {}],
	['-e', {}],
	['-e A="b c" -e B=1', {A: 'b c', B: '1'}],
	["-e A='b c' -e B=1", {A: 'b c', B: '1'}],
	['-e "A=b c" -e B=1', {A: 'b c', B: '1'}],
	['-e A="it\'s" -e B="it\'s"', {A: "it's", B: "it's"}],
	['-e A={"b":"c d"}', {A: '{"b":"c d"}'}],
	['-e A=\'{"b": "c d"}\'', {A: '{"b": "c d"}'}],
	['-e A="b', {A: '"b'}],
	['-e A="b -e C=d', {A: '"b -e C=d'}],
	['  -e A=1   -e B=2  ', {A: '1', B: '2'}],
	['-e  A=1 -e B=2', {B: '2'}],
	['-e A=1 -e B=2 -e A=3', {A: '3', B: '2'}],
	['-p 8080:80', {'-p 8080:80': '1'}],
	['-p 8080:80/udp -p 70000:70000', {'-p 8080:80/udp': '1', '-p 70000:70000': '1'}],
	['-p 127.0.0.1:80:80 -p 8000-8010:80 -p x', {}],
	['-h name', {'-h': 'name'}],
	['-h one -h two', {'-h': 'two'}],
	['-v V.12:/data -v a-b', {'-v V.12:/data': '1'}],
	['-n some-net-1 -n Some', {'-n some-net-1': '1'}],
	['-x y --rm -e A=1 rubbish -e B=2', {A: '1', B: '2'}],
	['-e -p -e A=1', {A: '1'}],
	['-e A=a\u0000\u001B[2J\n\tb', {A: 'a\u0000\u001B[2J\n\tb'}],
	['-e __proto__=1', {['__proto__']: '1'}],
])('the line %j reads as its object', (line, object) => {
	expect(Object.fromEntries(parseEnv(line))).toEqual(object);
	expect(Object.keys(Object.fromEntries(parseEnv(line)))).toEqual(
		expect.arrayContaining(Object.keys(object)),
	);
});

test.each<readonly [object: Readonly<Record<string, unknown>>, env: Env]>([
	[
		{A: 'b', N: 1, T: true, L: [1]},
		[
			['A', 'b'],
			['N', '1'],
			['T', 'true'],
			['L', '[1]'],
		],
	],
	[{A: null, B: undefined}, []],
	[
		{'-p 8080:80': 1, ' -p   81:81 ': '1'},
		[
			['-p 8080:80', '1'],
			['-p 81:81', '1'],
		],
	],
	[{'-p 8080:80': '1', '-p  8080:80': '2'}, [['-p 8080:80', '1']]],
	[{'-h': 'name'}, [['-h', 'name']]],
	[{'-h name': '1'}, [['-h', 'name']]],
	[
		{'-v V.1:/d': '1', '-n net': '1'},
		[
			['-v V.1:/d', '1'],
			['-n net', '1'],
		],
	],
	[{'-p x': '1', '-q 1': '1', '-p8080': '1', '-': '1', '': '1', ' ': '1', 'A=B': '1'}, []],
	[{' A ': ' b '}, [['A', ' b ']]],
])('the object %j reads as its entries', (object, env) => {
	expect(readEnvObject(object)).toEqual(env);
});

const letters = fc.constantFrom(...Array.from('ab ="\'-epvhn1:/.tcud\n\u0000é\u{1F600}'));
const text = fc.oneof(fc.string({unit: letters, maxLength: 40}), fc.string({unit: 'binary'}));
const flag = fc.constantFrom('-e', '-p', '-h', '-v', '-n', '-x', '');
const plain = ['A=1', 'A="b c"', "B='x'", 'A="', "C='a", '80:80', '81:80/udp', 'a-b', '/a:/b'];
const word = fc.oneof(text, {weight: 3, arbitrary: fc.constantFrom(...plain)});
const line = fc
	.array(fc.tuple(flag, word), {maxLength: 8})
	.map(list => list.map(pair => pair.join(' ')).join(' '));

test('whatever line was read is written as one that reads the same', () => {
	let filled = 0;
	fc.assert(
		fc.property(line, sent => {
			const env = parseEnv(sent);
			const written = printEnv(env) ?? expect.fail(`cannot be written: ${JSON.stringify(env)}`);
			expect(parseEnv(written)).toEqual(env);
			if (env.length > 1) filled++;
		}),
		{numRuns: runs(3000)},
	);
	expect(filled).toBeGreaterThanOrEqual(least(300));
});

test('an object reads the same after it was written as a line, or cannot be written', () => {
	const name = fc.oneof(text, fc.constantFrom('-p 80:80', '-h', '-v /a:/b', 'PATH'));
	let written = 0;
	fc.assert(
		fc.property(fc.dictionary(name, text, {maxKeys: 6}), object => {
			const env = readEnvObject(object);
			expect(Object.fromEntries(readEnvObject(Object.fromEntries(env)))).toEqual(
				Object.fromEntries(env),
			);
			const printed = printEnv(env);
			if (printed === undefined) return;
			expect(parseEnv(printed)).toEqual(env);
			written++;
		}),
		{numRuns: runs(2000)},
	);
	expect(written).toBeGreaterThanOrEqual(least(500));
});

test('a value that quotes cannot hold is not written wrongly', () => {
	expect(
		printEnv([
			['A', 'a\'b"c'],
			['B', '1'],
		]),
	).toBeUndefined();
	expect(printEnv([['-h', 'two words']])).toBeUndefined();
	expect(printEnv([['-x', '1']])).toBeUndefined();
	expect(
		printEnv([
			['A', "it's"],
			['B', '1'],
		]),
	).toBe('-e A="it\'s" -e B=1');
});

test.each([
	['-p 80', {port: 80, protocol: 'tcp'}, false],
	['-p 8080:80', {port: 80, protocol: 'tcp'}, false],
	['-p 8080:80/udp', {port: 80, protocol: 'udp'}, false],
	['-p 70000:70000', {port: 70_000, protocol: 'tcp'}, true],
	['-p 69999:69999', {port: 69_999, protocol: 'tcp'}, false],
])('%s maps a port of the container', (key, port, isIdentity) => {
	const mapped = containerPort(key);
	expect(mapped).toEqual(port);
	expect(mapped && isIdentityPort(mapped)).toBe(isIdentity);
});

test('other keys map no port', () => {
	for (const key of ['A', '-p ::', '-p tcp', '-v 80:80', '-h']) {
		expect(containerPort(key)).toBeUndefined();
	}
});

test.each([
	['-p 80:80', '-p 80:8080', ['-p 80:80', '-p 80:8080']],
	['-p 80:80', '-p 8080:80', ['-p 8080:80']],
	['-p 80:80', '-p 8080:80/udp', ['-p 80:80', '-p 8080:80/udp']],
	['-p 80:80 -e A=1', '-e A=2', ['-p 80:80', 'A']],
	['-p 80', '-p 80:80/tcp', ['-p 80:80/tcp']],
	['', '-p 1:80 -p 2:80', ['-p 2:80']],
	['-p 70000:70000', '-p 70001:70001', ['-p 70000:70000', '-p 70001:70001']],
])('%j under %j maps each port of the container once', (lower, upper, keys) => {
	expect(layEnv(parseEnv(lower), parseEnv(upper)).map(([key]) => key)).toEqual(keys);
});

test('names, the whole, and ports have limits in characters', () => {
	const emoji = '\u{1F600}';
	expect(envProblem([[emoji.repeat(256), '']])).toBeUndefined();
	expect(envProblem([[emoji.repeat(257), '']])).toBe('env: a name has at most 256 characters');
	expect(envProblem([['A', emoji.repeat(32_767)]])).toBeUndefined();
	expect(envProblem([['A', emoji.repeat(32_768)]])).toBe(
		'env: names and values have at most 32768 characters together',
	);
	const ports = Array.from({length: 65}, (_, index) => [`-p ${index + 1}`, '1'] as const);
	expect(envProblem(ports.slice(1))).toBeUndefined();
	expect(envProblem(ports)).toBe('env: at most 64 ports can be mapped');
});
