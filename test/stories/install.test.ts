import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openSigner} from '../../build/release/sign.ts';
import {openFolder} from '../helpers/folder.ts';
import {isSkipped, openUser, type Run} from '../helpers/commands/installer.ts';
import {makeRelease, programOf, serve} from '../helpers/commands/release.ts';

const placed = [
	'.config/fish/completions/rentty.fish',
	'.local/bin/rentty',
	'.local/share/bash-completion/completions/rentty',
	'.local/share/zsh/site-functions/_rentty',
];

test.skipIf(isSkipped)(
	'the installer puts one file and completions in place, and takes them away again',
	async () => {
		using user = openUser();
		await makeRelease(user.release, {version: '1.2.3'});
		const done = await user.install(['--from', user.release]);
		expect(done).toMatchObject({code: 0, err: ''});
		expect(done.out).toContain(`rentty 1.2.3 is in ${user.program}`);
		expect(done.out).toContain(`is not in your PATH`);
		const zsh = "fpath=('" + join(user.home, '.local/share/zsh/site-functions') + "' $fpath)";
		expect(done.out.includes(zsh)).toBe(spawnSync('zsh', ['--version']).error === undefined);
		expect(user.installed().toSorted()).toEqual(placed);
		expect(readFileSync(join(user.home, placed[3] ?? ''), 'utf8')).toBe('words for zsh\n');
		expect(spawnSync(user.program, ['--version']).stdout.toString()).toBe('rentty 1.2.3\n');
		mkdirSync(join(user.home, '.cache', 'rentty'), {recursive: true});
		writeFileSync(join(user.home, '.cache', 'rentty', 'made'), 'again');
		const removed = await user.install(['--remove']);
		expect(removed.out).toBe(
			'rentty is removed.\nWhat you made stays:\n/home/you/.config/rentty\n',
		);
		expect(user.installed()).toEqual([]);
		// Folders that were made for completions go with them.
		expect(
			['zsh', 'bash-completion', 'fish'].filter(name => user.folders().includes(name)),
		).toEqual([]);
	},
);

test.skipIf(isSkipped)('the line that the installer ends with removes all of it', async () => {
	using user = openUser();
	await makeRelease(user.release, {version: '1.2.3'});
	const {out} = await user.install(['--from', user.release]);
	spawnSync('sh', ['-c', out.trim().split('\n').at(-1) ?? '']);
	expect(user.installed()).toEqual([]);
});

test.skipIf(isSkipped)('a release is fetched through the proxy of the environment', async () => {
	using user = openUser();
	await makeRelease(user.release, {version: '1.2.3'});
	await using proxy = await serve({folder: user.release});
	const env = {http_proxy: proxy.url, no_proxy: ''};
	const done = await user.install(['--from', 'http://releases.invalid'], {env});
	expect(done).toMatchObject({code: 0, err: ''});
	expect(proxy.asked[0]).toBe('http://releases.invalid/SHA256SUMS');
});

test.skipIf(isSkipped)('OpenSSL checks the signature where there is no ssh-keygen', async () => {
	using user = openUser();
	await makeRelease(user.release, {version: '1.2.3'});
	const programs = {'ssh-keygen': 'exit 127'};
	expect(await user.install(['--from', user.release], {programs})).toMatchObject({code: 0});
	writeFileSync(join(user.release, 'SHA256SUMS.sig'), Buffer.alloc(64));
	const refused = await user.install(['--from', user.release], {programs});
	expect(refused.err).toContain('is not signed by the key of rentty');
	const none = {...programs, openssl: 'echo LibreSSL 3.3.6'};
	expect((await user.install(['--from', user.release], {programs: none})).err).toBe(
		'install.sh: The signature cannot be checked: ssh-keygen of OpenSSH 8, or OpenSSL 3, is needed for it.\n',
	);
});

