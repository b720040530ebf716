import {randomUUID} from 'node:crypto';
import {expect, test} from 'vitest';
import type {AccountChange} from '../../../source/contract/nouns/account.ts';
import type {Endpoint} from '../../../source/contract/grammar/endpoint.ts';
import {contract} from '../../../source/contract/index.ts';
import {createHistory} from '../../../source/market/accounts/history.ts';
import {fairShare} from '../../../source/market/accounts/history-store.ts';
import {printArguments} from '../../../source/market/accounts/rules.ts';
import {validRequests, type ValidRequest} from '../../hostile/fuzz/valid-requests.ts';
import {asksOf, openOperated, type Ask} from '../../helpers/market/accounts.ts';
import {openTestMarketFile} from '../../helpers/market/instances.ts';
import {createHandClock, TEST_NOW, wholeReply} from '../../helpers/market/market.ts';
import {openDatabase} from '../../helpers/market/postgres.ts';

async function changesOf(ask: Ask, query = ''): Promise<readonly AccountChange[]> {
	const {body} = await ask(`/audit_logs/${query}`);
	return wholeReply(contract.account.changes, body).changes;
}

test('changes are listed with who, which key, from where, what and the outcome', async () => {
	await using market = await openOperated();
	const {id, ask} = await market.add({}, 5);
	const other = await market.add();
	await ask('/template/', 'POST', {name: 'T', image: 'debian', onstart: 'export A=hidden'});
	market.clock.pass(60);
	await ask('/instances/12/?api_key=hidden', 'PUT', {label: 'x'});
	await ask('/instances/', 'GET');
	await ask('/bundles/', 'POST', {});
	await ask('/hosts/heartbeat/', 'POST', {machines: []});
	await ask('/ssh/', 'POST', {ssh_key: 'hidden'});
	const found = await changesOf(ask, '?owner=me');
	const own = wholeReply(contract.account.current, (await ask('/users/current/')).body);
	const mine = {user_id: id, api_key_id: own.key_id, ip_address: '127.0.0.1'};
	expect(found).toMatchObject([
		{...mine, api_route: 'POST /api/v0/ssh/', status: 400, args: '{"ssh_key":"…"}'},
		{
			...mine,
			api_route: 'PUT /api/v0/instances/12/',
			created_at: TEST_NOW + 60,
			status: 404,
			args: '{"label":"x"}',
		},
		{
			...mine,
			api_route: 'POST /api/v0/template/',
			created_at: TEST_NOW,
			status: 200,
			args: '{"name":"T","image":"debian","onstart":"…"}',
		},
	]);
	expect(await changesOf(ask, `?before=${found[1]?.id}`)).toEqual([found[2]]);
	expect(await changesOf(other.ask)).toEqual([]);
	expect((await ask('/audit_logs/?before=x')).status).toBe(400);
});

test('what a key lacks the permission for is written, and may be all that it cannot read', async () => {
	await using market = await openOperated();
	const {ask} = await market.add();
	const permissions = {api: {misc: {}}};
	const {body} = await ask('/auth/apikeys/', 'POST', {name: 'search', permissions});
	const {key, id} = wholeReply(contract.apiKeys.create, body);
	const search = market.as(key);
	expect((await search('/audit_logs/')).status).toBe(403);
	expect((await search('/secrets/', 'POST', {key: 'A', value: 'b'})).status).toBe(403);
	expect((await changesOf(ask))[0]).toMatchObject({
		api_key_id: id,
		api_route: 'POST /api/v0/secrets/',
		status: 403,
		args: '{}',
	});
});

