import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test, vi} from 'vitest';
import {homeFolder} from '../../../source/renter/files/folders.ts';
import {keepSecret, proposeFile, wholePath} from '../../../source/renter/files/own-files.ts';

function openHome() {
	const path = mkdtempSync(join(tmpdir(), 'rentty-own-'));
	return {path, [Symbol.dispose]: () => rmSync(path, {recursive: true, force: true})};
}

test('a secret is kept in a file and a folder that their owner alone can read', async () => {
	using home = openHome();
	const file = await keepSecret(' ~/keys/a b ', 'secret', home.path);
	expect(file).toBe(join(home.path, 'keys', 'a b'));
	expect(readFileSync(file, 'utf8')).toBe('secret\n');
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(statSync(join(home.path, 'keys')).mode & 0o777).toBe(0o700);
});

test('a folder that is there already keeps who may read it', async () => {
	using home = openHome();
	mkdirSync(join(home.path, 'open'), {mode: 0o755});
	await keepSecret('~/open/key', 'secret', home.path);
	expect(statSync(join(home.path, 'open')).mode & 0o777).toBe(0o755);
});

test.each([
	['a file', '~/taken', 'there is something of that name already, and it is left as it is.'],
	['a link to nothing', '~/link', 'there is something of that name already'],
	['a folder', '~', 'there is something of that name already'],
	['a path through a file', '~/taken/key', 'a part of that path is a file and no folder.'],
	['a name that is too long', `~/${'x'.repeat(300)}`, 'the name is too long.'],
	['no name', '  ', 'It is not kept: a file needs a name.'],
])('%s is written to by no secret, and the sentence says why', async (_, name, sentence) => {
	using home = openHome();
	writeFileSync(join(home.path, 'taken'), 'mine');
	symlinkSync(join(home.path, 'nothing'), join(home.path, 'link'));
	const failed: unknown = await keepSecret(name, 'secret', home.path).catch(
		(error: unknown) => error,
	);
	expect(failed).toBeInstanceOf(Error);
	expect(String(failed)).toContain(sentence);
	expect(String(failed)).not.toContain('secret');
	expect(readFileSync(join(home.path, 'taken'), 'utf8')).toBe('mine');
	expect(readdirSync(home.path).toSorted()).toEqual(['link', 'taken']);
});

test('a file is proposed that is not there, whatever things are called', async () => {
	using home = openHome();
	const propose = () => proposeFile(['a/../service', 'instance', 812], home.path);
	expect(propose()).toBe('~/rentty-keys/a-..-service-instance-812');
	await keepSecret(propose(), 'secret', home.path);
	expect(propose()).toBe('~/rentty-keys/a-..-service-instance-812-2');
	expect(proposeFile(['..'], home.path)).toBe('~/rentty-keys/key');
});

test('a path means what a shell would make of it', () => {
	expect(wholePath('~/a', '/home/me')).toBe('/home/me/a');
	expect(wholePath('/b/c', '/home/me')).toBe('/b/c');
	expect(wholePath('~other/a', '/home/me')).toBe(join(process.cwd(), '~other/a'));
	expect(wholePath('d', '/home/me')).toBe(join(process.cwd(), 'd'));
});

test.each(['', 'here'])('HOME=%s is no place for files', home => {
	vi.stubEnv('HOME', home);
	try {
		expect(homeFolder()).toMatch(/^\//);
	} finally {
		vi.unstubAllEnvs();
	}
});
