import {spawnSync} from 'node:child_process';
import {chmodSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {cronLine, unitText} from '../../../source/commands/guard/install.ts';
import {foldersOf} from '../../../source/renter/files/folders.ts';
import {commandsOf, jsonOf} from '../../helpers/commands/commands.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openRecordedService} from '../../helpers/services/recorded-services.ts';
import {openRentable} from '../../helpers/market/rentable.ts';
import {openTestClient} from '../../helpers/services/told-service.ts';
import {skipWithout} from '../../helpers/missing.ts';

const noAnalyze = skipWithout('systemd-analyze');

test.skipIf(noAnalyze !== undefined)('systemd finds no fault with the unit of the guard', () => {
	using folder = openFolder();
	const program = join(folder.path, 'a $HOME %h "b" \\ c');
	writeFileSync(program, '#!/bin/sh\n');
	chmodSync(program, 0o755);
	const file = join(folder.path, 'rentty-guard.service');
	const folders = foldersOf({XDG_CONFIG_HOME: '/c o', XDG_STATE_HOME: '/s'});
	writeFileSync(file, unitText([program, 'guard', 'run', '--profiles', 'a,b'], folders));
	const {stderr, status} = spawnSync('systemd-analyze', ['--user', 'verify', file], {
		encoding: 'utf8',
		env: {...process.env, XDG_RUNTIME_DIR: folder.path},
	});
	expect({about: stderr.split('\n').filter(line => line.includes('rentty-guard')), status}).toEqual(
		{
			about: [],
			status: 0,
		},
	);
});

test('a line of cron runs the guard once, whatever its path is', () => {
	const folders = foldersOf({XDG_CONFIG_HOME: '/c o', XDG_STATE_HOME: '/s'});
	const line = cronLine(["/home/o'neil/100%/rentty", 'guard', 'run', '--profiles', 'lab'], folders);
	expect(line).toBe(
		String.raw`*/5 * * * * env 'XDG_CONFIG_HOME=/c o' 'XDG_STATE_HOME=/s' '/home/o'\''neil/100\%/rentty' 'guard' 'run' '--profiles' 'lab' --alone >/dev/null 2>&1`,
	);
});

test('the guard of a folder is not there before it runs, and takes known words alone', async () => {
	await using market = await openRentable();
	const run = commandsOf(market);
	const status = await run('guard', 'status');
	expect([status.code, status.out.slice(0, 14)]).toEqual([4, 'No guard runs:']);
	expect(jsonOf(await run('guard', 'status', '--json'))).toEqual([{runs: false}]);
	expect((await run('guard')).code).toBe(2);
	expect((await run('guard', 'run', '--every', '90')).code).toBe(2);
	expect((await commandsOf(market, {isReadOnly: true})('guard', 'run')).code).toBe(3);
	expect((await run('alerts')).code).toBe(2);
	expect((await run('alerts', 'test')).code).toBe(4);
});

test('the lease of the settings is for all that is rented, unless another or none is wanted', async () => {
	await using market = await openRentable();
	const run = commandsOf(market, {settings: {lease: 'for 6h then stop'}});
	const labelAfter = async (...words: readonly string[]) => {
		const {out} = await run('rent', 'any', '--image', 'x', '--yes', ...words);
		const {body} = await market.call(`/api/v0/instances/${out.trim()}/`);
		await market.call(`/api/v0/instances/${out.trim()}/`, {method: 'DELETE'});
		return JSON.stringify(body);
	};
	expect(await labelAfter()).toMatch(/"label":"\[lease1 e\d+ ts\]"/);
	expect(await labelAfter('--idle', '30m')).toMatch(/"label":"\[lease1 i1800 td\]"/);
	const done = await labelAfter('--for', '1h', '--when-done');
	expect(done).toMatch(/"label":"\[when1 done\] \[lease1 e\d+ td\]"/);
	expect((await run('rent', 'any', '--image', 'x', '--yes', '--when-done')).err).toContain(
		'--when-done needs an end: --for, --idle or --budget.',
	);
	expect(await labelAfter('--no-end')).toContain('"label":null');
	const wrong = commandsOf(market, {settings: {lease: 'for ever'}});
	expect((await wrong('rent', 'any', '--image', 'x', '--yes')).code).toBe(2);
});

test('the lease that a template carries counts before the one of the settings', async () => {
	await using market = await openRentable();
	const content = {name: 'own', image: 'x', recommended_disk_space: 10};
	const added = await market.call('/api/v0/template/', {
		method: 'POST',
		body: JSON.stringify(content),
	});
	const {hash_id: hash} = z
		.looseObject({template: z.looseObject({hash_id: z.string()})})
		.parse(added.body).template;
	const leases = {lease: 'for 6h then stop', templateLeases: {[hash]: 'idle 30m'}};
	const rent = async (settings: typeof leases) =>
		commandsOf(market, {settings})('rent', 'any', '--template', hash, '--yes');
	const wrong = await rent({...leases, templateLeases: {[hash]: 'for ever'}});
	expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('setting templateLeases')]);
	const {out} = await rent(leases);
	const {body} = await market.call(`/api/v0/instances/${out.trim()}/`);
	expect(JSON.stringify(body)).toMatch(/"label":"\[lease1 i1800 t/);
});

