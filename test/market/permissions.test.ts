import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import type {Endpoint} from '../../source/contract/endpoint.ts';
import {contract} from '../../source/contract/index.ts';
import {openAccount} from '../../source/market/operations/people.ts';
import {createTeam} from '../../source/market/operations/teams.ts';
import {createKey} from '../../source/market/store/keys.ts';
import {addSshKey} from '../../source/market/store/ssh-keys.ts';
import {validRequests} from '../hostile/fuzz/valid-requests.ts';
import type {ValidRequest} from '../hostile/fuzz/valid-requests.ts';
import {openTestMarketFile, rentRunning} from '../helpers/instances.ts';
import {TEST_NOW} from '../helpers/market.ts';

/**
 * Every call with the key of everybody: `yes` where it is done, and the status where it is refused.
 * What a call names is the renter's, or for machines the provider's.
 */
const roles = [
	'renter',
	'other renter',
	'provider',
	'other provider',
	'team owner',
	'team member',
	'operator',
	'instance, its own',
	'instance, another',
	'no key',
] as const;

type Role = (typeof roles)[number];

const file = join(import.meta.dirname, '..', 'fixtures', 'permissions.txt');
const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;
const requests: Readonly<Record<string, Readonly<Record<string, ValidRequest>>>> = validRequests;

/** Accounts of every kind, an instance of the renter, and another one with a key of its own. */
async function openWorld() {
	const market = await openTestMarketFile({offers: 12});
	const {database} = market;
	const now = TEST_NOW;
	const open = async (kind: 'renter' | 'provider') => openAccount(database, {kind, now});
	const [renter, other, otherProvider] = [
		await open('renter'),
		await open('renter'),
		await open('provider'),
	];
	const {id: accountId} = renter;
	const {id: first, machine_id: machine} = await rentRunning(database, {account_id: accountId});
	const {id: second} = await rentRunning(database, {account_id: accountId});
	const instanceKey = async (instanceId: number) => {
		const constraints = {id: {eq: instanceId}};
		const permissions = {api: {instance_write: {'api.instance': {constraints}}}};
		return (await createKey(database, {accountId, name: '', permissions, instanceId, now})).value;
	};
	const spare = await createKey(database, {accountId, name: 'spare', now});
	const text = 'ssh-ed25519 AAAA me';
	const key = {text, blob: 'AAAA', type: 'ssh-ed25519', comment: 'me'};
	const {id: sshKey} = await addSshKey(database, {accountId, key, now});
	const team = await createTeam(database, {ownerId: other.id, name: 'theirs', micros: 0, now});
	const {id: roleId} = await database
		.selectFrom('team_roles')
		.select('id')
		.where('name', '=', 'member')
		.executeTakeFirstOrThrow();
	const member = {team_id: team.teamId, account_id: accountId, role_id: roleId, joined_at: now};
	await database.insertInto('team_members').values(member).execute();
	const {value: memberKey} = await createKey(database, {
		accountId: team.teamId,
		name: 'member',
		memberId: accountId,
		now,
	});
	const keys: Readonly<Record<Role, string | undefined>> = {
		renter: renter.key,
		'other renter': other.key,
		provider: await market.createKey('provider', 'host'),
		'other provider': otherProvider.key,
		'team owner': team.key,
		'team member': memberKey,
		operator: await market.createOperatorKey('operator'),
		'instance, its own': await instanceKey(second),
		'instance, another': await instanceKey(second),
		'no key': undefined,
	};
	const ids = {accountId, first, second, machine, sshKey, spare: spare.id};
	return {...market, keys, ids};
}

type World = Awaited<ReturnType<typeof openWorld>>;

/** A path that names what is the renter's. */
function pathOf({path}: Endpoint, {ids}: World, role: Role): string {
	const instance = role === 'instance, its own' ? ids.second : ids.first;
	const id = path.includes('/machines/')
		? ids.machine
		: path.includes('/apikeys/')
			? ids.spare
			: path.includes('/v0/ssh/')
				? ids.sshKey
				: path.includes('/operator/') || path.includes('/members/')
					? ids.accountId
					: instance;
	return path
		.replace('{id}', String(id))
		.replace('{key_id}', String(ids.spare))
		.replace('{ssh_key_id}', String(ids.sshKey))
		.replace('{user_id}', String(ids.accountId))
		.replace('{role}', 'member')
		.replace('{token}', 'word');
}

