import {expect, test} from 'vitest';
import {isReading, type Endpoint} from '../../source/contract/grammar/endpoint.ts';
import {isRecord, listOf} from '../../source/contract/grammar/json.ts';
import {covers, routeOf, type Grants} from '../../source/contract/grammar/permissions.ts';
import {contract} from '../../source/contract/index.ts';
import {schemaOf} from '../../source/contract/openapi.ts';
import type {ApiKey} from '../../source/market/base/api-key.ts';
import type {Database} from '../../source/market/database/database.ts';
import {createKey, findApiKey, findKeyById} from '../../source/market/api-keys/store.ts';
import {grantsOfRole} from '../../source/market/teams/teams.ts';
import {databaseWith, openUnder} from '../helpers/rights/copy.ts';
import {operationOf, requestFor, type Operation} from '../helpers/rights/records.ts';
import {asSent, fillRights} from '../helpers/rights/world.ts';
import {TEST_NOW as now} from '../helpers/market/market.ts';

/**
 * What a key gains by what it makes: a line for each call that makes something or answers a secret, and
 * in it what a key for this call alone, for its permission alone, with a cap, and of a role in a team
 * get. `-` is refused, `key` one that may do no more than its maker, `its` one for what was made alone,
 * `yes` something that does nothing by itself.
 */
const gains: Readonly<Record<string, string>> = {
	'account.change': 'yes yes - yes yes',
	'account.create': '- - - - -',
	'apiKeys.create': '- - key - key',
	'apiKeys.reset': '- - - - -',
	'copies.start': 'yes yes - yes yes',
	'hosts.heartbeat': 'yes yes - yes yes',
	'hosts.publish': 'yes yes - yes yes',
	'instances.attachSshKey': 'yes yes - yes yes',
	'instances.create': 'its its - its its',
	'instances.createMany': 'its its yes its its',
	'instances.execute': 'yes yes - yes yes',
	'instances.launch': '- - - - its',
	'instances.takeSnapshot': 'yes yes - yes yes',
	'machines.announceMaintenance': 'yes yes - yes yes',
	'machines.report': 'yes yes - yes yes',
	'machines.test': 'yes yes - yes yes',
	'notifications.createWebhook': 'yes yes - yes yes',
	'notifications.rotateSecret': 'yes yes - yes yes',
	'scheduledJobs.create': '- yes - yes yes',
	'secrets.create': 'yes yes - yes yes',
	'sshKeys.create': 'yes yes - yes yes',
	'sshKeys.update': 'yes yes - yes yes',
	'teams.addRole': '- - - - yes',
	'teams.create': '- - - - -',
	'teams.invite': '- - - - yes',
	'teams.join': '- - - - -',
	'templates.create': 'yes yes - yes yes',
	'volumes.copy': 'yes yes - yes yes',
	'volumes.create': 'yes yes - yes yes',
};

const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;
const SECRET = /"(?:\w+_)?(?:key|token|secret|ticket)":/;
/** Calls of people: operators and relays have no narrow keys. */
const makers = Object.entries(byNoun).flatMap(([noun, endpoints]) =>
	Object.entries(endpoints)
		.filter(
			([, endpoint]) =>
				!isReading(endpoint) &&
				(endpoint.makes !== undefined ||
					SECRET.test(JSON.stringify(schemaOf(endpoint.replies[200])))) &&
				endpoint.permission !== 'operator' &&
				endpoint.permission !== 'relay',
		)
		.map(([name, endpoint]) => operationOf(noun, name, endpoint)),
);

const world = fillRights();

type Limit = {
	/** Whose key it is, and whose records are named. */
	readonly of: 'one' | 'team';
	readonly keyFor: (operation: Operation) => object;
};

/** Keys by what limits them, in the order of a line. */
const limits: readonly Limit[] = [
	{of: 'one', keyFor: one => allowing({[permissionOf(one)]: {[routeOf(one.endpoint.path)]: {}}})},
	{of: 'one', keyFor: one => allowing({[permissionOf(one)]: {}})},
	{of: 'one', keyFor: () => ({cap: {dollars: 5}})},
	{of: 'team', keyFor: one => allowing({[permissionOf(one)]: {}})},
	{
		of: 'team',
		keyFor: one => ({permissions: {manage_instances: true, [permissionOf(one)]: true}}),
	},
];

