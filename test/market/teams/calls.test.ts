import {readdirSync, readFileSync} from 'node:fs';
import {join as pathOf} from 'node:path';
import {expect, test} from 'vitest';
import {permissions as allPermissions} from '../../../source/contract/grammar/permissions.ts';
import {contract} from '../../../source/contract/index.ts';
import {openOperated, type Ask} from '../../helpers/market/accounts.ts';
import {openFolder} from '../../helpers/folder.ts';
import {wholeReply} from '../../helpers/market/market.ts';
import {joinAs, openTeam} from '../../helpers/market/teams.ts';

test('a team is an account of its own, with credit of its owner', async () => {
	await using market = await openOperated();
	const {id, owner, ask} = await openTeam(market);
	expect((await ask('/users/current/')).body).toMatchObject({id, username: 'lab', credit: 40});
	expect((await owner.ask('/users/current/')).body).toMatchObject({id: owner.id, credit: 60});
	expect((await owner.ask('/team/', 'POST', {team_name: 'lab'})).body).toMatchObject({
		msg: 'Team name already exists',
	});
	expect((await ask('/team/', 'POST', {team_name: 'in it'})).status).toBe(400);
	const poor = {team_name: 'rich', transfer_credit: 61};
	expect((await owner.ask('/team/', 'POST', poor)).body).toMatchObject({
		error: 'insufficient_balance',
	});
	expect((await owner.ask('/team/members/')).status).toBe(403);
});

test('who is invited joins once, with a key that does what the role does', async () => {
	await using market = await openOperated();
	const {ask} = await openTeam(market);
	const {id, team, token} = await joinAs(market, ask, 'member');
	expect((await team('/instances/')).status).toBe(200);
	for (const path of ['/users/me/invoices/?sdate=0&edate=1', '/team/members/', '/machines/']) {
		expect([path, (await team(path)).status]).toEqual([path, 403]);
	}
	const members = await ask('/team/members/');
	expect(wholeReply(contract.teams.members, members.body)).toMatchObject([
		{email: 'owner@example.org', roles: ['owner']},
		{id, email: 'member@example.org', roles: ['member']},
	]);
	const other = await market.add({email: 'other@example.org'});
	expect((await other.ask(`/team/invite/${token}/`)).status).toBe(404);
	const removed = await ask(`/team/members/${id}/`, 'DELETE');
	expect(removed.body).toMatchObject({success: true, status: 'success'});
	expect((await team('/instances/')).status).toBe(401);
	expect((await ask(`/team/members/${id}/`, 'DELETE')).body).toMatchObject({status: 'failure'});
});

test('an owner who accepts an invitation to their own team stays its owner', async () => {
	await using market = await openOperated();
	const {ask, owner} = await openTeam(market);
	const invited = await ask('/team/invite/?email=owner@example.org&role=member', 'POST');
	const {token} = wholeReply(contract.teams.invite, invited.body);
	expect((await owner.ask(`/team/invite/${token}/`)).status).toBe(400);
	expect((await ask('/team/members/')).body).toMatchObject([{roles: ['owner']}]);
	expect((await ask('/users/me/invoices/?sdate=0&edate=1')).status).toBe(200);
});

test('an invitation is for one address, for four hours, and made again after a while', async () => {
	await using market = await openOperated();
	const {ask} = await openTeam(market);
	const [me, other] = [
		await market.add({email: 'me@example.org'}),
		await market.add({email: 'other@example.org'}),
	];
	const invite = async () =>
		ask('/team/invite/', 'POST', {email: 'me@example.org', role: 'member'});
	const {token} = wholeReply(contract.teams.invite, (await invite()).body);
	expect((await invite()).status).toBe(429);
	expect((await other.ask(`/team/invite/${token}/`)).status).toBe(404);
	market.clock.pass(4 * 3600 + 1);
	expect((await me.ask(`/team/invite/${token}/`)).status).toBe(404);
	expect((await invite()).status).toBe(200);
	expect((await ask('/team/invite/?email=me@example.org&role=none', 'POST')).status).toBe(404);
	expect((await ask('/team/invite/?email=me@example.org&role=owner', 'POST')).status).toBe(403);
});

test('an account is invited by its number, and it alone may join', async () => {
	await using market = await openOperated({signUp: 'open'});
	const {ask} = await openTeam(market);
	const me = await market.add({email: 'me@example.org'});
	const other = await market.add();
	const invite = async (query: string) => ask(`/team/invite/?role=member&${query}`, 'POST');
	const {token} = wholeReply(contract.teams.invite, (await invite(`user_id=${me.id}`)).body);
	expect((await other.ask(`/team/invite/${token}/`)).status).toBe(404);
	const again = await ask('/team/invite/', 'POST', {user_id: me.id, role: 'manager'});
	expect(again.status).toBe(429);
	for (const [query, status] of [
		[`user_id=${me.id}&email=you@example.org`, 400],
		['user_id=999', 404],
		['', 400],
	] as const) {
		expect([query, (await invite(query)).status]).toEqual([query, status]);
	}
	expect(wholeReply(contract.teams.invitations, (await ask('/team/invite/')).body)).toMatchObject({
		results: [{email: '', user_id: me.id, token}],
	});
	expect((await me.ask(`/team/invite/${token}/`)).status).toBe(200);
	expect((await ask('/team/members/')).body).toMatchObject([{}, {id: me.id, roles: ['member']}]);
});