test('a member of a team is named, and an invitation is not', async () => {
	await using market = await openOperated();
	const owner = await market.add();
	const guest = await market.add({email: 'guest@example.org'});
	const {body: team} = await owner.ask('/team/', 'POST', {team_name: 'we'});
	const asTeam = market.as(wholeReply(contract.teams.create, team).api_key);
	const {body: invited} = await asTeam('/team/invite/?email=guest@example.org&role=member', 'POST');
	const {token} = wholeReply(contract.teams.invite, invited);
	const {body: joined} = await guest.ask(`/team/invite/${token}/`);
	const member = market.as(wholeReply(contract.teams.join, joined).api_key);
	await member('/instances/1/', 'DELETE');
	expect((await changesOf(guest.ask))[0]).toMatchObject({
		api_route: 'GET /api/v0/team/invite/:token/',
		args: '{}',
	});
	const [latest, invitation] = await changesOf(asTeam);
	expect(latest).toMatchObject({user_id: guest.id, api_route: 'DELETE /api/v0/instances/1/'});
	expect(invitation?.args).toBe('{"email":"guest@example.org","role":"member"}');
});

test('nothing that may be secret is kept, whichever call it was sent with', async () => {
	await using market = await openTestMarketFile();
	const ask = asksOf(market.call)(market.key);
	const canary = randomUUID();
	const names =
		'password ssh_key captcha invitation key value onstart command args_str image_login unknown';
	const secrets = {
		...Object.fromEntries(
			`${names} docker_login_pass jupyter_token`.split(' ').map(name => [name, canary]),
		),
		env: {[`-e A=${canary}`]: canary},
		args: [canary],
		webhook_url: `https://hooks.invalid/${canary}`,
		extra: {deep: [{er: canary}]},
	};
	const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;
	const requests: Readonly<Record<string, Readonly<Record<string, ValidRequest>>>> = validRequests;
	for (const [noun, endpoints] of Object.entries(byNoun)) {
		for (const [name, {method, path}] of Object.entries(endpoints)) {
			// The one resets the key that asks.
			if (method === 'GET' || name === 'reset') continue;
			const named = path.replace('/api/v0', '').replaceAll(/\{\w+\}/g, '999');
			const {body} = requests[noun]?.[name] ?? {};
			await ask(`${named}?api_key=${canary}`, method, {...body, ...secrets});
		}
	}
	const kept = await changesOf(ask);
	expect(kept.length).toBeGreaterThan(70);
	expect(JSON.stringify(kept)).not.toContain(canary.slice(0, 8));
});

test('arguments stay JSON of a bounded length, whatever is sent', () => {
	const long = printArguments({label: 'x'.repeat(5000), env: '\0\ud800', ids: Array(900).fill(7)});
	expect(JSON.parse(long)).toMatchObject({label: `${'x'.repeat(200)}…`, env: '…'});
	const many = Object.fromEntries(Array.from({length: 900}, (_, at) => [`field${at}`, at]));
	const text = printArguments({...many, ['n'.repeat(9000)]: 1});
	expect(text.length).toBeLessThan(2100);
	expect(JSON.parse(text)).toMatchObject({field0: 0, '…': '…'});
	expect(
		printArguments({['n'.repeat(9000)]: {a: {b: {c: {d: {e: {f: {}}}}}}}}).length,
	).toBeLessThan(200);
});

test('an account keeps its newest changes, and none for longer than 90 days', async () => {
	await using database = await openDatabase(':memory:');
	const clock = createHandClock(TEST_NOW);
	const history = createHistory({database, clock, log: () => undefined});
	const note = (accountId: number, count: number) => {
		for (let at = 0; at < count; at++) {
			const caller = {id: 1, accountId, memberId: null};
			history.note({caller, at: clock.now(), address: '', route: 'PUT /', sent: {at}, status: 200});
		}
	};
	const count = async (accountId: number) =>
		(
			await database
				.selectFrom('account_changes')
				.select('id')
				.where('account_id', '=', accountId)
				.execute()
		).length;
	note(1, 3);
	note(2, 11_200);
	await history.flush();
	expect([await count(1), await count(2)]).toEqual([3, 10_000]);
	clock.pass(91 * 86_400);
	note(1, 1);
	await history.flush();
	expect([await count(1), await count(2)]).toEqual([1, 0]);
});

