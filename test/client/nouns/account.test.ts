import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {sshKeyText} from '../../helpers/host/ssh-keys.ts';
import {openTestClient, openToldService, saying} from '../../helpers/services/told-service.ts';

/** A client of a service that answers everything with one text. */
async function openTold(status: number, reply: unknown) {
	const service = await openToldService(saying(reply, status));
	const client = openClient({url: service.url, key: 'k'});
	return {
		...client,
		async [Symbol.asyncDispose]() {
			await client.close();
			await service[Symbol.asyncDispose]();
		},
	};
}

test('API keys are made, shown, reset and deleted', async () => {
	await using market = await openTestMarket();
	await using client = openTestClient(market);
	const permissions = {user_read: true};
	const made = await client.apiKeys.create({name: 'laptop', permissions});
	expect(made).toEqual({id: 2, key: made.key, permissions});
	expect(made.key).toMatch(/^[\da-f]{64}$/);
	expect(await client.apiKeys.show(2)).toMatchObject({id: 2, name: 'laptop', permissions});
	await using laptop = openTestClient({url: market.url, key: made.key});
	expect(await laptop.account.current()).toMatchObject({id: 1, key_id: 2, credit: 100});
	await expect(laptop.secrets.list()).resolves.toMatchObject({secrets: {}});
	await expect(laptop.apiKeys.delete(1)).rejects.toThrow(
		'Could not delete an API key: the key may not do this (403 This key lacks the permission user_write.)',
	);
	const value = await client.apiKeys.reset(2);
	await expect(laptop.account.current()).rejects.toMatchObject({status: 401});
	await using again = openTestClient({url: market.url, key: value});
	expect(await again.apiKeys.reset()).not.toBe(value);
	await client.apiKeys.delete(2);
	expect((await client.apiKeys.list()).keys).toMatchObject([{id: 1}]);
});

test('SSH keys are registered, replaced and deleted', async () => {
	await using market = await openTestMarket();
	await using client = openTestClient(market);
	const {id} = await client.sshKeys.create(sshKeyText(1));
	expect(await client.sshKeys.update(id, sshKeyText(2))).toMatchObject({public_key: sshKeyText(2)});
	expect((await client.sshKeys.list()).keys).toMatchObject([{id, key: sshKeyText(2)}]);
	await client.sshKeys.delete(id);
	expect((await client.sshKeys.list()).keys).toEqual([]);
	await expect(client.sshKeys.create('id_rsa.pub')).rejects.toMatchObject({code: 'no_ssh_key'});
});

test('environment variables are added, changed and deleted', async () => {
	await using market = await openTestMarket();
	await using client = openTestClient(market);
	await client.secrets.create({key: 'TOKEN', value: 'a'});
	await client.secrets.update({key: 'TOKEN', value: 'b'});
	expect((await client.secrets.list()).secrets).toEqual({TOKEN: '*****'});
	await client.secrets.delete('TOKEN');
	expect((await client.secrets.list()).secrets).toEqual({});
});

test('a service that says what was deleted in a sentence is understood', async () => {
	await using client = await openTold(200, 'Successfully Deleted API Key');
	await expect(client.apiKeys.delete(1)).resolves.toBeDefined();
	await expect(client.sshKeys.delete(1)).resolves.toBeDefined();
});

test('a service that knows no SSH keys with 404 has none', async () => {
	await using client = await openTold(404, {success: false, msg: 'no keys'});
	expect((await client.sshKeys.list()).keys).toEqual([]);
	await expect(client.apiKeys.list()).rejects.toMatchObject({status: 404});
});

test('what other services leave out of keys is not missed', async () => {
	const sent = {apikeys: [{id: 5, user_id: 1, rights: 'all', name: 7, team_id: null}]};
	await using client = await openTold(200, sent);
	const [key] = (await client.apiKeys.list()).keys;
	expect(key).toEqual({id: 5, user_id: 1, rights: 'all', name: undefined, team_id: null});
});