type Lead = Awaited<ReturnType<typeof joinAs>> & {
	/** Another key of the same member, by which somebody is invited. */
	readonly spare: {readonly id: number; readonly ask: Ask};
};

const mayInvite = {team_read: {}, team_write: {}, user_read: {}, user_write: {}};

/** All by which who invited may no longer do so. */
const losses: Readonly<Record<string, (team: Ask, lead: Lead) => ReturnType<Ask>>> = {
	'has left': async (team, {id}) => team(`/team/members/${id}/`, 'DELETE'),
	async 'has another role'(team, {id, ask}) {
		const {body} = await team(`/team/invite/?user_id=${id}&role=member`, 'POST');
		return ask(`/team/invite/${wholeReply(contract.teams.invite, body).token}/`);
	},
	'has a role that does less': async team =>
		team('/team/roles/lead/', 'PUT', {permissions: {api: {team_write: {}}}}),
	'has deleted the key': async (_, {team, spare}) =>
		team(`/auth/apikeys/${spare.id}/`, 'DELETE', {}),
	'has given the key another value': async (_, {spare}) =>
		spare.ask('/commands/reset_apikey/', 'PUT', {}),
};

test.each(Object.entries(losses))('nobody joins by the word of who %s', async (_name, lose) => {
	await using market = await openOperated();
	const {ask} = await openTeam(market);
	for (const name of ['lead', 'ops']) {
		await ask('/team/roles/', 'POST', {name, permissions: {api: mayInvite}});
	}
	const lead = await joinAs(market, ask, 'lead');
	const made = await lead.team('/auth/apikeys/', 'POST', {permissions: {api: mayInvite}});
	const {id: keyId, key} = wholeReply(contract.apiKeys.create, made.body);
	const spare = {id: keyId, ask: market.as(key)};
	const me = await market.add({email: 'me@example.org'});
	const invited = await spare.ask(`/team/invite/?user_id=${me.id}&role=ops`, 'POST');
	const {token} = wholeReply(contract.teams.invite, invited.body);
	expect((await lose(ask, {...lead, spare})).status).toBe(200);
	expect((await me.ask(`/team/invite/${token}/`)).status).toBe(404);
	expect(await listed(ask)).toEqual([]);
});

const listed = async (as: Ask) =>
	wholeReply(contract.teams.invitations, (await as('/team/invite/')).body).results.map(
		({email, role, token}) => [email, role, token],
	);

test('open invitations are listed, each with its word for the key that made it and for no other', async () => {
	using folder = openFolder();
	await using market = await openOperated({file: pathOf(folder.path, 'market.db')});
	const {ask} = await openTeam(market);
	const manager = await joinAs(market, ask, 'manager');
	const me = await market.add({email: 'me@example.org'});
	const invited = [
		await manager.team('/team/invite/?email=me@example.org&role=member', 'POST'),
		await ask('/team/invite/?email=you@example.org&role=manager', 'POST'),
	];
	const [mine, yours] = invited.map(({body}) => wholeReply(contract.teams.invite, body).token);
	expect(await listed(manager.team)).toEqual([
		['me@example.org', 'member', mine],
		['you@example.org', 'manager', null],
	]);
	expect(await listed(ask)).toEqual([
		['me@example.org', 'member', null],
		['you@example.org', 'manager', yours],
	]);
	for (const name of readdirSync(folder.path)) {
		expect(readFileSync(pathOf(folder.path, name), 'latin1').includes(mine ?? '')).toBe(false);
	}
	expect((await me.ask(`/team/invite/${mine}/`)).status).toBe(200);
	expect(await listed(manager.team)).toEqual([['you@example.org', 'manager', null]]);
	market.clock.pass(4 * 3600 + 1);
	expect(await listed(ask)).toEqual([]);
	expect((await me.ask('/team/invite/')).status).toBe(403);
});

test('a role that changes changes what its members’ keys do, and those that they have made', async () => {
	await using market = await openOperated();
	const {ask} = await openTeam(market);
	const wide = {api: {user_read: {}, user_write: {}, instance_read: {}}};
	expect((await ask('/team/roles/', 'POST', {name: 'ops', permissions: wide})).body).toMatchObject({
		msg: 'success',
	});
	const {id, team} = await joinAs(market, ask, 'ops');
	const made = await team('/auth/apikeys/', 'POST', {name: 'ci', permissions: wide});
	const ci = market.as(wholeReply(contract.apiKeys.create, made.body).key);
	expect([(await team('/instances/')).status, (await ci('/instances/')).status]).toEqual([
		200, 200,
	]);
	const narrow = {permissions: {api: {user_read: {}}}};
	expect((await ask('/team/roles/ops/', 'PUT', narrow)).status).toBe(200);
	expect([(await team('/instances/')).status, (await ci('/instances/')).status]).toEqual([
		403, 403,
	]);
	expect((await ask('/team/roles/ops/', 'DELETE')).body).toMatchObject({error: 'role_in_use'});
	await ask(`/team/members/${id}/`, 'DELETE');
	expect((await ci('/users/current/')).status).toBe(401);
	expect((await ask('/team/roles/ops/', 'DELETE')).status).toBe(200);
});

