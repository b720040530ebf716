import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, test} from 'vitest';
import {codeOf, errorOf, messageOf, statusOf} from '../../../source/contract/rules/thrown.ts';

test('an error of the system says its message and its code', async () => {
	const error: unknown = await stat('/nowhere/at/all').catch((thrown: unknown) => thrown);
	expect(messageOf(error)).toContain('no such file or directory');
	expect(codeOf(error)).toBe('ENOENT');
	expect(statusOf(error)).toBeUndefined();
	expect(errorOf(error)).toBe(error);
});

test('anything else that was thrown says what it is', () => {
	expect(messageOf('out of paper')).toBe('out of paper');
	expect(codeOf({code: 'ENOENT'})).toBeUndefined();
	expect(statusOf(undefined)).toBeUndefined();
	expect(errorOf(7)).toEqual(new Error('7', {cause: 7}));
});

test('the status of a refusal is a number, or not there', () => {
	expect(statusOf(Object.assign(new Error('no'), {status: 410}))).toBe(410);
	expect(statusOf(Object.assign(new Error('no'), {status: 'gone'}))).toBeUndefined();
});

/** Loads by an import of Node itself; answers why that failed. */
async function load(what: string): Promise<unknown> {
	return import(`data:text/javascript,import '${what}'`).catch(messageOf);
}

test('where an upgrade took away what is yet to be loaded, the message says what to do', async () => {
	const gone = pathToFileURL(join(import.meta.dirname, 'enforcers-CyqeNaf2.js')).href;
	expect(await load(gone)).toMatch(/replaced or removed .* quit, and start it again/);
	expect(await load('no-such-package')).toContain('no-such-package');
});