test('options of a lease are read, or refused before anything is rented', async () => {
	await using market = await openRentable();
	const run = commandsOf(market);
	const rent = ['any', '--image', 'x', '--yes'] as const;
	for (const wrong of [
		['--for', 'ever'],
		['--budget', 'x'],
		['--then', 'sell'],
		['--grace', '1m'],
		['--before', 'true'],
	]) {
		expect((await run('rent', ...rent, ...wrong)).code).toBe(2);
	}
	const {body} = await market.call('/api/v0/instances/');
	expect(body).toMatchObject({instances: []});
});

test('a rent that asks nothing says that the service ends it later where a command runs before', async () => {
	await using market = await openRentable();
	const run = commandsOf(market);
	const rent = ['any', '--image', 'ubuntu:24.04', '--yes', '--for', '1h'] as const;
	const later = 'A market that ends it by itself runs no command: it does so 20m later.';
	expect((await run('rent', ...rent, '--before', 'true')).err).toContain(later);
	expect((await run('rent', ...rent)).err).not.toContain('later');
});

test('work that a lease waits for is set, said by those who see it, changed and let go of', async () => {
	await using market = await openRentable();
	const run = commandsOf(market);
	const rent = ['rent', 'any', '--image', 'x', '--label', 'train', '--yes'] as const;
	const id = (await run(...rent, '--for', '1h', '--when-done')).out.trim();
	const {out} = await run('lease', id, '--when', 'line=All done');
	expect(out).toMatch(/train ends: for (1h|59m\S*) when line="All done" then destroy/);
	const blind = /(watchdog|market) .* and it does not see when it is done$/gm;
	expect(out.match(blind)).toHaveLength(2);
	expect((await run('lease', id, '--when', 'never')).err).toContain(
		'--when: expected done, step=5000',
	);
	expect((await run('lease', id, '--when', 'none')).out).not.toContain('when');
	expect((await run('lease', id, '--none')).code).toBe(0);
	expect((await run('lease', id, '--when-done')).err).toContain('--when-done needs an end');
});

test('a lease that a service accepts and does not keep is said not to be set, by the exit code too', async () => {
	await using service = await openRecordedService('labels-edited');
	const run = commandsOf(service);
	for (const words of [
		['--for', '1h'],
		['--idle', '30m', '--json'],
	]) {
		const {code, err} = await run('lease', '4711001', ...words);
		expect([code, err]).toEqual([1, expect.stringMatching(/The lease of .* was not set/)]);
	}
	expect((await run('lease', '4711001')).code).toBe(0);
});

