import {spawn} from 'node:child_process';
import {readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {copyFile} from 'node:fs/promises';
import {join} from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {openSigner} from '../../build/release/sign.ts';
import {compareVersions, isOlderThan} from '../../source/commands/upgrade/single.ts';
import {rentty} from '../helpers/commands/home.ts';
import {openFolder} from '../helpers/folder.ts';
import {makeRelease, serve} from '../helpers/commands/release.ts';
import {noSingle, singleFile} from '../helpers/commands/single.ts';

const isSkipped = noSingle !== undefined;
const PATIENCE = {timeout: 180_000};

async function run(
	program: string,
	args: readonly string[],
	env: Readonly<Record<string, string>>,
) {
	const child = spawn(program, args, {stdio: ['ignore', 'pipe', 'pipe'], env});
	const code = new Promise<number | null>(done => child.on('close', done));
	const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
	return {out, err, code: await code};
}

/** A user with the single executable in a folder of its own, and a place of releases. */
async function openUser() {
	const folder = openFolder();
	const release = join(folder.path, 'release');
	await makeRelease(release, {version: '9.9.9'});
	const program = join(folder.path, 'rentty');
	await copyFile(await singleFile(), program);
	return {
		release,
		upgrade: async (
			from: string,
			env: Readonly<Record<string, string>> = {},
			...more: string[]
		) => {
			const words = ['upgrade', '--yes', '--from', from, ...more];
			return run(program, words, {HOME: join(folder.path, 'home'), ...env});
		},
		folder: folder.path,
		program,
		version: async () => (await run(program, ['--version'], {HOME: folder.path})).out,
		/** What is beside the program. */
		beside: () => readdirSync(folder.path).filter(name => name.startsWith('rentty')),
		mode: () => statSync(program).mode & 0o777,
		[Symbol.dispose]: () => folder[Symbol.dispose](),
	};
}

test.skipIf(isSkipped)(
	'a newer release, fetched through a proxy, takes the place of the program',
	PATIENCE,
	async () => {
		using user = await openUser();
		await using proxy = await serve({folder: user.release});
		const done = await user.upgrade('http://releases.invalid', {http_proxy: proxy.url});
		expect(done).toEqual({code: 0, out: 'rentty 9.9.9\n', err: ''});
		expect(proxy.asked[0]).toBe('http://releases.invalid/SHA256SUMS');
		expect(await user.version()).toBe('rentty 9.9.9\n');
		expect([user.beside(), user.mode()]).toEqual([['rentty'], 0o755]);
	},
);

test.skipIf(isSkipped)(
	'a newer release may be run by whoever could run the one before, whatever the umask is',
	PATIENCE,
	async () => {
		using user = await openUser();
		const upgrade = ['upgrade', '--yes', '--from', user.release];
		const words = ['-c', 'umask 077 && exec "$0" "$@"', user.program, ...upgrade];
		const done = await run('/bin/sh', words, {HOME: join(user.folder, 'home')});
		expect(done).toEqual({code: 0, out: 'rentty 9.9.9\n', err: ''});
		expect(user.mode()).toBe(0o755);
	},
);

test.skipIf(isSkipped)(
	'a release that does not start, at once or in place, is undone',
	PATIENCE,
	async () => {
		using user = await openUser();
		const before = await user.version();
		const broken = '#!/bin/sh\necho broken\nexit 1\n';
		await makeRelease(user.release, {version: '9.9.9', program: broken});
		const refused = await user.upgrade(user.release);
		expect(refused.err).toMatch(
			/^rentty: The new rentty does not start here \(.*\), so the old one stays\.\n$/,
		);
		expect(refused.code).toBe(1);
		const elsewhere = "#!/bin/sh\ncase $0 in *.new) echo 'rentty 9.9.9' ;; *) exit 1 ;; esac\n";
		await makeRelease(user.release, {version: '9.9.9', program: elsewhere});
		expect(await user.upgrade(user.release)).toMatchObject({code: 1, out: ''});
		expect(await user.version()).toBe(before);
		expect(user.beside()).toEqual(['rentty']);
	},
);

test.skipIf(isSkipped)(
	'what is not signed, not newer or no release is refused',
	PATIENCE,
	async () => {
		using user = await openUser();
		using other = openFolder();
		const signer = openSigner(join(other.path, 'key.pem'));
		await makeRelease(user.release, {version: '9.9.9', signer});
		expect((await user.upgrade(user.release)).err).toBe(
			`rentty: ${user.release} is not signed by the key that this rentty came with. Nothing was changed.\n`,
		);
		await makeRelease(user.release, {version: '0.0.9'});
		const older = await user.upgrade(user.release);
		expect(older.code).toBe(0);
		expect(older.err).toMatch(
			/^rentty: \d+\.\d+\.\d+ is the newest: .* has 0\.0\.9 of 2026-05-06, and --older goes back to it\.\n$/,
		);
		await using portal = await serve({page: '<html>Sign in</html>'});
		expect(await user.upgrade(portal.url)).toMatchObject({
			code: 1,
			err: `rentty: ${portal.url} has no release of rentty: what came is another page, as proxies and sign-in pages send it.\n`,
		});
		expect((await user.upgrade('/nowhere')).err).toBe(
			'rentty: /nowhere/SHA256SUMS cannot be read (there is no such file).\n',
		);
		expect(
			(await run(join(user.release, '..', 'rentty'), ['upgrade'], {HOME: other.path})).err,
		).toBe('rentty: This rentty knows no place of releases: --from names one.\n');
	},
);

test.skipIf(isSkipped)(
	'an older release takes its place with --older alone, and no link beside it is followed',
	PATIENCE,
	async () => {
		using user = await openUser();
		const before = await user.version();
		await makeRelease(user.release, {version: '0.0.9'});
		expect(await user.upgrade(user.release)).toMatchObject({code: 0, out: ''});
		expect(await user.version()).toBe(before);
		const victim = join(user.folder, 'letters');
		writeFileSync(victim, 'mine');
		for (const name of ['rentty.new', 'rentty.before']) {
			symlinkSync(victim, join(user.folder, name));
		}
		const meant = await user.upgrade(user.release, {}, '--older');
		expect(meant).toEqual({code: 0, out: 'rentty 0.0.9\n', err: ''});
		expect(readFileSync(victim, 'utf8')).toBe('mine');
		expect(user.beside()).toEqual(['rentty']);
	},
);

test.each([
	['1.2.3', '2026-05-06', '1.2.4', '2026-05-06', true],
	['1.9.9', '2026-05-07', '1.10.0', '2026-05-06', true],
	['1.2.3', '2026-05-05', '1.2.3', '2026-05-06', true],
	['1.2.4', '2026-05-05', '1.2.3', '2026-05-06', true],
	['1.2.3', '2026-05-06', '1.2.3', '2026-05-06', false],
	['1.2.4', '2026-05-07', '1.2.3', '2026-05-06', false],
	['1.2.4', '2026-05-07', '1.2.3', undefined, false],
])('%s of %s against %s of %s is older: %s', (version, date, own, ownDate, isOlder) => {
	expect(isOlderThan({version, date}, {version: own, date: ownDate})).toBe(isOlder);
});

test('a checkout says which command makes it newer', async () => {
	using folder = openFolder();
	const refused = await run(rentty, ['upgrade'], {
		HOME: folder.path,
		PATH: process.env['PATH'] ?? '',
	});
	expect(refused).toEqual({
		code: 1,
		out: '',
		err: 'rentty: This rentty is a checkout: git pull && npm install && npm run build makes it newer.\n',
	});
});

test('versions are compared by their numbers', () => {
	expect(compareVersions('0.10.0', '0.9.9')).toBeGreaterThan(0);
	expect(compareVersions('0.1.0', '0.1.0')).toBe(0);
	expect(compareVersions('1.2.3', '1.2.4')).toBeLessThan(0);
});
