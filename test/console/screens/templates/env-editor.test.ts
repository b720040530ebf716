import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseEnv} from '../../../../source/contract/rules/env.ts';
import {newLineEdit} from '../../../../source/console/ui/line-edit.ts';
import {
	applyEntry,
	beginEntry,
	openEnv,
	removeEntry,
	restoreEnv,
	envEntryKind,
	lineOfEnv,
	readRow,
	writeRow,
	type EnvState,
} from '../../../../source/console/screens/templates/env-state.ts';

const env = parseEnv('-e TZ=UTC -p 8080:80 -h box');

function entering(state: EnvState, what: 'entry' | 'new' | 'flags', text: string): EnvState {
	const begun = beginEntry(state, what);
	return applyEntry({...begun, editing: {what, line: newLineEdit(text)}});
}

test('every entry is shown as it can be typed, and reads as the same', () => {
	const value = fc.string({maxLength: 10}).filter(text => !text.includes('\0'));
	const name = fc.stringMatching(/^[A-Za-z_]\w{0,8}$/);
	fc.assert(
		fc.property(name, value, (key, said) => {
			expect(readRow(writeRow([key, said]))).toEqual({entry: [key, said]});
		}),
	);
	expect(env.map(entry => readRow(writeRow(entry)))).toEqual(env.map(entry => ({entry})));
	expect(env.map(envEntryKind)).toEqual(['variable', 'port', 'host name']);
});

test('the flags at the foot say what the rows say, whatever was typed', () => {
	const text = fc.oneof(
		fc.string({maxLength: 12}),
		fc.constantFrom('A=1', 'A="b c"', '-p 1:2/udp', `Q='x" y'`),
	);
	const what = fc.constantFrom('entry', 'new', 'flags');
	fc.assert(
		fc.property(fc.array(fc.tuple(what, text), {maxLength: 8}), edits => {
			let state = openEnv(env);
			for (const [kind, typed] of edits) {
				const next = entering(state, kind, typed);
				state = {...next, editing: undefined};
				const flags = lineOfEnv(state.env);
				expect(flags).toHaveProperty('line');
				expect(parseEnv('line' in flags ? flags.line : '')).toEqual(state.env);
			}
		}),
	);
});

test('an entry is changed in its place, a new one comes last, and a name is there once', () => {
	const changed = entering(openEnv(env), 'entry', 'TZ=CET');
	expect(changed.env.map(writeRow)).toEqual(['TZ=CET', '-p 8080:80', '-h box']);
	expect(entering(changed, 'new', 'A=b=c').env.map(writeRow).at(-1)).toBe('A=b=c');
	expect(entering(changed, 'new', 'TZ=EET').env.filter(([key]) => key === 'TZ')).toEqual([
		['TZ', 'EET'],
	]);
});

test.each([
	['new', 'no sign', 'expected NAME=value, or a flag like -p 8080:80'],
	['new', '=x', 'expected NAME=value, or a flag like -p 8080:80'],
	['new', '-x y', 'expected NAME=value, or a flag like -p 8080:80'],
	[
		'entry',
		`TZ=it's "so it" is`,
		'no Docker flags can say this value: it has both kinds of quotes',
	],
	['new', `${'N'.repeat(257)}=x`, 'a name has at most 256 characters'],
] as const)('%s entry %s is refused, and goes on being typed', (what, text, problem) => {
	const refused = entering(openEnv(env), what, text);
	expect(refused.problem).toBe(problem);
	expect(refused.editing?.line.text).toBe(text);
	expect(refused.env).toBe(env);
});

test('as flags all of it is changed at once, and what is none is said to be left out', () => {
	const typed = entering(openEnv(env), 'flags', '-e A=1 -p 1:2');
	expect(typed.env).toEqual([
		['A', '1'],
		['-p 1:2', '1'],
	]);
	expect(typed.problem).toBeUndefined();
	const odd = entering(openEnv(env), 'flags', '-e A=1 --gpus all');
	expect(odd.env).toEqual([['A', '1']]);
	expect(odd.problem).toBe('what is no Docker flag was left out');
});

test('an entry can be removed, and all be as it was', () => {
	const removed = removeEntry(removeEntry(openEnv(env)));
	expect(removed.env.map(writeRow)).toEqual(['-h box']);
	expect(removeEntry(removed).env).toEqual([]);
	expect(restoreEnv(removed).env).toBe(env);
});
