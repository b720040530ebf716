/** The built program where terminal, clock, files or network are not as they should be. */
import {spawn} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {openHome, rentty} from '../helpers/commands/home.ts';
import {serve} from '../helpers/commands/release.ts';

type Environment = Readonly<Record<string, string>>;

async function run(args: readonly string[], env: Environment) {
	const child = spawn(rentty, args, {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: {PATH: process.env['PATH'], ...env},
	});
	const code = new Promise<number | null>(done => child.on('close', done));
	const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
	return {code: await code, out, err};
}

test('a terminal that knows nothing gets the list as text, and so does a pipe', async () => {
	using home = openHome();
	await using dumb = home.open([], {env: {TERM: 'dumb'}});
	expect(await dumb.ends()).toBe(0);
	expect(dumb.raw()).toMatch(/^ +ID +GPU +VRAM/);
	expect(dumb.raw()).not.toContain('\u001B');
	const piped = await run([], home.env);
	expect(piped).toMatchObject({code: 0, err: ''});
	expect(piped.out).toMatch(/^ +ID +GPU +VRAM/);
	const [, ...rows] = piped.out.trim().split('\n');
	// The name of each GPU stands there whole.
	expect(rows.filter(row => !/^ *\d+  \d+[x×] [A-Z][\w ]+ \d+G /.test(row))).toEqual([]);
});

test('a terminal of 40 columns says what is needed, and is left by q', async () => {
	using home = openHome();
	await using terminal = home.open([], {columns: 40, rows: 10});
	await terminal.sees('rentty needs 48x14 (now 40x10).');
	terminal.type('q');
	expect(await terminal.ends()).toBe(0);
});

test('a terminal without UTF-8 is sent nothing but ASCII', async () => {
	using home = openHome();
	await using terminal = home.open([], {env: {LANG: 'C', LC_ALL: 'C'}});
	await terminal.sees(/1 of \d/);
	terminal.type('\r');
	await terminal.sees('WHAT YOU PAY');
	terminal.type('q');
	await terminal.sees('/ filter');
	terminal.type('q');
	expect(await terminal.ends()).toBe(0);
	// oxlint-disable-next-line no-control-regex -- escape sequences are ASCII as well
	expect(terminal.raw().match(/[^\u0000-\u007F]+/g)).toBe(null);
});

test('a clock in 1970 keeps nobody from renting and destroying', async () => {
	using home = openHome();
	const clock = join(home.folder, 'clock.mjs');
	writeFileSync(
		clock,
		`const RealDate = Date;
		const ahead = RealDate.now() - 5000;
		globalThis.Date = class extends RealDate {
			constructor(...given) { super(...(given.length > 0 ? given : [RealDate.now() - ahead])); }
			static now() { return RealDate.now() - ahead; }
		};`,
	);
	const env = {...home.env, NODE_OPTIONS: `--import=${clock}`};
	const rented = await run(['rent', '4090', '--image', 'ubuntu:24.04', '--yes'], env);
	expect(rented).toMatchObject({code: 0, out: '1\n'});
	expect(await run(['ps', '--json'], env)).toMatchObject({code: 0});
	expect(await run(['destroy', '1', '--yes'], env)).toEqual({code: 0, out: '1 gone\n', err: ''});
});

test('a page in the place of an answer is said to be one, and nothing is rented', async () => {
	using home = openHome();
	await using portal = await serve({page: '<html>Sign in to the network</html>'});
	const env = {...home.env, RENTTY_URL: portal.url, RENTTY_API_KEY: 'k'};
	const page =
		/^rentty: Could not .*: the answer is a page, as proxies and sign-in pages send it, and no JSON\..*\n$/;
	for (const words of [['offers'], ['ps'], ['rent', '4090', '--image', 'ubuntu', '--yes']]) {
		const refused = await run(words, env);
		expect(refused).toMatchObject({code: 1, out: ''});
		expect(refused.err).toMatch(page);
	}
	// A proxy that answers the request for a tunnel with a page lets nothing through.
	const tunnel = {...env, RENTTY_URL: 'https://service.invalid', https_proxy: portal.url};
	const refused = await run(['ps'], tunnel);
	expect(refused.code).toBe(1);
	expect(refused.err).toMatch(/^rentty: Could not .*proxy.*\n$/);
});

test('an address that is no service says so, and not that an instance is gone', async () => {
	using home = openHome();
	await using website = await serve({page: '<html>Not found</html>', status: 404});
	const env = {...home.env, RENTTY_URL: website.url, RENTTY_API_KEY: 'k'};
	for (const words of [['offers'], ['ps'], ['destroy', '7', '--yes']]) {
		const refused = await run(words, env);
		expect(refused).toMatchObject({code: 1, out: ''});
		expect(refused.err).toMatch(
			/^rentty: Could not .*: the service has no such call, so its address may be that of something else \(404\)\n$/,
		);
	}
});

test('profiles and settings that cannot be read are named in one sentence', async () => {
	using home = openHome();
	mkdirSync(join(home.config, 'profiles.json'), {recursive: true});
	expect(await run(['ps'], home.env)).toEqual({
		code: 1,
		out: '',
		err: `rentty: ${home.config}/profiles.json cannot be read (that is a folder).\n`,
	});
	const missing = await run(['ps', '--settings', '/nowhere.json'], home.env);
	expect(missing).toMatchObject({
		code: 2,
		err: 'rentty: /nowhere.json cannot be read (there is no such file).\n',
	});
	expect(await run(['market', '--data', '/proc/market.db'], home.env)).toMatchObject({
		code: 1,
		err: 'rentty: /proc/market.db cannot be opened: there is no such folder\n',
	});
});

test('a practice market that cannot be opened says how a new one is begun', async () => {
	using home = openHome();
	const file = join(home.env.XDG_DATA_HOME, 'rentty', 'practice', 'market.db');
	mkdirSync(join(file, '..'), {recursive: true});
	writeFileSync(file, 'no database');
	expect(await run(['ps'], home.env)).toEqual({
		code: 1,
		out: '',
		err: `rentty: ${file} is not a database. Where that cannot be mended, rentty practice reset begins anew.\n`,
	});
});

test('an ssh that does not start is wrong in the eyes of the doctor', async () => {
	using home = openHome();
	const bin = join(home.folder, 'bin');
	mkdirSync(bin);
	const says = '#!/bin/sh\necho No user exists for uid 4711 >&2\nexit 255\n';
	writeFileSync(join(bin, 'ssh'), says, {mode: 0o755});
	const env = {...home.env, PATH: `${bin}:${process.env['PATH']}`};
	const {code, out} = await run(['doctor'], env);
	expect(out).toContain('wrong ssh        ssh does not start: No user exists for uid 4711.\n');
	expect(code).toBe(1);
});
