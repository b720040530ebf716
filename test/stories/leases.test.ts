import {spawn} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {openClient} from '../../source/client/client.ts';
import {openSimulation} from '../../source/commands/practice/simulation.ts';
import {calmRates} from '../../source/host/simulated/script.ts';
import {openMarket} from '../helpers/market/postgres.ts';
import {endlessLease} from '../../source/renter/words/lease.ts';
import {composeOnstart, watchdogScript} from '../../source/renter/leases/watchdog.ts';
import {noProcesses} from '../helpers/host/local-host.ts';
import {noOpenSsh, openSshUser} from '../helpers/host/open-ssh.ts';
import {openOwnMachine} from '../helpers/host/own-machine.ts';
import {skipWithout} from '../helpers/missing.ts';

const rentty = join(import.meta.dirname, '..', '..', 'bin', 'rentty');
const now = () => Math.ceil(Date.now() / 1000);
const noCurl = skipWithout('curl');

/** A market with made-up machines that are entered by SSH, and a renter with the built program. */
async function openWorld({stuck = 0} = {}) {
	const user = openSshUser();
	mkdirSync(join(user.folder, '.ssh'));
	const {publicKey} = user.makeKey('.ssh/laptop');
	const market = await openMarket({file: ':memory:', offers: 60, rateScale: 0});
	const instances = join(user.folder, 'instances');
	const trouble = {...calmRates, stuck};
	const simulation = await openSimulation(market, {seed: 1, trouble, folder: instances});
	const key = await market.createKey('renter');
	const client = openClient({url: market.url, key, paceScale: 0});
	await client.sshKeys.create(publicKey);

	function start(...words: readonly string[]) {
		const env = {
			PATH: process.env['PATH'],
			HOME: user.folder,
			RENTTY_URL: market.url,
			RENTTY_API_KEY: key,
		};
		const child = spawn(rentty, words, {env, stdio: ['ignore', 'pipe', 'pipe']});
		const all = Promise.all([text(child.stdout), text(child.stderr)]);
		return {child, all};
	}

	return {
		client,
		instances,
		start,
		async rentty(...words: readonly string[]) {
			const {all} = start(...words);
			const [out, err] = await all;
			return {out, err};
		},
		async isGone(id: number): Promise<void> {
			const shown = async () => client.instances.show(id);
			await expect.poll(shown, {interval: 300}).toBeUndefined();
		},
		async [Symbol.asyncDispose]() {
			await client.close();
			await simulation.close();
			await market.close();
			user[Symbol.dispose]();
		},
	};
}

test('a rent for a moment ends by the market alone', async () => {
	await using world = await openWorld();
	const rent = ['rent', 'any', '--image', 'ubuntu:24.04', '--label', 'train', '--yes'];
	const {out, err} = await world.rentty(...rent, '--for', '5s');
	expect(err).not.toContain('lease');
	expect((await world.client.instances.list()).instances[0]?.label).toContain('train [lease1 e');
	await world.isGone(Number(out));
});

test('a lease is shown, put off and taken away', async () => {
	// An instance that never runs cannot be entered: its watchdog says nothing of any lease.
	await using world = await openWorld({stuck: 1});
	const order = ['rent', 'any', '--image', 'ubuntu:24.04', '--label', 'train'];
	const reviewed = await world.rentty(...order, '--for', '2h', '--before', 'sync');
	expect(reviewed.err).toContain(
		'the service ends it as well, but 20m later: it runs no command before',
	);
	const rent = [...order, '--yes'];
	const id = Number((await world.rentty(...rent, '--for', '2h', '--then', 'stop')).out);
	const shown = await world.rentty('lease', 'train');
	// The service tells its time in whole seconds.
	expect(shown.out).toMatch(/^\d+ train ends: for (2h|2h1s|1h59m\d+s) then stop\n/);
	expect(shown.out).toContain('guard     not confirmed, none is known on this machine');
	expect(shown.out).toContain('market    confirmed, heard now; it measures no idleness');
	const before = (await world.client.instances.show(id))?.lease?.ends_at ?? 0;
	await world.rentty('lease', 'train', '--extend', '1h');
	expect((await world.client.instances.show(id))?.lease?.ends_at).toBe(before + 3600);
	expect((await world.rentty('lease', 'train', '--none')).out).toMatch(
		/^\d+ train has no lease, and may still be ended by:\n {2}watchdog {2}not confirmed, nothing heard from inside; [^\n]*\n$/,
	);
	expect(await world.client.instances.show(id)).toMatchObject({label: 'train', lease: null});
	expect((await world.rentty('ps')).out).not.toContain('lease');
});

