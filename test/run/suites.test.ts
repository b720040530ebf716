import {existsSync, globSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

import {apart, measured, onBothDatabases, onlyInRest, patternsOf} from './suites.ts';
import {timedFiles} from './times.ts';

const root = join(import.meta.dirname, '..', '..');

/** Braces in patterns, each written out: a name among others could match nothing. */
function writtenOut(pattern: string): readonly string[] {
	const [, before, names, after] = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
	if (before === undefined) return [pattern];
	return (names ?? '').split(',').flatMap(name => writtenOut(`${before}${name}${after}`));
}

test('every name in the lists of tests is that of a file', () => {
	const names = [...onlyInRest, ...measured, ...apart, ...onBothDatabases].flatMap(writtenOut);
	expect(names.length).toBeGreaterThan(40);
	const lost = names.filter(name => globSync(patternsOf([name]), {cwd: root}).length === 0);
	expect(lost).toEqual([]);
});

test('every kept time is that of a file', () => {
	expect(timedFiles.filter(name => !existsSync(join(root, 'test', name)))).toEqual([]);
});