/** A body whose instances, machines and keys are those of the world. */
function bodyOf({body}: ValidRequest, {path}: Endpoint, {ids}: World): string | undefined {
	if (body === undefined) return undefined;
	const own = {
		...('ids' in body && path.includes('/instances/') && {ids: [ids.first]}),
		...('IDs' in body && {IDs: [ids.first]}),
		...('id' in body && path.includes('reset_apikey') && {id: ids.spare}),
		...('machine' in body && {machine: ids.machine}),
		...('machine_ids' in body && {machine_ids: [ids.machine]}),
	};
	return JSON.stringify({...body, ...own});
}

async function ask(world: World, endpoint: Endpoint, request: ValidRequest, role: Role) {
	const query = new URLSearchParams(
		Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)]),
	);
	const {method} = endpoint;
	const body = method === 'GET' ? undefined : bodyOf(request, endpoint, world);
	const key = world.keys[role];
	const {status, body: answer} = await world.call(
		`${pathOf(endpoint, world, role)}?${query.toString()}`,
		{
			method,
			...(body !== undefined && {body}),
			headers: {authorization: key && `Bearer ${key}`},
		},
	);
	expect(status, `${method} ${endpoint.path} as ${role}`).toBeLessThan(500);
	// Clients print it.
	if (method === 'DELETE' && status < 300 && typeof answer !== 'string')
		expect(answer).toHaveProperty('msg');
	return status < 300 ? 'yes' : String(status);
}

/** Those who may not ask first: what is done is done. */
const order: readonly Role[] = [...roles].toReversed();

async function rowOf(noun: string, name: string, endpoint: Endpoint): Promise<string> {
	await using world = await openWorld();
	const answers = new Map<Role, string>();
	for (const role of order) {
		answers.set(role, await ask(world, endpoint, requests[noun]?.[name] ?? {}, role));
	}
	const cells = roles.map(role => (answers.get(role) ?? '').padEnd(role.length)).join('  ');
	return `${`${endpoint.method} ${endpoint.path}`.padEnd(WIDTH)}  ${cells}`.trimEnd();
}

const WIDTH = 60;
const head = `${'call'.padEnd(WIDTH)}  ${roles.join('  ')}`;

const rows = Object.entries(byNoun).flatMap(([noun, endpoints]) =>
	Object.entries(endpoints).map(([name, endpoint]) => [noun, name, endpoint] as const),
);

test('every call lets in those whom the table names, and nobody else', async () => {
	const found = [head];
	for (const [noun, name, endpoint] of rows) found.push(await rowOf(noun, name, endpoint));
	const text = `${found.join('\n')}\n`;
	if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(file, text);
	expect(readFileSync(file, 'utf8'), 'look at it, then UPDATE_DOCS=1 vitest run this').toBe(text);
});

/** Roles and answers of a line of the table. */
function cellsOf(line: string): Readonly<Record<string, string>> {
	let at = WIDTH + 2;
	return Object.fromEntries(
		roles.map(role => {
			const cell = line.slice(at, at + role.length).trim();
			at += role.length + 2;
			return [role, cell];
		}),
	);
}

test.each(rows)('the table holds what is true of all: %s %s', (_, name, endpoint) => {
	const call = `${endpoint.method} ${endpoint.path}`.padEnd(WIDTH);
	const line = readFileSync(file, 'utf8')
		.split('\n')
		.find(text => text.startsWith(`${call}  `));
	expect([name, line]).not.toEqual([name, undefined]);
	const cells = cellsOf(line ?? '');
	const {permission, keyless = false, path} = endpoint;
	if (permission === undefined) return;
	if (!keyless) expect(cells['no key']).toBe(endpoint.refusesAs === 'bills' ? '403' : '401');
	if (permission === 'any key') return;
	const isOperators = permission === 'operator';
	expect(cells['operator'] === '403').toBe(!isOperators);
	for (const role of roles.filter(one => one !== 'operator' && one !== 'no key')) {
		if (isOperators) expect([role, cells[role]]).toEqual([role, '403']);
	}
	expect(cells['instance, another']).not.toBe('yes');
	if (permission === 'instance_write' && path.includes('/instances/') && path.includes('{id}')) {
		expect(cells['other renter']).not.toBe('yes');
		expect(cells['provider']).not.toBe('yes');
	}
});