test.skipIf(isSkipped)(
	'what another key has signed is not installed, nor what was changed',
	async () => {
		using user = openUser();
		using other = openFolder();
		const signer = openSigner(join(other.path, 'key.pem'));
		await makeRelease(user.release, {version: '1.2.3', signer});
		const forged = await user.install(['--from', user.release]);
		expect(forged).toMatchObject({code: 1, out: ''});
		expect(forged.err).toBe(
			`install.sh: ${user.release} is not signed by the key of rentty. Nothing was installed.\n`,
		);
		await makeRelease(user.release, {version: '1.2.3'});
		const [name = ''] = readdirSync(user.release).filter(file => file.endsWith('.gz'));
		writeFileSync(join(user.release, name), programOf('6.6.6'));
		const changed = await user.install(['--from', user.release]);
		expect(changed.err).toBe(
			`install.sh: ${name} is not what was signed. Nothing was installed.\n`,
		);
		expect(user.installed()).toEqual([]);
	},
);

test.skipIf(isSkipped)('why a release cannot be read is said in one sentence', async () => {
	using user = openUser();
	await makeRelease(user.release, {version: '1.2.3'});
	for (const [place, why] of [
		['/nowhere', 'cp: .*'],
		['http://127.0.0.1:1', 'curl: .*'],
	] as const) {
		const refused = await user.install(['--from', place]);
		expect(refused.err).toMatch(
			new RegExp(`^install.sh: SHA256SUMS cannot be read from ${place} \\(${why}\\)\\.\n$`),
		);
	}
});

test.skipIf(isSkipped)('a page that a proxy sends instead is said to be one', async () => {
	using user = openUser();
	await makeRelease(user.release, {version: '1.2.3'});
	await using portal = await serve({page: '<html>Sign in to the network</html>'});
	const refused = await user.install(['--from', portal.url]);
	expect(refused).toEqual({
		code: 1,
		out: '',
		err: `install.sh: ${portal.url} has no release of rentty: what came is another page, as proxies and sign-in pages send it.\n`,
	});
});

test.skipIf(isSkipped).each<[why: string, programs: Run['programs'], says: RegExp]>([
	[
		'ancient libc',
		{getconf: 'echo glibc 2.17'},
		/^install.sh: rentty needs glibc 2\.28 or newer, and this system has 2\.17\.\n$/,
	],
	[
		'musl',
		{ldd: 'echo musl libc; exit 1'},
		/needs glibc 2\.28 or newer, and this system has musl\.\n$/,
	],
	[
		'a missing library',
		{ldd: 'echo "libatomic.so.1 => not found"'},
		/^install.sh: rentty needs libatomic\.so\.1: apt-get install .*\n$/,
	],
	[
		'another machine',
		{uname: '[ "$1" = -s ] && echo Linux || echo riscv64'},
		/^install.sh: There is no rentty for riscv64: .*\n$/,
	],
	['another system', {uname: 'echo FreeBSD'}, /^install.sh: There is no rentty for FreeBSD: .*\n$/],
])('a system on which rentty cannot run is told why: %s', async (_why, programs = {}, says) => {
	using user = openUser();
	await makeRelease(user.release, {version: '1.2.3'});
	const refused = await user.install(['--from', user.release], {programs});
	expect(refused.err).toMatch(says);
	expect(refused.code).toBe(1);
	expect(user.installed()).toEqual([]);
});

test.skipIf(isSkipped)(
	'a program that does not start is not kept, and half a script does nothing',
	async () => {
		using user = openUser();
		await makeRelease(user.release, {version: '1.2.3', program: '#!/bin/sh\necho broken\n'});
		const refused = await user.install(['--from', user.release]);
		expect(refused.err).toBe('install.sh: rentty does not start here: broken\n');
		expect(user.installed()).toEqual([]);
		const script = readFileSync(join(user.release, 'install.sh'), 'utf8');
		const half = spawnSync('sh', ['-c', script.slice(0, script.lastIndexOf('main "$@"'))]);
		expect([half.status, half.stdout.toString()]).toEqual([0, '']);
	},
);
