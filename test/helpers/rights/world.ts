/** Accounts of every kind with records of every kind, in a market that each call finds as it was. */
import {createHmac} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {sql} from 'kysely';
import {openAccount} from '../../../source/market/accounts/people.ts';
import {createTeam} from '../../../source/market/teams/teams.ts';
import {makeOffers} from '../market/made-offers.ts';
import {addCredit} from '../../../source/market/ledger/accounts-store.ts';
import {openDatabase, type Database} from '../../../source/market/database/database.ts';
import {createKey} from '../../../source/market/api-keys/store.ts';
import {publishedOf} from '../../../source/market/machines/listing-rules.ts';
import {insertOffers, offersOn} from '../../../source/market/offers/store.ts';
import {insertInvitation} from '../../../source/market/accounts/people-store.ts';
import {insertRelay} from '../../../source/market/relay/relays-store.ts';
import {openFolder} from '../folder.ts';
import {rentRunning} from '../market/instances.ts';
import {TEST_NOW} from '../market/market.ts';
import {openCopy, PAYMENT_SECRET} from './copy.ts';
import {addEnding, endAll} from './ended.ts';
import type {Records} from './records.ts';
import {addRecords, type Place} from './owned.ts';

/** Whose records are named: letters stand for them in the table. */
export const owners = ['one', 'team', 'parent', 'child', 'stranger'] as const;
export type Owner = (typeof owners)[number];

export const callers = [
	'one',
	'one, narrow key',
	'one, instance’s key',
	'team’s owner',
	'team’s manager',
	'team’s people role',
	'team’s member',
	'empty team’s owner',
	'parent',
	'child',
	'stranger',
	'operator',
	'relay',
	'closed',
	'closed, key of the team',
	'no key',
] as const;
export type Caller = (typeof callers)[number];

/** Whoever may make a call, about whose records: the first pair for which it works is taken. */
export const pairs: ReadonlyArray<readonly [Caller, Owner | 'ended']> = [
	['one', 'one'],
	['team’s owner', 'team'],
	['empty team’s owner', 'ended'],
	['operator', 'one'],
	['operator', 'ended'],
	['relay', 'ended'],
	['one', 'parent'],
];

const now = TEST_NOW;
/** The relay whose key calls. */
const asking = {
	name: 'asking',
	host: 'asking.example',
	first_port: 42_000,
	last_port: 42_999,
	url: 'https://asking.example',
};
const people = JSON.stringify({
	api: {team_read: {}, team_write: {}, user_read: {}, user_write: {}},
});

/** What nobody but an account itself, and those who are in its list, may ever be told. */
export function emailOf(owner: string): string {
	return `${owner}@private.example`;
}

/** People, a subaccount, and two teams. */
async function openPeople(database: Database) {
	const open = async (name: string, parentId?: number) =>
		openAccount(database, {
			kind: 'both',
			email: emailOf(name),
			username: `${name}-name`,
			now,
			...(parentId !== undefined && {parentId}),
		});
	const [one, parent, owner] = [await open('one'), await open('parent'), await open('owner')];
	const [manager, closed, plain] = [
		await open('manager'),
		await open('closed'),
		await open('plain'),
	];
	const [ofPeople, rival] = [await open('people'), await open('rival')];
	const child = await open('child', parent.id);
	const idle = await createTeam(database, {ownerId: owner.id, name: 'idle', micros: 0, now});
	const team = await createTeam(database, {ownerId: owner.id, name: 'lab', micros: 0, now});
	const stranger = await createTeam(database, {ownerId: rival.id, name: 'theirs', micros: 0, now});
	const accounts: Readonly<Record<Owner, number>> = {
		one: one.id,
		team: team.teamId,
		parent: parent.id,
		child: child.id,
		stranger: stranger.teamId,
	};
	return {accounts, one, parent, child, team, idle, stranger, manager, closed, plain, ofPeople};
}

type People = Awaited<ReturnType<typeof openPeople>>;

/** Two machines with an offer for each account, those of all of them before the second ones, and one more. */
async function addPlaces(database: Database, accounts: People['accounts']) {
	const offers = makeOffers({seed: 7, count: 60, epoch: now})
		.filter(
			({machine_id: id}, index, all) => all.findIndex(other => other.machine_id === id) === index,
		)
		.slice(0, 2 * owners.length + 1);
	const places: Place[] = [];
	for (const [index, {machine_id: id, host_id, id: offer}] of offers.entries()) {
		const account_id = accounts[owners[index % owners.length] ?? 'one'];
		const machine = {id, host_id, account_id, name: `m${id}`, num_gpus: 1, heard_at: now};
		await database.insertInto('machines').values(machine).execute();
		places.push({machine: id, offer, host: account_id});
	}
	await insertOffers(
		database,
		offers.map(offer => ({...offer, rentable: 1})),
	);
	for (const {machine: id} of places) {
		const published = publishedOf({publication: null, num_gpus: 1}, await offersOn(database, id));
		const publication = JSON.stringify({...published, push_registries: ['images.example']});
		await database.updateTable('machines').set({publication}).where('id', '=', id).execute();
	}
	return places;
}

