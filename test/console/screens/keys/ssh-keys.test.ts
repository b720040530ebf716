import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {leaveDraft} from '../../../helpers/console/draft.ts';
import {openClient} from '../../../../source/client/client.ts';
import {openProfileBook} from '../../../../source/renter/profiles/profile-file.ts';
import {answered} from '../../../helpers/services/faults.ts';
import {openFaultProxy} from '../../../helpers/services/fault-proxy.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
import {noOpenSsh, openSshUser} from '../../../helpers/host/open-ssh.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {sshKeyText} from '../../../helpers/host/ssh-keys.ts';
import {openKeys} from './open-keys.ts';

test('a key is let into an instance that runs, and its deletion names the instance', async () => {
	await using market = await openFleetMarket();
	await using keys = await openKeys({market});
	await keys.sees('> test');
	keys.type('j');
	await keys.sees('> laptop');
	await keys.sees('none that runs now');
	keys.type(':');
	await keys.sees('command');
	keys.type('let the SSH key');
	await keys.sees('> let the SSH key enter an instance');
	keys.type('\r');
	await keys.sees('LET IT ENTER');
	const choice = (await keys.shown()).split('\n').findIndex(line => line.includes('train-a'));
	const first = (await keys.shown()).split('\n').findIndex(line => line.startsWith('> '));
	keys.type('j'.repeat(choice - first));
	await keys.sees(/> \d+ train-a/);
	keys.type('\r');
	await keys.sees(`The key may enter instance ${market.running.id}.`);
	await keys.sees(`opens        ${market.running.id}`);
	const {keys: inside} = await keys.client.instances.sshKeys(market.running.id);
	expect(inside.map(key => key.public_key)).toEqual([sshKeyText(1, 'laptop')]);
	keys.type('x');
	await keys.sees(`It opens ${market.running.id}.`);
	expect(await keys.sees('Those keep it until')).toContain(
		'To confirm, type: delete (or its name, laptop)',
	);
	keys.readOn();
	keys.type('laptop');
	await keys.sees('> [ Delete ]');
	keys.type('\r');
	await keys.sees('The key laptop is deleted.');
	await keys.sees(/laptop +ssh +ed25519 +\S+ here only/);
	expect((await keys.client.sshKeys.list()).keys).toEqual([]);
});

test('a key counts as in use while not every instance could be asked', async () => {
	await using market = await openFleetMarket();
	await using proxy = await openFaultProxy(market.url);
	const client = openClient({...market, paceScale: 0});
	await client.instances.attachSshKey(market.running.id, sshKeyText(1, 'laptop'));
	await client.close();
	const path = new RegExp(`instances/${market.running.id}/ssh`);
	proxy.next({method: 'GET', path}, answered({status: 400}), Infinity);
	await using keys = await openKeys({market, service: {...market, url: proxy.url}});
	await keys.sees('> test');
	keys.type('j');
	await keys.sees('> laptop');
	await keys.sees('none that is known; not every instance could be asked');
	keys.type('x');
	expect(await keys.sees('Not every instance')).toContain('To confirm, type: delete');
});

test('a key that is on this machine alone cannot be deleted, and why is said', async () => {
	await using keys = await openKeys();
	await keys.sees('account, here');
	await keys.sees('in use here');
	keys.type('G');
	await keys.sees('> old-mac');
	keys.type('x');
	await keys.sees('rentty deletes no key of this machine');
});

test('where the service does not describe keys, those of this machine stay, with one sentence', async () => {
	await using market = await openTestMarket({offers: 0});
	await using proxy = await openFaultProxy(market.url);
	const missing = answered({status: 404, body: {success: false, error: 'no_such_thing'}});
	proxy.next({path: '/api/v0/ssh'}, missing, 100);
	proxy.next({path: '/api/v0/auth/apikeys'}, missing, 100);
	await using keys = await openKeys({market, service: {url: proxy.url, key: market.key}});
	await keys.sees('This server does not describe API keys; that list is hidden.');
	expect(await keys.frame()).toMatch(/> laptop +ssh +ed25519 +\S+ here only\n +old-mac/);
});

test('in a read-only profile no key can be made, reset or deleted', async () => {
	await using keys = await openKeys({profile: () => ({mode: 'read-only'})});
	for (const key of ['n', 'x']) {
		keys.type(key);
		await keys.sees('this profile is read-only');
		keys.type('k');
		await expect.poll(keys.shown).not.toContain('this profile is read-only');
	}
	expect((await keys.client.sshKeys.list()).keys).toHaveLength(1);
});

