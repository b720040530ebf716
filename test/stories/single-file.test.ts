import {execFile, spawn} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {copyFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {openHome} from '../helpers/commands/home.ts';
import {startHost} from '../helpers/host/host-process.ts';
import {noProcesses, noSandbox} from '../helpers/host/local-host.ts';
import {openFolder} from '../helpers/folder.ts';
import {clientOf, startMarketOf} from '../helpers/market/market-process.ts';
import {noOpenSsh, openSshUser} from '../helpers/host/open-ssh.ts';
import {noSingle, singleFile} from '../helpers/commands/single.ts';

const run = promisify(execFile);
const PATIENCE = {timeout: 180_000};
const isSkipped = noSingle !== undefined;

test.skipIf(isSkipped)(
	'the single executable says all of itself, without Node, npm or anything of the environment',
	PATIENCE,
	async () => {
		const program = await singleFile();
		using home = openHome();
		const ask = async (...args: readonly string[]) => {
			const env = {...home.env, NODE_OPTIONS: '--no-such-option', NODE_PATH: '/nowhere'};
			return (await run(program, args, {cwd: '/', env})).stdout;
		};
		expect(await ask('--version')).toMatch(/^rentty \d+\.\d+\.\d+\n$/);
		expect(await ask('man')).toMatch(/^NAME\n +rentty/);
		const licences = await ask('man', 'licences');
		for (const name of ['Node.js', 'ink', 'undici', 'ssh2']) {
			expect(licences).toMatch(new RegExp(`^${name}\\b`, 'm'));
		}
		expect(await ask('completions', 'zsh')).toMatch(/^#compdef rentty/);
		const offers = await ask('offers', '4090', '--limit', '3', '--json');
		expect(offers.trim().split('\n')).toHaveLength(3);
	},
);

test.skipIf(isSkipped)(
	'the single executable opens its console on a practice market',
	PATIENCE,
	async () => {
		const program = await singleFile();
		using home = openHome();
		await using terminal = home.open([], {program});
		await terminal.sees('practice market');
		await terminal.sees(/1 of \d/);
		terminal.type('q');
		expect(await terminal.ends()).toBe(0);
	},
);

test.skipIf(isSkipped || noOpenSsh !== undefined || noProcesses !== undefined)(
	'market and host of the single executable rent a machine that is entered in a terminal',
	PATIENCE,
	async () => {
		const program = await singleFile();
		using folder = openFolder();
		using user = openSshUser();
		await using market = await startMarketOf(program, join(folder.path, 'market.db'));
		const keyFile = join(folder.path, 'key');
		const key = await market.key();
		writeFileSync(keyFile, key);
		const hosting = {url: market.url, keyFile, folder: join(folder.path, 'host')};
		await using host = await startHost({...hosting, program, runtime: 'process'});
		expect(host.said()).toMatch(/offers machine/);
		await using client = clientOf(market.url, key);
		const laptop = user.makeKey('laptop');
		await client.sshKeys.create(laptop.publicKey);
		const [offer] = (await client.offers.search({limit: 1})).offers;
		const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
			image: 'ubuntu:24.04',
			launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
		});
		const show = async () => client.instances.show(id);
		await expect.poll(async () => (await show())?.actual_status).toBe('running');
		const port = Number((await show())?.ports?.['22/tcp']?.[0]?.HostPort);
		const where = ['-i', laptop.file, '-p', String(port), 'root@127.0.0.1'];
		const entered = await user.run('ssh', ['-tt', ...user.options, ...where, 'tty; echo $TERM']);
		expect(entered.out).toMatch(/^\/dev\/pts\/\d+\r\n/);
		await client.instances.destroy(id);
	},
);

test.skipIf(isSkipped || noSandbox !== undefined)(
	'the single executable works where nothing can be written and the user has no home',
	PATIENCE,
	async () => {
		const program = await singleFile();
		using folder = openFolder();
		await copyFile(program, join(folder.path, 'rentty'));
		const walls =
			'--ro-bind / / --proc /proc --dev /dev --tmpfs /tmp --unshare-user --uid 4711 ' +
			`--ro-bind ${folder.path} /tmp/program --clearenv --setenv PATH /usr/bin:/bin`;
		const inside = async (args: readonly string[], more: readonly string[] = []) => {
			const words = [...walls.split(' '), ...more, '/tmp/program/rentty', ...args];
			const child = spawn('bwrap', words, {stdio: ['ignore', 'pipe', 'pipe']});
			const said = {out: '', err: ''};
			child.stdout.on('data', text => (said.out += String(text)));
			child.stderr.on('data', text => (said.err += String(text)));
			const code = await new Promise<number | null>(done => child.on('close', done));
			return {...said, code};
		};
		const found = await inside(['offers', '4090', '--limit', '2', '--json']);
		expect(found.code).toBe(0);
		expect(found.out.trim().split('\n')).toHaveLength(2);
		expect(
			found.err.match(/forgotten when this ends: .* \(nothing can be written there\)/g),
		).toHaveLength(1);
		const nowhere = ['--remount-ro', '/tmp', '--remount-ro', '/dev'];
		const refused = await inside(['offers', '4090'], nowhere);
		expect(refused.err).toMatch(/^rentty: The practice market has nowhere to be: .*\n$/);
		expect(refused.code).toBe(1);
	},
);

test.skipIf(isSkipped)(
	'the single executable loads no code that lies about',
	PATIENCE,
	async () => {
		const program = await singleFile();
		using home = openHome();
		const planted = join(home.folder, 'node_modules', 'cpu-features');
		await run('mkdir', ['-p', planted]);
		writeFileSync(join(planted, 'index.js'), "console.log('planted')");
		const copy = join(home.folder, 'rentty');
		await copyFile(program, copy);
		const {stdout} = await run(copy, ['market', '--help'], {cwd: home.folder, env: home.env});
		expect(stdout).not.toContain('planted');
		const relay = spawn(copy, ['--part=network-relay', join(home.folder, 'socket'), '127.0.0.1']);
		const [said] = await new Promise<readonly unknown[]>(done =>
			relay.stdout.once('data', (...data) => done(data)),
		);
		relay.kill();
		expect(String(said)).toBe('ready\n');
	},
);
