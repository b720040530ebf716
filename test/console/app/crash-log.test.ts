import {mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {logCrash} from '../../../source/console/app/crash-log.ts';

test('a crash is one sentence with the place of its log, which only its user can read', () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-'));
	try {
		const sentence = logCrash(join(folder, 'state'), new Error('no yoga\nat all'), undefined);
		const file = join(folder, 'state', 'crash.log');
		expect(sentence).toBe(`rentty stopped because of an error: no yoga. Details are in ${file}.`);
		expect(readFileSync(file, 'utf8')).toContain('Error: no yoga');
		expect(statSync(file).mode & 0o777).toBe(0o600);
	} finally {
		rmSync(folder, {recursive: true});
	}
});

test('a secret in an error is neither said nor logged', () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-'));
	try {
		const error = new Error('bad header Bearer abcdef123456', {cause: {key: 'abcdef123456'}});
		const sentence = logCrash(folder, error, 'abcdef123456');
		const log = readFileSync(join(folder, 'crash.log'), 'utf8');
		expect(sentence).toContain('Bearer ..3456');
		expect(sentence + log).not.toContain('abcdef');
	} finally {
		rmSync(folder, {recursive: true});
	}
});

test('a log that cannot be written does not hide the error', () => {
	expect(logCrash('/dev/null/nowhere', new Error('no yoga'), undefined)).toContain('no yoga');
});