test('a label that lost its lease elsewhere is said to, with who may still act, and restored or let go of', async () => {
	await using market = await openRentable();
	using folder = openFolder();
	const run = commandsOf(market, {folder: folder.path});
	const rented = await run('rent', 'any', '--image', 'ubuntu:24.04', '--label', 'train', '--yes');
	const id = rented.out.trim();
	await using client = openTestClient({url: market.url, key: market.key, paceScale: 0});
	await run('lease', id, '--idle', '5h');
	expect((await run('lease', id)).out).toContain('train ends: idle 5h then destroy');
	expect((await run('lease', id, '--restore')).code).toBe(2);
	for (const label of ['train', 'train [lease1 i18000', 'TRAIN [LEASE1 I18000 TD]']) {
		await client.instances.label(Number(id), label);
		const {out} = await run('lease', id);
		expect(out).toContain('has a label that no longer says its lease');
		expect(out).toContain(`idle 5h then destroy. rentty lease ${id} --restore writes it again`);
		expect(out).not.toContain('has no end');
		const listed = await run('ps');
		expect(listed.out).toMatch(/\tlost\t/);
		expect(listed.err).toContain(`The label of ${id} lost its lease`);
		expect((await run('ps', '--json')).out).toContain('"lost_lease":"idle 5h then destroy"');
		await run('lease', id, '--restore');
		expect((await run('ps')).err).not.toContain('lost its lease');
		expect((await client.instances.show(Number(id)))?.label).toMatch(
			/^train \[lease1 i18000 td\]$/i,
		);
	}
	await run('lease', id, '--none');
	expect((await run('lease', id, '--json')).out).toContain('"lost":null');
});

test('a lease that a rent was given is known as agreed, whoever edits the label next', async () => {
	await using market = await openRentable();
	using folder = openFolder();
	const run = commandsOf(market, {folder: folder.path});
	const rent = ['rent', 'any', '--image', 'ubuntu:24.04', '--label', 'train', '--yes'] as const;
	const id = (await run(...rent, '--idle', '5h')).out.trim();
	await using client = openTestClient({url: market.url, key: market.key, paceScale: 0});
	await client.instances.label(Number(id), 'train');
	expect((await run('ps')).err).toContain(`The label of ${id} lost its lease`);
	await run('lease', id, '--restore');
	expect((await client.instances.show(Number(id)))?.label).toBe('train [lease1 i18000 td]');
});

test('a deadline that a wrong clock moved is said by ps, with what sets it', async () => {
	await using market = await openRentable();
	using folder = openFolder();
	const run = commandsOf(market, {folder: folder.path});
	const rent = ['rent', 'any', '--image', 'ubuntu:24.04', '--label', 'train', '--yes'] as const;
	const id = (await run(...rent, '--for', '5h')).out.trim();
	expect((await run('ps')).err).not.toContain("The service's clock was");
	const state = join(folder.path, 'rentty');
	const [name = ''] = readdirSync(state).filter(file => file.startsWith('agreed-'));
	const text = readFileSync(join(state, name), 'utf8');
	writeFileSync(join(state, name), text.replace(/"skewMs":[^,}]+/, '"skewMs":-7200000'));
	expect((await run('ps')).err).toMatch(
		new RegExp(`was 2 h behind when the lease of ${id} was set.* ends in (5 h|4 h 59 min)`),
	);
});

test('a lease that is late is said to be, with how long, by lease and ps', async () => {
	await using market = await openRentable();
	using folder = openFolder();
	const run = commandsOf(market, {folder: folder.path});
	const rented = await run('rent', 'any', '--image', 'ubuntu:24.04', '--label', 'train', '--yes');
	const id = rented.out.trim();
	await using client = openTestClient({url: market.url, key: market.key, paceScale: 0});
	await client.instances.list();
	const endsAt = Math.floor(client.clock.now() / 1000) - 730;
	await client.instances.label(Number(id), `train [lease1 e${endsAt} td]`);
	expect((await run('lease', id)).out).toContain('train ends: late 12m then destroy');
	expect((await run('ps')).out).toContain('late 12m then destroy');
	expect((await run('lease', id, '--json')).out).toMatch(/"late_seconds":7\d\d\b/);
});