test.skipIf(noOpenSsh !== undefined).for([
	['pwd > saved', 'results saved', ['/'], []],
	[
		'echo again >> saved; false',
		'results not saved in two tries',
		['again', 'again'],
		['saving results failed, so it ends 1 s later'],
	],
] as const)(
	'a guard alone runs %j over SSH, and ends what is due with a line in the journal: %s',
	async ([command, says, saved, told]) => {
		await using world = await openWorld();
		const rent = ['rent', 'any', '--image', 'ubuntu:24.04', '--label', 'train', '--yes', '--wait'];
		const id = Number((await world.rentty(...rent)).out.split('\n')[0]);
		const before = ['--before', command, '--before-limit', '20s', '--grace', '1s'];
		await world.rentty('lease', String(id), '--for', '1s', '--then', 'stop', ...before);
		const {child, all} = world.start('guard', 'run', '--every', '2');
		const stopped = async () => (await world.client.instances.show(id))?.cur_state;
		await expect.poll(stopped, {interval: 300}).toBe('stopped');
		const status = (await world.rentty('guard', 'status')).out;
		expect(status).toMatch(/^A guard runs on .*\n.*heard \d+ s ago, on .*; 1 of 1 have an end/);
		child.kill();
		const [out] = await all;
		expect(out.match(/saving results failed.*/g) ?? []).toEqual(told);
		expect(out).toMatch(
			new RegExp(`train ended: stop, stopped \\(lease deadline: .*, ${says}\\)\n$`),
		);
		const lines = readFileSync(join(world.instances, String(id), 'home', 'saved'), 'utf8').trim();
		expect(lines.split('\n').map((line, at) => line.includes(saved[at] ?? '?'))).toEqual(
			saved.map(() => true),
		);
		const journal = await readJournal(world.instances);
		expect(journal).toContain('lease deadline: deadline');
		expect(journal).toContain('"outcome":"seen"');
	},
);

async function readJournal(instances: string): Promise<string> {
	return readFileSync(join(instances, '..', '.local', 'state', 'rentty', 'activity.jsonl'), 'utf8');
}

test.skipIf(noProcesses !== undefined || noCurl !== undefined)(
	'a watchdog alone saves results and stops its instance, whatever its user runs',
	async () => {
		await using world = await openOwnMachine();
		const watchdog = watchdogScript({
			lease: {...endlessLease, endsAt: now() + 3, action: 'stop'},
			url: world.market.url,
			now: now(),
			everySeconds: 1,
		});
		const composed = composeOnstart({watchdog: watchdog ?? '', onstart: 'wait; sleep 600'});
		const env = [['RENTTY_BEFORE', 'echo results > saved']] as const;
		const id = await world.rentOwn({onstart: composed?.onstart, env});
		const current = async () => (await world.client.instances.show(id))?.cur_state;
		await expect.poll(current, {interval: 300}).toBe('stopped');
		expect(readFileSync(join(world.own(id), 'home', 'saved'), 'utf8')).toBe('results\n');
	},
);

test.skipIf(noProcesses !== undefined || noCurl !== undefined)(
	'a watchdog alone leaves an instance whose GPUs work, and ends it when they idle',
	async () => {
		await using world = await openOwnMachine();
		// Other tests keep the rest of this machine busy.
		const ignores = ['cpu', 'disk', 'network'] as const;
		const watchdog = watchdogScript({
			lease: {...endlessLease, idleSeconds: 3, action: 'stop', ignores},
			url: world.market.url,
			now: now(),
			everySeconds: 1,
		});
		const smi = `mkdir bin; printf '#!/bin/sh\\ncat ../use\\n' >bin/nvidia-smi; chmod +x bin/nvidia-smi`;
		const onstart = `echo 97 >use; ${smi}; sleep 6; touch done; echo 0 >use; sleep 600`;
		const composed = composeOnstart({watchdog: watchdog ?? '', onstart});
		// As the watchdog sees it, from its own folder.
		const env = [['PATH', '../bin:/usr/local/bin:/usr/bin:/bin']] as const;
		const id = await world.rentOwn({onstart: composed?.onstart, env});
		const current = async () => (await world.client.instances.show(id))?.cur_state;
		await expect.poll(current, {interval: 300}).toBe('stopped');
		expect(existsSync(join(world.own(id), 'home', 'done'))).toBe(true);
	},
);