/** The keys of a profile whose own key rentty keeps. */
async function openOwnKey() {
	const keys = await openKeys({
		profile: home => ({'key-file': join(home, 'settings', 'keys', 'prod')}),
	});
	const {book, home} = keys.user;
	const file = book.keepKey('prod', keys.market.key);
	await keys.sees('> test');
	return {
		...keys,
		file,
		/** The profiles as another window has them. */
		beside: openProfileBook({settings: `${home}/settings`, state: `${home}/state`}),
		/** Resets the key in use, and gives what is shown of its new value. */
		async reset() {
			keys.type(':');
			await keys.sees('command');
			keys.type('reset the API key');
			await keys.sees('> reset the API key');
			keys.type('\r');
			await keys.sees('RESET API KEY');
			keys.readOn();
			keys.type('test');
			await keys.sees('> [ Reset ]');
			keys.type('\r');
			return keys.sees('API KEY test');
		},
	};
}

test('a reset key that rentty itself keeps is kept anew, and its service opened with it', async () => {
	await using keys = await openOwnKey();
	const value = /^([0-9a-f]{64})$/m.exec(await keys.reset())?.[1] ?? '';
	// At once: the old one is good for nothing any more, and the program may end.
	expect(readFileSync(keys.file, 'utf8').trim()).toBe(value);
	expect(await keys.shown()).toContain('rentty has kept it there');
	keys.readOn();
	keys.type('\u001B');
	await expect.poll(keys.user.opened).toHaveLength(1);
	expect(readFileSync(keys.file, 'utf8').trim()).toBe(value);
	expect(value).not.toBe(keys.market.key);
});

test('a reset key is kept in the profile as another window has it by now', async () => {
	await using keys = await openOwnKey();
	const {beside, file} = keys;
	const [prod] = beside.profiles.get();
	if (prod === undefined) throw new Error('there is no profile');
	// Its key's file is taken by another profile as well, so that the new key has a file of its own.
	beside.save({...prod, name: 'second'}, undefined);
	beside.save({...prod, mode: 'read-only', settings: {diskGb: 99}}, 'prod');
	const value = /^([0-9a-f]{64})$/m.exec(await keys.reset())?.[1] ?? '';
	beside.reread();
	const kept = beside.profiles.get().find(({name}) => name === 'prod');
	expect(kept).toMatchObject({mode: 'read-only', settings: {diskGb: 99}});
	expect(kept?.key).not.toEqual({kind: 'file', file});
	expect(readFileSync(kept?.key.kind === 'file' ? kept.key.file : '', 'utf8').trim()).toBe(value);
});

test('a reset key is not kept for a profile that another window has removed', async () => {
	await using keys = await openOwnKey();
	keys.beside.remove('prod');
	expect(await keys.reset()).toContain('rentty keeps it nowhere');
	keys.beside.reread();
	expect(keys.beside.profiles.get()).toEqual([]);
	expect(existsSync(keys.file)).toBe(false);
});

test('a reset key whose profile is not opened anew because of a draft is opened with from Profiles', async () => {
	await using keys = await openOwnKey();
	await leaveDraft(keys, '4');
	await keys.sees('> test');
	await keys.reset();
	keys.readOn();
	keys.type('\u001B');
	await keys.sees(/Not left: .*Again\s+leaves all the same/);
	await keys.sees(/Not left: .*Again\s+leaves all the same/);
	expect(keys.user.opened()).toEqual([]);
	keys.type('6');
	await keys.sees(/> prod .*Enter: new key/);
	keys.type('\r');
	await expect.poll(keys.user.opened).toMatchObject([{profile: {name: 'prod'}}]);
});

test.skipIf(noOpenSsh !== undefined)(
	'a key that only the agent has is listed, and can be registered',
	async () => {
		using user = openSshUser();
		const {file, publicKey} = user.makeKey('from-agent');
		const socket = join(user.folder, 'agent');
		const agent = spawn('ssh-agent', ['-D', '-a', socket], {stdio: 'ignore'});
		await expect.poll(() => existsSync(socket)).toBe(true);
		spawnSync('ssh-add', ['-q', file], {env: {...process.env, SSH_AUTH_SOCK: socket}});
		const environment = {PATH: process.env['PATH'], SSH_AUTH_SOCK: socket};
		await using keys = await openKeys({environment});
		await keys.sees(/from-agent +ssh +ed25519 +\S+ agent only/);
		await keys.add();
		keys.type('j');
		await keys.sees('> register from-agent');
		keys.type('\r');
		await keys.sees(/from-agent +ssh +ed25519 +\S+ account, agent/);
		expect((await keys.client.sshKeys.list()).keys.map(key => key.public_key)).toContain(publicKey);
		const ended = once(agent, 'exit');
		agent.kill();
		await ended;
	},
);
