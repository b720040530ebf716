import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {expect, test} from 'vitest';
import type {
	RunOutside,
	OutsideCommand,
	Ended,
} from '../../../source/console/services/outside-program.ts';
import {editOutside} from '../../../source/console/screens/edit-field.ts';

/** An editor that does something with the file, and ends. */
function editor(edit: (path: string) => void, ended: Ended = {kind: 'ended', code: 0}) {
	const commands: OutsideCommand[] = [];
	const aside: RunOutside = async command => {
		commands.push(command);
		edit(command.args.at(-1) ?? '');
		return ended;
	};
	return {aside, commands, path: () => commands[0]?.args.at(-1) ?? ''};
}

const given = {environment: {EDITOR: 'nano -w'}, text: 'cd /x', file: 'onstart.sh'};
const exists = (path: string) => statSync(path, {throwIfNoEntry: false}) !== undefined;

test('the text comes back as it was saved, without the line break that editors add', async () => {
	const {aside, commands} = editor(path => writeFileSync(path, 'cd /y\nls\n'));
	expect(await editOutside({...given, aside})).toEqual({text: 'cd /y\nls'});
	expect(commands[0]?.program).toBe('nano');
	expect(commands[0]?.args[0]).toBe('-w');
	expect(commands[0]?.args[1]).toMatch(/\/onstart\.sh$/);
	expect(await editOutside({...given, text: 'a\n', aside})).toEqual({text: 'cd /y\nls\n'});
});

test('nobody else can read the file, and nothing of it is left', async () => {
	const modes: number[] = [];
	const {aside, path} = editor(file => {
		expect(readFileSync(file, 'utf8')).toBe('cd /x');
		modes.push(statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777);
	});
	await editOutside({...given, aside});
	expect(modes).toEqual([0o600, 0o700]);
	expect(exists(path())).toBe(false);
	expect(exists(dirname(path()))).toBe(false);
});

test.each<[Ended, string]>([
	[{kind: 'ended', code: 1}, 'nano ended with 1'],
	[{kind: 'killed', signal: 'SIGTERM'}, 'nano was killed (SIGTERM)'],
	[
		{kind: 'notStarted', reason: 'there is no such program'},
		'nano was not started: there is no such program',
	],
])('an editor that fails changes nothing: %j', async (ended, problem) => {
	const {aside, path} = editor(file => writeFileSync(file, 'lost'), ended);
	expect(await editOutside({...given, aside})).toEqual({problem});
	expect(exists(dirname(path()))).toBe(false);
});

test.each<[Record<string, string>, string]>([
	[{VISUAL: 'emacs', EDITOR: 'nano'}, 'emacs'],
	[{VISUAL: '', EDITOR: 'nano'}, 'nano'],
	[{}, 'vi'],
])('with %j the editor is %s', async (environment, program) => {
	const {aside, commands} = editor(() => {});
	await editOutside({...given, aside, environment});
	expect(commands[0]?.program).toBe(program);
});