test('a role is made of a list of permissions too, and of no empty one', async () => {
	await using market = await openOperated();
	const {ask} = await openTeam(market);
	const make = async (permissions: readonly string[]) =>
		(await ask('/team/roles/', 'POST', {name: 'ops', permissions})).status;
	expect([await make([]), await make(['write']), await make(['user_read'])]).toEqual([
		400, 400, 200,
	]);
	const {team} = await joinAs(market, ask, 'ops');
	expect((await team('/users/current/')).status).toBe(200);
	expect((await team('/instances/')).status).toBe(403);
	expect((await ask('/team/roles/ops/', 'PUT', {permissions: ['instance_read']})).status).toBe(200);
	expect((await team('/instances/')).status).toBe(200);
	expect((await ask('/team/roles/ops/')).body).toMatchObject({
		permissions: {api: {instance_read: {}}},
	});
});

test('a key that may not do everything joins no team', async () => {
	await using market = await openOperated();
	const {ask} = await openTeam(market);
	const person = await market.add({email: 'who@example.org'});
	const invited = await ask('/team/invite/?email=who@example.org&role=member', 'POST');
	const {token} = wholeReply(contract.teams.invite, invited.body);
	const permissions = {api: {user_write: {}}};
	const made = await person.ask('/auth/apikeys/', 'POST', {permissions});
	const narrow = market.as(wholeReply(contract.apiKeys.create, made.body).key);
	expect((await narrow(`/team/invite/${token}/`)).status).toBe(403);
	expect((await person.ask(`/team/invite/${token}/`)).status).toBe(200);
});

test('nobody gives a role that does more than their own, and a team has one owner', async () => {
	await using market = await openOperated();
	const {ask} = await openTeam(market);
	const permissions = {api: {team_read: {}, team_write: {}}};
	await ask('/team/roles/', 'POST', {name: 'people', permissions});
	const {team} = await joinAs(market, ask, 'people');
	const invited = '/team/invite/?email=x@example.org&role=manager';
	expect((await team(invited, 'POST')).status).toBe(403);
	const wide = {name: 'all', permissions: {api: {instance_write: {}}}};
	expect((await team('/team/roles/', 'POST', wide)).status).toBe(403);
	expect((await team('/team/roles/people/', 'PUT', wide)).status).toBe(403);
	expect((await team('/team/roles/', 'POST', {name: 'owner', permissions})).status).toBe(400);
	expect((await ask('/team/roles/owner/', 'PUT', {permissions})).status).toBe(403);
	expect((await team('/team/', 'DELETE')).body).toMatchObject({error: 'not_allowed'});
	const {team: manager} = await joinAs(market, ask, 'manager');
	expect((await manager('/team/members/')).status).toBe(200);
	expect((await manager('/team/', 'DELETE')).status).toBe(403);
	const roles = wholeReply(contract.teams.roles, (await ask('/team/roles-full/')).body);
	expect(roles.map(({name}) => name)).toEqual(['manager', 'member', 'people']);
	const [first] = roles;
	const shown = await ask(`/team/roles/${first?.id}/`);
	const manages = {api: Object.fromEntries(allPermissions.map(name => [name, {}]))};
	expect(shown.body).toMatchObject({name: 'manager', permissions: manages});
	expect((await ask('/team/roles/member/')).body).toMatchObject({
		permissions: {api: {instance_read: {}, instance_write: {}, misc: {}, user_read: {}}},
	});
});

test('a team that ends gives its credit to its owner, and its keys end', async () => {
	await using market = await openOperated();
	const {id, owner, ask} = await openTeam(market);
	const {team} = await joinAs(market, ask, 'member');
	const stolen = {recipient: owner.id, amount: 1};
	const {team: manager} = await joinAs(market, ask, 'manager');
	expect((await manager('/commands/transfer_credit/', 'PUT', stolen)).status).toBe(403);
	const gift = {recipient: id, amount: 1};
	expect((await owner.ask('/commands/transfer_credit/', 'PUT', gift)).status).toBe(200);
	const stranger = await market.add({}, 5);
	expect((await stranger.ask('/commands/transfer_credit/', 'PUT', gift)).status).toBe(400);
	expect((await ask('/team/', 'DELETE')).body).toMatchObject({success: true});
	expect((await owner.ask('/users/current/')).body).toMatchObject({credit: 100});
	expect([(await ask('/instances/')).status, (await team('/instances/')).status]).toEqual([
		401, 401,
	]);
	expect((await owner.ask('/team/', 'DELETE')).status).toBe(404);
	expect((await owner.ask('/team/', 'POST', {team_name: 'lab'})).status).toBe(200);
});