function allowing(api: object) {
	return {permissions: {api}};
}

function permissionOf({endpoint: {permission}}: Operation): string {
	return permission === 'any key' || permission === undefined ? 'user_read' : permission;
}

/** Requests that make more than a valid one does. */
const wider: Readonly<Record<string, object>> = {'account.create': {parent_id: 'me'}};

/** What things that were made may do for whoever has them, where no key is answered. */
const given: Readonly<Record<string, (database: Database) => Promise<Grants>>> = {
	'teams.invite': async database => grantsOfRole(await newest(database, 'invitation')),
	'teams.addRole': async database => grantsOfRole(await newest(database, 'role')),
	async 'scheduledJobs.create'(database) {
		const {api_endpoint} = await database
			.selectFrom('scheduled_jobs')
			.select('api_endpoint')
			.orderBy('id', 'desc')
			.executeTakeFirstOrThrow();
		const route = routeOf(api_endpoint.replace(/\d+/, '{id}').replace('v{id}', 'v0'));
		return [{permission: 'instance_write', route, ids: undefined}];
	},
};

async function newest(database: Database, kind: 'invitation' | 'role') {
	const roles = database.selectFrom('team_roles').select('team_roles.permissions');
	const query =
		kind === 'role'
			? roles.orderBy('team_roles.id', 'desc')
			: roles
					.innerJoin('invitations', 'invitations.role_id', 'team_roles.id')
					.orderBy('invitations.id', 'desc');
	return query.limit(1).executeTakeFirstOrThrow();
}

/** Keys in an answer. */
async function keysIn(database: Database, value: unknown): Promise<readonly ApiKey[]> {
	if (typeof value === 'string') {
		const key = await findApiKey(database, value);
		return key === undefined ? [] : [key];
	}
	const inner: readonly unknown[] = isRecord(value) ? Object.values(value) : listOf(value);
	return (await Promise.all(inner.map(async one => keysIn(database, one)))).flat();
}

/** What a key that makes something gets of it. */
async function gainOf(operation: Operation, {of, keyFor}: Limit): Promise<string> {
	const {content, records, ended, word} = await world;
	const database = await databaseWith(content);
	try {
		const own = records.get(of) ?? ended;
		const {id, value} = await createKey(database, {
			accountId: own.account,
			name: 'narrow',
			now,
			...keyFor(operation),
		});
		const maker = await findKeyById(database, id);
		if (maker === undefined) throw new Error('the key is not there');
		const body = {...operation.request.body, ...wider[operation.name]};
		const wanted = {...operation, request: {...operation.request, body}};
		const {app} = openUnder(database);
		const reply = await app.request(...asSent(requestFor(wanted, own, word), value));
		if (reply.status >= 400) return '-';
		const keys = await keysIn(database, await reply.json());
		if (keys.length > 0) return keys.map(key => wordOf(maker, key)).join();
		const grants = await given[operation.name]?.(database);
		return covers(maker.grants, grants ?? []) ? 'yes' : 'more';
	} finally {
		await database.destroy();
	}
}

function wordOf(maker: ApiKey, {instanceId, accountId, capped, grants}: ApiKey): string {
	if (instanceId !== null) return 'its';
	const isWithin =
		accountId === maker.accountId &&
		capped?.keyId === maker.capped?.keyId &&
		covers(maker.grants, grants);
	return isWithin ? 'key' : 'more';
}

test('every call that makes something has a line', () => {
	expect(makers.map(({name}) => name).toSorted()).toEqual(Object.keys(gains).toSorted());
});

test.each(makers)('what $name makes lets nobody do more than whoever made it', async operation => {
	const cells: string[] = [];
	for (const limit of limits) cells.push(await gainOf(operation, limit));
	expect(cells.join(' ')).toBe(gains[operation.name]);
	expect(cells).not.toContain('more');
});
