import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {
	examination,
	gpuProof,
	machineTest,
	shortenShell,
	watchdog,
	watchdogModule,
	writeWatchdog,
} from '../build/programs.ts';
import {skipWithout} from './helpers/missing.ts';

const root = join(import.meta.dirname, '..');

test('the text of the watchdog is that of its file', () => {
	const path = join(root, watchdogModule);
	if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(path, writeWatchdog());
	expect(readFileSync(path, 'utf8'), 'it is stale: npm run docs').toBe(writeWatchdog());
});

test.skipIf(skipWithout('shellcheck') !== undefined)(
	'a checker of shell scripts finds no fault in the scripts that are sent into instances',
	() => {
		const words = ['--shell=sh', '--format=gcc', join(root, watchdog), join(root, examination)];
		expect(spawnSync('shellcheck', words, {encoding: 'utf8'}).stdout).toBe('');
	},
);

test.skipIf(skipWithout('python3') !== undefined).each([gpuProof, machineTest])(
	'the compiler of Python finds no fault in %s',
	file => {
		const words = [
			'-W',
			'error::SyntaxWarning',
			'-c',
			'import sys;compile(open(sys.argv[1]).read(), sys.argv[1], "exec")',
		];
		expect(spawnSync('python3', [...words, join(root, file)], {encoding: 'utf8'}).stderr).toBe('');
	},
);

test.each([
	['a && b || c\n', 'a&&b||c\n'],
	['# a comment\n\tif a; then\n\t\tb\n\tfi\n', 'if a;then\nb\nfi\n'],
	['echo "a  b\'s $( c  |  d )" > e 2>&1\n', 'echo "a  b\'s $(c|d)">e 2>&1\n'],
	["sed 's/ a | b /c/'  1 > e\n", "sed 's/ a | b /c/' 1 >e\n"],
	['a=$(( b + ( c * $( d | e ) ) ))\n', 'a=$((b+(c*$(d|e))))\n'],
	['(\n\ta\n\tb \\( c\n) &\n', '(a\nb \\( c)&\n'],
	['#   long_name=l  the name\nlong_name=$long_names$long_name\n', 'l=$long_names$l\n'],
])('%j is shortened to what means the same', (script, short) => {
	expect(shortenShell(script)).toBe(short);
});
