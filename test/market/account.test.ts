import {expect, test} from 'vitest';
import {refusalReply} from '../../source/contract/grammar/errors.ts';
import {openTestMarket, TEST_NOW, type Reply, type TestMarket} from '../helpers/market/market.ts';
import {sshKeyText} from '../helpers/host/ssh-keys.ts';

async function send(
	market: TestMarket,
	method: string,
	path: string,
	body?: unknown,
): Promise<Reply> {
	return market.call(`/api/v0/${path}`, {
		method,
		body: body === undefined ? null : JSON.stringify(body),
	});
}

test.each(['users/current', 'users/current/', 'users/current?owner=me'])(
	'%s says whose key it is, and no key',
	async path => {
		await using market = await openTestMarket();
		await send(market, 'POST', 'ssh/', {ssh_key: sshKeyText(1)});
		await send(market, 'POST', 'ssh/', {ssh_key: sshKeyText(2)});
		const reply = await send(market, 'GET', path);
		expect(reply).toMatchObject({
			status: 200,
			body: {
				id: 1,
				key_id: 1,
				email: null,
				username: null,
				fullname: null,
				credit: 100,
				balance: 100,
				ssh_key: sshKeyText(2),
				can_pay: false,
				has_billing: false,
				tfa_status: 'disabled',
				api_key: null,
			},
		});
		expect(reply.text).not.toContain(market.key);
	},
);

function sshRecord(id: number, text: string) {
	return {
		id,
		user_id: 1,
		key: text,
		public_key: text,
		created_at: new Date(TEST_NOW * 1000).toISOString(),
		deleted_at: null,
	};
}

test('SSH keys are registered, listed, replaced and deleted', async () => {
	await using market = await openTestMarket();
	expect((await send(market, 'GET', 'ssh/')).body).toEqual([]);
	const first = sshKeyText(1, 'ann@laptop');
	const created = await send(market, 'POST', 'ssh/', {ssh_key: `${first}\n`});
	expect(created.body).toEqual({success: true, key: sshRecord(1, first)});
	await send(market, 'POST', 'ssh/', {ssh_key: sshKeyText(2)});
	const third = sshKeyText(3);
	const updated = await send(market, 'PUT', 'ssh/1/', {id: 1, ssh_key: third});
	expect(updated.body).toEqual({success: true, key: sshRecord(1, third)});
	const both = [sshRecord(1, third), sshRecord(2, sshKeyText(2))];
	expect((await send(market, 'GET', 'ssh')).body).toEqual(both);
	expect((await send(market, 'DELETE', 'ssh/1/', {})).body).toMatchObject({
		success: true,
		msg: 'The SSH key was deleted.',
	});
	expect((await send(market, 'GET', 'ssh/')).body).toEqual(both.slice(1));
});

test('an SSH key is registered once, whatever it is called', async () => {
	await using market = await openTestMarket();
	await send(market, 'POST', 'ssh/', {ssh_key: sshKeyText(1, 'laptop')});
	const again = await send(market, 'POST', 'ssh/', {ssh_key: sshKeyText(1, 'phone')});
	expect(again.body).toEqual({success: true, key: sshRecord(1, sshKeyText(1, 'laptop'))});
	await send(market, 'POST', 'ssh/', {ssh_key: sshKeyText(2)});
	expect(await send(market, 'PUT', 'ssh/2/', {ssh_key: sshKeyText(1)})).toMatchObject({
		status: 400,
		body: {error: 'no_ssh_key', msg: 'Another SSH key of the account is this one.'},
	});
	const renamed = await send(market, 'PUT', 'ssh/1/', {ssh_key: sshKeyText(1, 'phone')});
	expect(renamed.body).toMatchObject({key: {public_key: sshKeyText(1, 'phone')}});
	await send(market, 'DELETE', 'ssh/1/');
	const anew = await send(market, 'POST', 'ssh/', {ssh_key: sshKeyText(1)});
	expect(anew.body).toMatchObject({key: {id: 3}});
});