/** Records of each account, whose instance runs on a machine of the next one. */
async function addAll(database: Database, {accounts, manager, team}: People) {
	const places = await addPlaces(database, accounts);
	const made: Array<readonly [Owner, Records]> = [];
	const ended = await addEnding(database, accounts.one, places[2 * owners.length]);
	for (const [index, name] of owners.entries()) {
		const accountId = accounts[name];
		await addCredit(database, accountId, {micros: 1e9, description: 'test', now});
		const own = places[index];
		const rented = places[owners.length + ((index + 1) % owners.length)];
		if (own === undefined || rented === undefined) throw new Error('too few machines');
		const rental = {account_id: accountId, ask_id: rented.offer};
		const {id: instance} = await rentRunning(database, rental);
		made.push([name, await addRecords(database, {accountId, own, instance, name})]);
	}
	await endAll(database, accounts.one, ended);
	const records = new Map(
		made.map(([name, of], index) => {
			const hosted = made.at(index - 1)?.[1].instance ?? 0;
			// Of the team, its manager and its owner's key are what others in it are after.
			const wanted = name === 'team' && {member: manager.id, apiKey: team.keyId};
			return [name, {...of, hosted, ...wanted}] as const;
		}),
	);
	return {records, ended};
}

/** Lets somebody join the team, and answers the key for it. */
async function join(database: Database, teamId: number, [accountId, role]: [number, string]) {
	const known = await database
		.selectFrom('team_roles')
		.select('id')
		.where('team_id', '=', teamId)
		.where('name', '=', role)
		.executeTakeFirstOrThrow();
	const member = {team_id: teamId, account_id: accountId, role_id: known.id, joined_at: now};
	await database.insertInto('team_members').values(member).execute();
	const key = {accountId: teamId, name: role, memberId: accountId, now};
	return (await createKey(database, key)).value;
}

async function keysOf(
	database: Database,
	persons: People,
	instance: number,
): Promise<Readonly<Record<Caller, string | undefined>>> {
	const {one, team, manager, ofPeople, plain, closed, parent, child, stranger} = persons;
	const {teamId: team_id} = team;
	await database
		.insertInto('team_roles')
		.values({team_id, name: 'people', permissions: people})
		.execute();
	const grants = {instance_write: {'api.instance': {constraints: {id: {eq: instance}}}}};
	const keyOf = async (permissions: object, instanceId?: number) => {
		const key = {accountId: one.id, name: 'k', permissions: {api: permissions}, now};
		const made = {...key, ...(instanceId !== undefined && {instanceId})};
		return (await createKey(database, made)).value;
	};
	return {
		one: one.key,
		'one, narrow key': await keyOf({user_read: {}, instance_read: {}}),
		'one, instance’s key': await keyOf(grants, instance),
		'team’s owner': team.key,
		'team’s manager': await join(database, team_id, [manager.id, 'manager']),
		'team’s people role': await join(database, team_id, [ofPeople.id, 'people']),
		'team’s member': await join(database, team_id, [plain.id, 'member']),
		'empty team’s owner': persons.idle.key,
		parent: parent.key,
		child: child.key,
		stranger: stranger.key,
		operator: (await openAccount(database, {kind: 'operator', now})).key,
		relay: (await insertRelay(database, asking, now)).key,
		closed: closed.key,
		'closed, key of the team': await join(database, team_id, [closed.id, 'manager']),
		'no key': undefined,
	};
}

async function fill(database: Database) {
	const persons = await openPeople(database);
	const {records, ended} = await addAll(database, persons);
	const keys = await keysOf(database, persons, records.get('one')?.instance ?? 0);
	await database
		.updateTable('accounts')
		.set({closed_at: now})
		.where('id', '=', persons.closed.id)
		.execute();
	const word = await insertInvitation(database, {
		team_id: persons.team.teamId,
		role_id: records.get('team')?.role ?? 0,
		email: null,
		created_at: now,
		expires_at: now + 3600,
	});
	return {keys, records, ended, word};
}

/** All of them, and the content of a file in which they are. */
export async function fillRights() {
	using folder = openFolder();
	const [file, copy] = [`${folder.path}/market.db`, `${folder.path}/copy.db`];
	const database = await openDatabase(file);
	const filled = await fill(database);
	await sql`vacuum into ${copy}`.execute(database);
	await database.destroy();
	return {...filled, content: readFileSync(copy)};
}

/** A call as it is sent with a key; what a payment service tells is signed. */
export function asSent(
	{path, ...init}: {path: string; method: string; body?: string},
	key: string | undefined,
) {
	const headers = {
		'content-type': 'application/json',
		...(key !== undefined && {authorization: `Bearer ${key}`}),
		...(path.startsWith('/api/v0/payments/') && signed(init.body ?? '')),
	};
	return [path, {...init, headers}] as const;
}

function signed(body: string) {
	const hmac = createHmac('sha256', PAYMENT_SECRET).update(`${now}.${body}`).digest('hex');
	return {'x-payment-timestamp': String(now), 'x-payment-signature-256': `sha256=${hmac}`};
}

/** A market that is the same at the beginning of every call. */
export async function openRights() {
	const {content, ...filled} = await fillRights();
	let market = openCopy(content);
	return {
		...filled,
		/** What a call is answered, and how many rows it changed, or posts it sent. */
		async call(request: {path: string; method: string; body?: string}, key: string | undefined) {
			const before = market.changes();
			const response = await market.app.request(...asSent(request, key));
			const text = await response.text();
			const changed = market.changes() - before;
			if (changed > 0) {
				await market.close();
				market = openCopy(content);
			}
			return {status: response.status, text, changed};
		},
		[Symbol.asyncDispose]: async () => market.close(),
	};
}
