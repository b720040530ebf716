import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {findIdentityFiles, identityFiles} from '../../../source/renter/connect/keys.ts';
import {parsePublicKey} from '../../../source/contract/rules/public-key.ts';
import {openFaultProxy} from '../../helpers/services/fault-proxy.ts';
import {answered} from '../../helpers/services/faults.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {sshKeyText} from '../../helpers/host/ssh-keys.ts';
import {openTestClient} from '../../helpers/services/told-service.ts';

const HOME = '/home/me';

/** A key of this machine: its number makes it what it is, its file how it is found. */
const local = (number: number, file: string | undefined, isInAgent = false) => ({
	...parsePublicKey(sshKeyText(number)),
	file: file === undefined ? undefined : `${file}.pub`,
	isInAgent,
});
const registered = (...numbers: readonly number[]) =>
	numbers.map(number => ({public_key: sshKeyText(number)}));

const [WORK, USUAL] = [`${HOME}/.ssh/work`, `${HOME}/.ssh/id_ed25519`];

test.each([
	['one with an odd name', [1], [local(1, WORK)], [WORK]],
	['one that OpenSSH tries by itself', [1], [local(1, USUAL)], []],
	['a usual name in another folder', [1], [local(1, '/mnt/keys/id_rsa')], ['/mnt/keys/id_rsa']],
	['one that the agent holds', [1], [local(1, WORK, true)], []],
	['one that only the agent has', [1], [local(1, undefined, true)], []],
	['one that is not registered', [2], [local(1, WORK)], []],
	['one that cannot be read', [], [local(1, WORK)], []],
	// With -i OpenSSH would try the usual one no longer.
	['an odd one beside a usual one', [1, 2], [local(1, WORK), local(2, USUAL)], [WORK, USUAL]],
	['an odd one beside one of the agent', [1, 2], [local(1, WORK), local(2, USUAL, true)], [WORK]],
	['a name that OpenSSH would change', [1], [local(1, `${HOME}/.ssh/\${USER}`)], []],
	['a name of several lines', [1], [local(1, `${HOME}/.ssh/a\nb`)], []],
] as const)('of %s this is named', (_, numbers, keys, files) => {
	expect(identityFiles(registered(...numbers), keys, HOME)).toEqual(files);
});

test('no more keys are named than a server lets try', () => {
	const numbers = [1, 2, 3, 4, 5, 6, 7];
	const keys = numbers.map(number => local(number, `${WORK}${number}`));
	expect(identityFiles(registered(...numbers), keys, HOME)).toHaveLength(4);
});

/** Somebody with keys in ~/.ssh, their private halves beside them. */
function openHome(keys: Readonly<Record<string, number>>) {
	const home = mkdtempSync(join(tmpdir(), 'rentty-home-'));
	onTestFinished(() => rmSync(home, {recursive: true}));
	mkdirSync(join(home, '.ssh'));
	for (const [name, number] of Object.entries(keys)) {
		writeFileSync(join(home, '.ssh', name), 'private');
		writeFileSync(join(home, '.ssh', `${name}.pub`), sshKeyText(number));
	}
	return home;
}

async function openService() {
	const market = await openTestMarket({offers: 0});
	const proxy = await openFaultProxy(market.url);
	const client = openTestClient({url: proxy.url, key: market.key, paceScale: 0});
	await client.sshKeys.create(sshKeyText(1));
	proxy.requests.length = 0;
	return {
		proxy,
		client,
		find: async (home: string, id?: number) =>
			findIdentityFiles({environment: {HOME: home}, client: async () => client, home, id}),
		async [Symbol.asyncDispose]() {
			await client[Symbol.asyncDispose]();
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('where no key of this machine has an odd name, the service is not asked', async () => {
	await using service = await openService();
	expect(await service.find(openHome({id_ed25519: 1}))).toEqual([]);
	expect(service.proxy.requests).toEqual([]);
	const home = openHome({work: 1, id_ed25519: 2});
	expect(await service.find(home)).toEqual([join(home, '.ssh', 'work')]);
	expect(service.proxy.requests).toHaveLength(1);
});

test('the keys that may enter an instance count before those of the account', async () => {
	await using service = await openService();
	const home = openHome({work: 1, other: 2});
	const list = {path: '/api/v0/instances/7/ssh/'};
	const attached = [{id: 9, public_key: sshKeyText(2)}];
	service.proxy.next(list, answered({status: 200, body: {ssh_keys: JSON.stringify(attached)}}));
	expect(await service.find(home, 7)).toEqual([join(home, '.ssh', 'other')]);
	service.proxy.next(list, answered({status: 403, body: {success: false, error: 'x', msg: 'no'}}));
	expect(await service.find(home, 7)).toEqual([join(home, '.ssh', 'work')]);
});

test('a key that was deleted is not named, and a service that says nothing stops nobody', async () => {
	await using service = await openService();
	const home = openHome({work: 1});
	const list = {path: '/api/v0/ssh/'};
	const deleted = [{id: 9, key: sshKeyText(1), deleted_at: '2026-11-20T10:00:00Z'}];
	service.proxy.next(list, answered({status: 200, body: deleted}));
	expect(await service.find(home)).toEqual([]);
	service.proxy.next(list, answered({status: 403, body: {success: false, error: 'x', msg: 'no'}}));
	expect(await service.find(home)).toEqual([]);
});