test.each<readonly [method: string, path: string, body: unknown, msg: RegExp]>([
	['POST', 'ssh/', {}, /No ssh key provided/],
	['POST', 'ssh/', {ssh_key: null}, /No ssh key provided/],
	['POST', 'ssh/', {ssh_key: ''}, /No ssh key provided/],
	['POST', 'ssh/', {ssh_key: '~/.ssh/id_rsa.pub'}, /name of a file/],
	['POST', 'ssh/', {ssh_key: '-----BEGIN RSA PRIVATE KEY-----'}, /private key/],
	['PUT', 'ssh/1/', {ssh_key: 'rubbish'}, /starts with its type/],
	['PUT', 'ssh/9/', {ssh_key: sshKeyText(5)}, /There is no SSH key 9/],
	['PUT', 'ssh/x/', {ssh_key: sshKeyText(5)}, /id: must be a whole number/],
	['DELETE', 'ssh/9/', {}, /There is no SSH key 9/],
])('%s %s with %j is refused as no SSH key', async (method, path, body, msg) => {
	await using market = await openTestMarket();
	const reply = await send(market, method, path, body);
	expect(reply).toMatchObject({status: 400, body: {success: false, error: 'no_ssh_key'}});
	expect(refusalReply.parse(reply.body).msg).toMatch(msg);
});

test('environment variables are kept under upper-case names, and their values are not shown', async () => {
	await using market = await openTestMarket();
	const added = await send(market, 'POST', 'secrets/', {key: 'hf_token', value: 'hf-123.x_Y'});
	expect(added.body).toEqual({success: true, msg: 'HF_TOKEN was added.'});
	const list = await send(market, 'GET', 'secrets/');
	expect(list.body).toEqual({success: true, secrets: {HF_TOKEN: '*****'}});
	const changed = await send(market, 'PUT', 'secrets/', {key: 'Hf_Token', value: 'other'});
	expect(changed.body).toEqual({success: true, msg: 'HF_TOKEN was changed.'});
	const deleted = await send(market, 'DELETE', 'secrets/', {key: 'HF_TOKEN'});
	expect(deleted.body).toEqual({success: true, msg: 'HF_TOKEN was deleted.'});
	expect((await send(market, 'GET', 'secrets/')).body).toEqual({success: true, secrets: {}});
});

test.each<readonly [method: string, body: unknown, error: string]>([
	['POST', {}, 'missing_input'],
	['POST', {key: 'A'}, 'missing_input'],
	['POST', {key: 'A', value: ''}, 'missing_input'],
	['POST', {key: 'A', value: 'two words'}, 'missing_input'],
	['POST', {key: '1A', value: 'x'}, 'missing_input'],
	['POST', {key: 'A', value: 'x\n'}, 'missing_input'],
	['POST', {key: 'x'.repeat(257), value: 'x'}, 'missing_input'],
	['POST', {key: 'there', value: 'x'}, 'existing_key'],
	['PUT', {key: 'MISSING', value: 'x'}, 'nonexistent_key'],
	['DELETE', {key: 'MISSING'}, 'nonexistent_key'],
	['DELETE', {}, 'missing_input'],
])('%s of the variable %j is refused as %s', async (method, body, error) => {
	await using market = await openTestMarket();
	await send(market, 'POST', 'secrets/', {key: 'THERE', value: 'x'});
	const reply = await send(market, method, 'secrets/', body);
	expect(reply).toMatchObject({status: 400, body: {success: false, error}});
	expect(await send(market, 'GET', 'secrets/')).toMatchObject({body: {secrets: {THERE: '*****'}}});
});

test('an account has a hundred variables at most', async () => {
	await using market = await openTestMarket();
	for (let i = 0; i < 100; i++) await send(market, 'POST', 'secrets/', {key: `K${i}`, value: 'x'});
	const reply = await send(market, 'POST', 'secrets/', {key: 'ONE_MORE', value: 'x'});
	expect(reply).toMatchObject({status: 400, body: {error: 'max_secrets'}});
});

test('what an account says of its owner is shown as what it is, and a number must be one', async () => {
	await using market = await openTestMarket();
	const facts = {
		balance_threshold: '12.5',
		balance_threshold_enabled: 'true',
		phone_number: '0123',
	};
	expect((await send(market, 'PUT', 'users/', facts)).status).toBe(200);
	expect((await send(market, 'GET', 'users/current')).body).toMatchObject({
		balance_threshold: 12.5,
		balance_threshold_enabled: true,
		phone_number: '0123',
	});
	for (const balance_threshold of ['much', -1]) {
		expect(await send(market, 'PUT', 'users/', {balance_threshold})).toMatchObject({
			status: 400,
			body: {error: 'invalid_characters'},
		});
	}
});
