import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {moduleOf, programs, shortenShell} from '../build/programs.ts';
import {skipWithout} from './helpers/missing.ts';

const root = join(import.meta.dirname, '..');

test.each(programs)('the text of $module is that of $file', program => {
	const path = join(root, program.module);
	if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(path, moduleOf(program));
	expect(readFileSync(path, 'utf8'), 'it is stale: npm run docs').toBe(moduleOf(program));
});

const named = (ending: string) => programs.filter(({file}) => file.endsWith(ending));

test.skipIf(skipWithout('shellcheck') !== undefined).each(named('.sh'))(
	'a checker of shell scripts finds no fault in $file',
	({file}) => {
		const words = ['--shell=sh', '--format=gcc', join(root, file)];
		expect(spawnSync('shellcheck', words, {encoding: 'utf8'}).stdout).toBe('');
	},
);

test.skipIf(skipWithout('python3') !== undefined).each(named('.py'))(
	'Python reads $file',
	({file}) => {
		const words = ['-c', 'import ast,sys;ast.parse(open(sys.argv[1]).read())', join(root, file)];
		expect(spawnSync('python3', words, {encoding: 'utf8'}).stderr).toBe('');
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
