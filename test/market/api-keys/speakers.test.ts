import {expect, test} from 'vitest';
import {contract} from '../../../source/contract/index.ts';
import {errorOf, openOperated} from '../../helpers/market/accounts.ts';
import {callLate} from '../../helpers/market/after-read.ts';
import {openFolder} from '../../helpers/folder.ts';
import {wholeReply} from '../../helpers/market/market.ts';
import {joinAs, openTeam} from '../../helpers/market/teams.ts';

const keys = '/auth/apikeys/';

test('a key makes, reads, ends and resets only keys that speak for the same member', async () => {
	await using market = await openOperated();
	const {id, owner, keyId, ask} = await openTeam(market);
	const {key_id: ofNobody} = wholeReply(
		contract.operator.addKey,
		(await market.operator(`/operator/accounts/${id}/keys/`, 'POST', {name: 'spare'})).body,
	);
	const permissions = {api: {billing_write: {}, user_write: {}, user_read: {}}};
	await ask('/team/roles/', 'POST', {name: 'books', permissions});
	for (const role of ['manager', 'books']) {
		const {team, keyId: own} = await joinAs(market, ask, role);
		expect((await team(keys)).body).toMatchObject({apikeys: [{id: own}]});
		for (const other of [keyId, ofNobody]) {
			expect((await team(`${keys}${other}/`)).status).toBe(404);
			expect((await team(`${keys}${other}/`, 'DELETE', {})).status).toBe(404);
			expect((await team('/commands/reset_apikey/', 'PUT', {id: other})).status).toBe(404);
		}
		const stolen = {recipient: owner.id, amount: 1};
		expect((await team('/commands/transfer_credit/', 'PUT', stolen)).status).toBe(403);
	}
	expect((await ask(keys)).body).toMatchObject({apikeys: [{id: keyId}]});
	const {apikeys} = wholeReply(
		contract.operator.keys,
		(await market.operator(`/operator/accounts/${id}/keys/`)).body,
	);
	expect(apikeys).toHaveLength(4);
});

test('a role limits what its members may do in every call, whatever their keys are for', async () => {
	await using market = await openOperated();
	const {ask} = await openTeam(market);
	const permissions = {api: {instance_write: {}, team_read: {}}};
	await ask('/team/roles/', 'POST', {name: 'ops', permissions});
	const {team} = await joinAs(market, ask, 'ops');
	const launched = await team('/launch_instance/', 'PUT', {q: {}, image: 'ubuntu', disk: 10});
	expect(launched).toMatchObject({status: 403, body: {msg: 'This key lacks the permission misc.'}});
	expect((await team('/machines/maintenances/')).status).toBe(403);
});

test('nobody changes or removes somebody, or a role, with more rights than their own', async () => {
	await using market = await openOperated();
	const {ask} = await openTeam(market);
	const permissions = {api: {team_read: {}, team_write: {}}};
	await ask('/team/roles/', 'POST', {name: 'people', permissions});
	await ask('/team/roles/', 'POST', {name: 'same', permissions});
	const {team} = await joinAs(market, ask, 'people');
	const [manager, same] = [await joinAs(market, ask, 'manager'), await joinAs(market, ask, 'same')];
	expect(errorOf(await team(`/team/members/${manager.id}/`, 'DELETE'))).toBe('not_authorized');
	expect((await manager.team('/team/members/')).status).toBe(200);
	expect((await team(`/team/members/${same.id}/`, 'DELETE')).status).toBe(200);
	await ask(`/team/members/${manager.id}/`, 'DELETE');
	for (const [path, method] of [
		['/team/roles/manager/', 'DELETE'],
		['/team/roles/member/', 'DELETE'],
		['/team/roles/manager/', 'PUT'],
	] as const) {
		expect(errorOf(await team(path, method, {permissions}))).toBe('not_authorized');
	}
	expect((await team('/team/roles/same/', 'DELETE')).status).toBe(200);
});

test('no key of a closed account speaks, nor one of a team or an account within it', async () => {
	await using market = await openOperated();
	const {id, owner, ask} = await openTeam(market);
	const {id: memberId, ask: own, team} = await joinAs(market, ask, 'manager');
	const made = await team(keys, 'POST', {name: 'ci'});
	const ci = market.as(wholeReply(contract.apiKeys.create, made.body).key);
	await market.operator(`/operator/accounts/${memberId}/`, 'DELETE');
	for (const call of [own, team, ci]) {
		expect(await call('/users/current/')).toMatchObject({status: 401});
		expect((await call('/commands/transfer_credit/', 'PUT', {})).status).toBe(401);
	}
	expect((await ask('/users/current/')).status).toBe(200);
	const within = {email: 'c@example.org', username: 'c', password: 'd', parent_id: 'me'};
	const child = wholeReply(
		contract.account.create,
		(await owner.ask('/users/', 'POST', within)).body,
	);
	const close = async (account: number) =>
		market.operator(`/operator/accounts/${account}/`, 'DELETE');
	expect(await close(owner.id)).toMatchObject({
		status: 400,
		body: {msg: 'It still has 1 teams, 1 subaccounts: nothing was closed.'},
	});
	expect((await market.as(child.api_key)('/users/current/')).status).toBe(200);
	for (const account of [child.id, id, owner.id]) expect((await close(account)).status).toBe(200);
	for (const call of [owner.ask, ask, market.as(child.api_key)]) {
		expect((await call('/users/current/')).status).toBe(401);
	}
});

test('a role that was narrowed is not widened again by the right that it gave before', async () => {
	using folder = openFolder();
	const file = `${folder.path}/market.db`;
	await using market = await openOperated({file});
	const {ask} = await openTeam(market);
	const wide = {api: {team_write: {}, user_write: {}, instance_write: {}}};
	const narrow = {api: {user_write: {}}};
	await ask('/team/roles/', 'POST', {name: 'ops', permissions: wide});
	const {team} = await joinAs(market, ask, 'ops');
	const {body} = await team('/commands/reset_apikey/', 'PUT', {});
	const {new_api_key: key} = wholeReply(contract.apiKeys.reset, body);
	const act = async () => ask('/team/roles/ops/', 'PUT', {permissions: narrow});
	const late = {file, key, of: 'team_id', act};
	const reply = await callLate(late, 'PUT', '/team/roles/ops/', {permissions: wide});
	expect(reply).toMatchObject({status: 403, body: {error: 'not_authorized'}});
	const {body: kept} = await ask('/team/roles/ops/');
	expect(kept).toHaveProperty('permissions', narrow);
});
