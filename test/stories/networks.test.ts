import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {numberAt, parseJson, textAt} from '../../source/contract/grammar/json.ts';
import {openFolder} from '../helpers/folder.ts';
import {startHost} from '../helpers/host/host-process.ts';
import {noSandbox} from '../helpers/host/local-host.ts';
import {startMarketOf} from '../helpers/market/market-process.ts';
import {MARKET, noNetworks, openNetworks, type SlowLine} from '../helpers/host/networks.ts';
import {skipWithout} from '../helpers/missing.ts';
import {noOpenSsh, openSshUser} from '../helpers/host/open-ssh.ts';

const rentty = join(import.meta.dirname, '..', '..', 'bin', 'rentty');

const noPython = skipWithout('python3');

const words = (line: string) => line.split(' ');

/** A market with a relay, a machine at one home, and somebody at another who has a key. */
async function openHomes(slow?: SlowLine) {
	await using open = new AsyncDisposableStack();
	const folder = open.use(openFolder());
	const networks = open.use(openNetworks(folder.path, slow));
	const internet = networks.program('internet', rentty);
	const file = join(folder.path, 'market.db');
	const given = ['--host', MARKET, '--relay', MARKET, '--credit', '100'];
	let market = await startMarketOf(internet, file, ...given);
	open.defer(async () => market[Symbol.asyncDispose]());
	const {url} = market;
	const keyFile = join(folder.path, 'key');
	writeFileSync(keyFile, await market.key(), {mode: 0o600});
	const ofHost = {url, keyFile, folder: join(folder.path, 'host'), runtime: 'sandbox'} as const;
	const host = open.use(
		await startHost({...ofHost, program: networks.program('provider', rentty)}),
	);
	const user = open.use(openSshUser());
	const login = user.makeKey('mine');
	const [ip = '', ...where] = networks.words('renter');
	const at = async (program: string, ...args: readonly string[]) =>
		user.run(ip, [...where, program, ...args]);
	const all = open.move();
	return {
		networks,
		host,
		login,
		/** Runs a command of rentty at the renter's. */
		async rentty(line: string) {
			const {out, complaint, code} = await at(
				rentty,
				...words(line),
				'--url',
				url,
				'--key-file',
				keyFile,
			);
			if (code !== 0) throw new Error(`${line}: ${complaint}`);
			return out;
		},
		/** What a command in the instance says, by the address that the renter was told. */
		async says(port: number, command: string) {
			const patience = slow === undefined ? 5 : 60;
			const usual = [...user.options, '-o', `ConnectTimeout=${patience}`];
			const way = [...usual, '-i', login.file, '-p', String(port)];
			return (await at('ssh', ...way, `root@${MARKET}`, command)).out;
		},
		/** The same by `-J`, through the instance and from there to its address. */
		async saysThrough(port: number, command: string) {
			const settings = user.options.filter(word => /^[A-Z]\w+=/.test(word));
			const usual = [...settings, `IdentityFile=${login.file}`, 'User=root', `Port=${port}`];
			// OpenSSH takes two times the same name for a loop.
			const lines = ['Host *', ...usual, 'Host jump', `HostName=${MARKET}`];
			const config = join(folder.path, 'ssh_config');
			writeFileSync(config, lines.map(line => `${line.replace('=', ' ')}\n`).join(''));
			return (await at('ssh', '-F', config, '-J', 'jump', MARKET, command)).out;
		},
		async restartMarket() {
			await market.end('SIGKILL');
			market = await startMarketOf(internet, file, ...given, '--port', new URL(url).port);
		},
		[Symbol.asyncDispose]: async () => all[Symbol.asyncDispose](),
	};
}

test.skipIf((noNetworks ?? noOpenSsh ?? noSandbox) !== undefined)(
	'a machine behind a router is rented and entered from behind another, whatever becomes of the lines',
	{timeout: 180_000},
	async () => {
		await using homes = await openHomes();
		const {networks} = homes;
		await homes.rentty(`keys add ${homes.login.file}.pub --yes`);
		const [offer] = linesOf(await homes.rentty('offers any --json'));
		const order = `rent ${numberAt(offer, 'id')} --image ubuntu:24.04 --wait --yes --json`;
		const [rented] = linesOf(await homes.rentty(order));
		expect(textAt(rented, 'ssh', 'host')).toBe(MARKET);
		const port = numberAt(rented, 'ssh', 'port') ?? 0;
		/** When the first process of the instance began: it is not disturbed. */
		const begun = async () => homes.says(port, "cut -d ' ' -f 22 /proc/1/stat");
		const first = await begun();
		expect(first).toMatch(/^\d+\n$/);
		expect(await homes.saysThrough(port, 'echo by itself')).toBe('by itself\n');

		networks.moveProvider('45.10.0.9');
		await expect.poll(begun).toBe(first);

		networks.plug(false);
		expect(await begun()).toBe('');
		networks.plug(true);
		await expect.poll(begun).toBe(first);

		await homes.restartMarket();
		await expect.poll(begun).toBe(first);

		const number = numberAt(rented, 'id');
		await homes.rentty(`destroy ${number} --yes`);
		expect(await begun()).toBe('');
		expect(homes.host.said()).not.toMatch(/could not start/i);
	},
);

test.skipIf((noNetworks ?? noOpenSsh ?? noSandbox ?? noPython) !== undefined)(
	'a machine behind a slow line that loses packets is rented, entered, and served from',
	{timeout: 240_000},
	async () => {
		const line = {delayMs: 150, loss: 0.05, bitsPerSecond: 1_000_000, seed: 1};
		await using homes = await openHomes(line);
		await homes.rentty(`keys add ${homes.login.file}.pub --yes`);
		const [offer] = linesOf(await homes.rentty('offers any --json'));
		const order = `rent ${numberAt(offer, 'id')} --image ubuntu:24.04 --wait --yes --json`;
		const [rented] = linesOf(await homes.rentty(order));
		const port = numberAt(rented, 'ssh', 'port') ?? 0;
		const numbers = Array.from({length: 20_000}, (_, index) => `${index + 1}\n`);
		expect(await homes.says(port, 'seq 20000')).toBe(numbers.join(''));
		await homes.rentty(`destroy ${numberAt(rented, 'id')} --yes`);
		expect(homes.host.said()).not.toMatch(/could not start/i);
	},
);

function linesOf(out: string): readonly unknown[] {
	return out.trim().split('\n').map(parseJson);
}
