import {spawn, spawnSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openClient} from '../../source/client/client.ts';
import type {Client} from '../../source/client/client.ts';
import {openSimulation} from '../../source/commands/simulation.ts';
import {calmRates} from '../../source/host/simulated/rates.ts';
import {openMarket} from '../../source/market/open.ts';
import {noOpenSsh, openSshUser} from '../helpers/open-ssh.ts';
import {openPty} from '../helpers/pty.ts';

const rentty = join(import.meta.dirname, '..', '..', 'bin', 'rentty');

/** A user with a key in an agent, and a market whose instances are real folders with a door for SSH. */
async function openWorld() {
	const user = openSshUser();
	const socket = join(user.folder, 'agent');
	const agent = spawn('ssh-agent', ['-D', '-a', socket], {stdio: 'ignore'});
	const market = await openMarket({file: ':memory:', offers: 30, rateScale: 0});
	const simulation = await openSimulation(market, {
		seed: 1,
		trouble: calmRates,
		folder: join(user.folder, 'instances'),
	});
	const key = await market.createKey('renter');
	const client = openClient({url: market.url, key});
	mkdirSync(join(user.folder, 'home'));
	const home = (name: string) => join(user.folder, 'home', name);
	return {
		client,
		home,
		/** What the market is called in the file of host keys. */
		service: new URL(market.url).host.replace(':', '-'),
		/** Puts a new key into the agent; its public half. */
		async makeKey() {
			const made = user.makeKey('laptop');
			const add = () =>
				spawnSync('ssh-add', ['-q', made.file], {env: {...process.env, SSH_AUTH_SOCK: socket}})
					.status;
			await expect.poll(add, {timeout: 10_000}).toBe(0);
			return made.publicKey;
		},
		rent: async () => rentAnother(client),
		open: () =>
			openPty(rentty, [], {
				env: {
					HOME: home(''),
					XDG_DATA_HOME: home('data'),
					XDG_CONFIG_HOME: home('config'),
					XDG_STATE_HOME: home('state'),
					XDG_CACHE_HOME: home('cache'),
					RENTTY_URL: market.url,
					RENTTY_API_KEY: key,
					SSH_AUTH_SOCK: socket,
					TMUX: '',
				},
			}),
		async [Symbol.asyncDispose]() {
			agent.kill();
			await client.close();
			await simulation.close();
			await market.close();
			user[Symbol.dispose]();
		},
	};
}

/** Rents something that is entered directly, and waits until it runs. */
async function rentAnother(client: Client): Promise<number> {
	const [offer] = await client.offers.search({
		filter: [{field: 'rentable', operator: 'eq', value: true}],
		order: [],
		limit: 1,
		pricing: 'on-demand',
	});
	const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
		image: 'ubuntu:24.04',
		label: 'train-a',
		launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
	});
	const status = async () => (await client.instances.show(id))?.actual_status;
	await expect.poll(status, {timeout: 40_000}).toBe('running');
	return id;
}

test.skipIf(noOpenSsh !== undefined)(
	'someone enters an instance with s, leaves it, and is back in the list as it was',
	{timeout: 90_000},
	async () => {
		await using world = await openWorld();
		await world.client.sshKeys.create(await world.makeKey());
		const id = await world.rent();
		await using terminal = world.open();
		await terminal.sees(/1 of [\d,]+/);
		terminal.type('2');
		// The port was tried by then, and what answers there is SSH.
		await terminal.sees(/train-a .*\* running .* ok/, 20_000);
		terminal.type('s');
		await terminal.sees('rentty steps aside for');
		await terminal.sees(/\$ ssh .* -- 127\.0\.0\.1/s);
		expect(terminal.isAlternate()).toBe(false);
		// Typed ahead, as people do: nothing else gets into it.
		terminal.type('echo "in-$CONTAINER_ID"; exit\r');
		await terminal.sees(`Back from ${id} train-a.`, 20_000);
		expect(terminal.isAlternate()).toBe(true);
		expect(terminal.raw()).toContain(`in-${id}`);
		await terminal.sees(/train-a .*\* running/);
		// The host's key is in a file of its own, by the instance and not by its port.
		const known = join(world.home('state'), 'rentty', 'known_hosts');
		const name = `rentty-${world.service}-${id}-direct`;
		expect(spawnSync('ssh-keygen', ['-F', name, '-f', known]).status).toBe(0);
		terminal.type('y');
		await terminal.sees(/ssh -p \d+ root@127\.0\.0\.1/);
	},
);

test.skipIf(noOpenSsh !== undefined)(
	'someone reads the logs of an instance, gives it a label, and finds in Activity what was done',
	{timeout: 90_000},
	async () => {
		await using world = await openWorld();
		await world.client.sshKeys.create(await world.makeKey());
		const id = await world.rent();
		await using terminal = world.open();
		await terminal.sees(/1 of [\d,]+/);
		terminal.type('2');
		await terminal.sees(/train-a .*\* running/, 20_000);
		terminal.type('l');
		await terminal.sees(/LOGS +follow on +\d+ lines? +read /, 20_000);
		terminal.type('/');
		await terminal.sees('search> _');
		terminal.type('no such words');
		await terminal.sees('search> no such words_');
		terminal.type('\r');
		await terminal.sees('No line of the logs has "no such words" in it.');
		terminal.type('e');
		await terminal.sees('label> train-a_');
		terminal.type('-2');
		await terminal.sees('label> train-a-2_');
		terminal.type('\r');
		await terminal.sees(`${id} is labelled "train-a-2".`);
		terminal.type('5');
		await terminal.sees(new RegExp(`label +${id} train-a-2 .* done`));
		terminal.type('\r');
		await terminal.sees(/asked for +instances\.change/);
	},
);

test.skipIf(noOpenSsh !== undefined)(
	'who has registered no SSH key is told so before SSH is run, and what to do',
	{timeout: 90_000},
	async () => {
		await using world = await openWorld();
		await world.rent();
		await using terminal = world.open();
		await terminal.sees(/1 of [\d,]+/);
		terminal.type('2');
		await terminal.sees(/train-a .*\* running/, 20_000);
		terminal.type('s');
		await terminal.sees('no SSH key is registered');
		expect(terminal.isAlternate()).toBe(true);
	},
);
