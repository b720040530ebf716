import {spawnSync} from 'node:child_process';
import {lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {isSkipped, openUser} from '../helpers/commands/installer.ts';
import {makeRelease} from '../helpers/commands/release.ts';
import {skipWithout} from '../helpers/missing.ts';
import {testSigner} from '../helpers/commands/single.ts';

const shells = ['dash', 'busybox sh', 'bash --posix'];

test.each(shells)('%s: an older release is installed with --older alone', async name => {
	const shell = name.split(' ');
	if (isSkipped || skipWithout(shell[0] ?? '') !== undefined) return;
	using user = openUser();
	await makeRelease(user.release, {version: '1.10.0'});
	const older = join(user.release, 'older');
	await makeRelease(older, {version: '1.9.9', date: '2026-06-01T00:00:00Z'});
	const refused = await user.install(['--from', older], {shell});
	expect(refused).toEqual({
		code: 1,
		out: '',
		err: `install.sh: ${older} has rentty 1.9.9 of 2026-06-01, and this script is of 1.10.0 of 2026-05-06: --older goes back. Nothing was installed.\n`,
	});
	expect(user.installed()).toEqual([]);
	const meant = await user.install(['--from', older, '--older'], {shell});
	expect(meant).toMatchObject({code: 0, err: ''});
	expect(meant.out).toContain(`rentty 1.9.9 is in ${user.program}`);
	await makeRelease(older, {version: '1.10.0', date: '2026-05-05T00:00:00Z'});
	expect((await user.install(['--from', older], {shell})).err).toContain('of 2026-05-05, and this');
});

test.skipIf(isSkipped)('a script of an older release leaves what is newer in place', async () => {
	using user = openUser();
	await makeRelease(user.release, {version: '1.10.0'});
	expect(await user.install(['--from', user.release])).toMatchObject({code: 0});
	await makeRelease(user.release, {version: '1.9.9'});
	const refused = await user.install(['--from', user.release]);
	expect(refused.err).toBe(
		`install.sh: ${user.release} has rentty 1.9.9 of 2026-05-06, and ${user.program} is 1.10.0: --older goes back. Nothing was installed.\n`,
	);
	expect(spawnSync(user.program, ['--version']).stdout.toString()).toBe('rentty 1.10.0\n');
});

test.skipIf(isSkipped)('what names no version and no date is no release', async () => {
	using user = openUser();
	await makeRelease(user.release, {version: '1.2.3'});
	const sums = readFileSync(join(user.release, 'SHA256SUMS'), 'utf8');
	const bare = Buffer.from(sums.split('\n').slice(1).join('\n'));
	writeFileSync(join(user.release, 'SHA256SUMS'), bare);
	writeFileSync(join(user.release, 'SHA256SUMS.sshsig'), testSigner().signForSsh(bare));
	const refused = await user.install(['--from', user.release]);
	expect(refused.err).toContain('has no release of rentty');
	expect(user.installed()).toEqual([]);
});

test.each(shells)(
	'%s: a link that somebody laid in a shared folder is not followed',
	async name => {
		const shell = name.split(' ');
		if (isSkipped || skipWithout(shell[0] ?? '') !== undefined) return;
		using user = openUser();
		await makeRelease(user.release, {version: '1.2.3'});
		const shared = join(user.home, 'shared');
		const victim = join(user.home, 'letters');
		mkdirSync(shared, {mode: 0o777});
		writeFileSync(victim, 'mine');
		const before = `ln -s '${victim}' '${shared}/.rentty.'$$`;
		const done = await user.install(['--from', user.release, '--to', shared], {shell, before});
		expect(done).toMatchObject({code: 0, err: ''});
		expect(readFileSync(victim, 'utf8')).toBe('mine');
		expect(lstatSync(join(shared, 'rentty')).isFile()).toBe(true);
		expect(readdirSync(shared).filter(file => !/^\.rentty\.\d+$/.test(file))).toEqual(['rentty']);
	},
);