test('refused calls displace no change that was made, and no key displaces those of others', async () => {
	await using database = await openDatabase(':memory:');
	const clock = createHandClock(TEST_NOW);
	const history = createHistory({database, clock, log: () => undefined});
	const note = async (id: number, status: number, count: number) => {
		for (let at = 0; at < count; at++) {
			const caller = {id, accountId: 1, memberId: null};
			history.note({caller, at: clock.now(), address: '', route: 'PUT /', sent: {at}, status});
		}
		await history.flush();
	};
	const [person, instance] = [1, 2];
	await note(person, 200, 40);
	await note(person, 404, 30);
	await note(instance, 403, 12_000);
	await note(instance, 200, 12_000);
	const rows = await database
		.selectFrom('account_changes')
		.select(['key_id', 'status'])
		.select(({fn}) => fn.countAll<number>().as('count'))
		.groupBy(['key_id', 'status'])
		.orderBy('key_id')
		.orderBy('status')
		.execute();
	expect(rows.map(({key_id, status, count}) => [key_id, status, count])).toEqual([
		[person, 200, 40],
		[person, 404, 30],
		[instance, 200, 9960],
		[instance, 403, 970],
	]);
});

test.each([
	[[], 10, Infinity],
	[[3, 7], 10, Infinity],
	[[3, 8], 10, 7],
	[[1, 50, 50], 11, 5],
	[[5, 5], 0, 0],
])('of counts %j within %i each keeps %d', (counts, most, each) => {
	expect(fairShare(counts, most)).toBe(each);
});

test('changes that a database does not take at once are written when it does', async () => {
	await using database = await openDatabase(':memory:');
	const log: string[] = [];
	const clock = createHandClock(TEST_NOW);
	const history = createHistory({database, clock, log: line => log.push(line)});
	const caller = {id: 1, accountId: 1, memberId: null};
	const change = {caller, at: TEST_NOW, address: '::1', route: 'PUT /', sent: {}, status: 200};
	history.note(change);
	await database.schema.alterTable('account_changes').renameTo('away').execute();
	await history.stop();
	expect(log).toMatchObject([/history was not written/]);
	await database.schema.alterTable('away').renameTo('account_changes').execute();
	history.note(change);
	await history.flush();
	expect(await database.selectFrom('account_changes').select('id').execute()).toHaveLength(2);
});

test('addresses are listed once each, of the account itself and of those within it', async () => {
	await using market = await openOperated({trustedProxies: ['127.0.0.1']});
	const parent = await market.add();
	const sub = {email: 'in@example.org', username: 'in', password: 'p', parent_id: 'me'};
	const {body} = await parent.ask('/users/', 'POST', sub);
	const {id, api_key: key} = wholeReply(contract.account.create, body);
	const from = async (address: string) =>
		market.call('/api/v0/users/current/', {
			headers: {authorization: `Bearer ${key}`, 'x-forwarded-for': address},
		});
	await from('203.0.113.7');
	market.clock.pass(7200);
	await from('2001:db8::1');
	market.clock.pass(3600);
	await from('203.0.113.7');
	const reply = await parent.ask(`/users/${id}/ipaddrs/?owner=me`);
	expect(wholeReply(contract.account.addresses, reply.body).results).toMatchObject([
		{
			ip_address: '203.0.113.7',
			ip: '203.0.113.7',
			timestamp: isoAfter(0),
			last_seen: isoAfter(10_800),
		},
		{user_id: id, ip_address: '2001:db8::1', first_seen: isoAfter(7200), first_location: ''},
	]);
	expect((await market.as(key)(`/users/${parent.id}/ipaddrs/`)).status).toBe(403);
	expect((await market.as(key)('/users/me/ipaddrs')).status).toBe(200);
});

function isoAfter(seconds: number): string {
	return new Date((TEST_NOW + seconds) * 1000).toISOString();
}
