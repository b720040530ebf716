/** File transfer reaches what an instance sees, and never anything else, whatever is swapped meanwhile. */
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {describe, expect, test} from 'vitest';
import {isSandboxed, openInstance, insides} from '../helpers/host/ssh-server.ts';
import {openSftp} from '../helpers/host/sftp-client.ts';

const TRIES = 25;
const AT_ONCE = 10;

/** Has a folder and a link take each other's place for as long as it runs. */
const SWAPPING = `
const {renameSync} = require('node:fs');
process.chdir(process.argv[1]);
console.log('begun');
process.stdin.on('end', () => process.exit()).resume();
const swap = () => {
	renameSync('dir', 'kept'); renameSync('trap', 'dir');
	renameSync('dir', 'trap'); renameSync('kept', 'dir');
	setTimeout(swap, 0);
};
swap();`;

async function startSwapping(home: string) {
	const child = spawn(process.execPath, ['-e', SWAPPING, home], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	await once(child.stdout, 'data');
	return {
		async end() {
			child.stdin.end();
			await once(child, 'exit');
		},
	};
}

describe.each(insides)('files of %s', (_name, makeInside) => {
	test(
		'a folder that becomes a link while it is opened leads nowhere else',
		{timeout: 120_000},
		async () => {
			await using instance = await openInstance(makeInside);
			const outside = join(instance.user.folder, 'outside');
			for (const folder of [outside, join(instance.home, 'dir')]) {
				mkdirSync(folder);
				writeFileSync(join(folder, 'file'), folder === outside ? 'not yours' : 'yours');
				writeFileSync(join(folder, 'other'), 'here');
			}
			symlinkSync(outside, join(instance.home, 'trap'));
			const before = [readdirSync(outside), statSync(join(outside, 'other')).mode];
			using sftp = await openSftp(instance.sshServer.port, instance.key);
			const swapping = await startSwapping(instance.home);
			const read = new Set<string | undefined>();
			for (let count = 0; count < TRIES; count++) {
				const reads = Array.from({length: AT_ONCE}, async () => sftp.read('dir/file'));
				for (const text of await Promise.all(reads)) read.add(text);
				await Promise.all([
					sftp.write('dir/written', 'x'),
					sftp.chmod('dir/other', 0o600 + (count % 8)),
					sftp.truncate('dir/other'),
					sftp.rename('dir/written', 'dir/renamed'),
					sftp.makeFolder(`dir/made${count}`),
					sftp.link('x', `dir/link${count}`),
					sftp.remove('dir/renamed'),
				]);
			}
			await swapping.end();
			expect([...read].filter(text => text !== undefined)).toEqual(['yours']);
			expect([readdirSync(outside), statSync(join(outside, 'other')).mode]).toEqual(before);
			expect(readFileSync(join(outside, 'other'), 'utf8')).toBe('here');
		},
	);

	test('links are followed as they are inside, and circles end', async () => {
		await using instance = await openInstance(makeInside);
		using sftp = await openSftp(instance.sshServer.port, instance.key);
		await sftp.makeFolder('deep');
		await sftp.write('deep/file', 'found');
		await sftp.link('deep', 'way');
		await sftp.link('../way/file', 'deep/round');
		await sftp.link('circle', 'circle');
		await sftp.link('deep/new', 'dangling');
		expect([await sftp.read('deep/round'), await sftp.read('circle')]).toEqual([
			'found',
			undefined,
		]);
		expect(await sftp.write('dangling', 'made')).toBe(true);
		expect(await sftp.read('way/new')).toBe('made');
		expect(await sftp.read(`${'deep/../'.repeat(1000)}deep/file`)).toBe(undefined);
		expect(await sftp.read(`${'deep/../'.repeat(100)}deep/file`)).toBe('found');
	});
});

describe.each(insides)('what is opened of %s', (_name, makeInside) => {
	test('what is no file is not opened, and no file gets the rights of others', async () => {
		await using instance = await openInstance(makeInside);
		spawnSync('mkfifo', [join(instance.home, 'pipe')]);
		using sftp = await openSftp(instance.sshServer.port, instance.key);
		expect([await sftp.read('pipe'), await sftp.write('pipe', 'x')]).toEqual([undefined, false]);
		await sftp.write('program', 'x');
		await sftp.chmod('program', 0o6755);
		expect(statSync(join(instance.home, 'program')).mode & 0o7777).toBe(0o755);
	});
});

test.skipIf(!isSandboxed)('what a sandbox has of its machine is read and not changed', async () => {
	const makeInside = insides.at(-1)?.[1];
	if (makeInside === undefined) throw new Error('there is a sandbox');
	await using instance = await openInstance(makeInside);
	using sftp = await openSftp(instance.sshServer.port, instance.key);
	expect(await sftp.list('/usr')).toContain('bin');
	expect(await sftp.read('/usr/lib/os-release')).toContain('NAME=');
	const own = '/usr/share/rentty-not-there';
	expect([await sftp.write(own, 'x'), await sftp.makeFolder(own)]).toEqual([false, false]);
	expect([await sftp.read('/etc/passwd'), await sftp.read('/proc/version')]).toEqual([
		undefined,
		undefined,
	]);
});
