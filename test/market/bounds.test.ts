import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {sql} from 'kysely';
import {expect, test} from 'vitest';
import {
	bounds,
	holders,
	MOST_DELIVERIES,
	type Bound,
	type CreatedKind,
} from '../../source/contract/grammar/bounds.ts';
import {isReading, type Endpoint} from '../../source/contract/grammar/endpoint.ts';
import {contract} from '../../source/contract/index.ts';
import {openAccount} from '../../source/market/accounts/people.ts';
import {noteEvent} from '../../source/market/notifications/store.ts';
import {createTeam} from '../../source/market/teams/teams.ts';
import {openDatabase, type Database} from '../../source/market/database/database.ts';
import {copyRow, fill, makers, openMakersMarket, type Maker} from '../helpers/market/makers.ts';
import {hearMachines} from '../helpers/market/instances.ts';
import {openTestMarket, TEST_NOW} from '../helpers/market/market.ts';
import {databaseOnPostgres} from '../helpers/market/postgres.ts';
import {noPostgres} from '../helpers/market/postgres-server.ts';
import {callVolumes, searchRoom} from '../helpers/market/volumes.ts';

const now = TEST_NOW;
const DAY = 86_400;

/** Calls that change something, and leave no more things than there were. */
const callsThatMakeNothing: Readonly<Record<string, string>> = {
	account: 'transfer',
	apiKeys: 'delete reset',
	copies: 'cancel',
	hosts: 'withdraw heartbeat disconnect report answer reportCopy reportCopyDoor',
	instances:
		'startMany acceptPriceIncrease rejectPriceIncrease change changeMany destroy destroyMany reboot recycle rebuild detachSshKey changeBid prepay setLease removeLease',
	machines:
		'offer setDefaultJob unlist setFloor deleteDefaultJob delete cancelMaintenance cleanUp defragment',
	notifications: 'changePreferences changeWebhook deleteWebhook rotateSecret testWebhook',
	relays: 'ports',
	scheduledJobs: 'change delete',
	secrets: 'update delete',
	sshKeys: 'update delete',
	teams: 'delete removeMember changeRole deleteRole',
	templates: 'edit delete',
	volumes: 'delete offerRoom unlistRoom',
	unsupported: 'startCloudCopy cancelCloudCopy',
};

const makesNothing = new Set(
	Object.entries(callsThatMakeNothing).flatMap(([noun, names]) =>
		names.split(' ').map(name => `${noun}.${name}`),
	),
);

const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;

test('every call that changes something has rows in the table of bounds, or makes nothing', () => {
	const changing = Object.entries(byNoun).flatMap(([noun, endpoints]) =>
		Object.entries(endpoints)
			// The operator, and who pays for others, are no accounts that are bounded.
			.filter(([, one]) => !isReading(one) && one.permission !== 'operator' && one.signed !== true)
			.map(([name, one]) => ({name: `${noun}.${name}`, makes: one.makes ?? []})),
	);
	const unknown = changing.filter(({name, makes}) => makes.length === 0 && !makesNothing.has(name));
	expect(unknown.map(({name}) => name)).toEqual([]);
	const making = changing.filter(({makes}) => makes.length > 0);
	expect(making.filter(({name}) => makesNothing.has(name))).toEqual([]);
	const made = new Set<string>(making.flatMap(({makes}) => makes));
	expect([...made].toSorted()).toEqual(Object.keys(bounds).toSorted());
	for (const name of makesNothing) expect(changing.map(one => one.name)).toContain(name);
});

async function rowsOf({database}: {readonly database: Database}, {table}: Maker): Promise<unknown> {
	const {rows} = await sql`select count(*) as count from ${sql.table(table)}`.execute(database);
	return rows[0];
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table itself
const kinds = Object.keys(bounds) as CreatedKind[];
const boundOf = (kind: CreatedKind): Bound => bounds[kind];
const holderOf = (kind: CreatedKind) => holders[boundOf(kind).counts].replace(/^a/, 'A');

test('nothing can be made and deleted without end', () => {
	// No row of a machine is deleted, and questions have ten minutes of their own.
	expect(kinds.filter(kind => boundOf(kind).aDay === undefined)).toEqual(['machine', 'question']);
});

test.each(kinds.filter(kind => boundOf(kind).most !== undefined))(
	'%s: one more than the table says is refused in a sentence and leaves nothing',
	async kind => {
		await using world = await openMakersMarket();
		const maker = makers[kind];
		const {name, most = 0} = boundOf(kind);
		expect(await maker.make(world, 0)).toMatchObject({status: 200});
		await fill(world, maker, most - 1 - (maker.before ?? 0));
		const before = await rowsOf(world, maker);
		const refused = await maker.make(world, 999_999);
		expect(refused).toMatchObject({status: 400});
		expect(refused.text).toContain(`${holderOf(kind)} has at most ${most} ${name}.`);
		expect(await rowsOf(world, maker)).toEqual(before);
		await sql.raw(maker.end ?? '').execute(world.database);
		expect(await maker.make(world, 999_998)).toMatchObject({status: 200});
	},
);

/** Tables from which the market deletes rows. */
function tablesDeletedFrom(): readonly string[] {
	const cwd = join(import.meta.dirname, '..', '..', 'source', 'market');
	const texts = globSync('**/*.ts', {cwd}).map(file => readFileSync(join(cwd, file), 'utf8'));
	const deleted = texts.flatMap(text => [
		...text.matchAll(/deleteFrom\('(\w+)'\)|delete from (\w+)/g),
	]);
	return deleted.map(([, one, other]) => one ?? other ?? '');
}

test.each(kinds.filter(kind => boundOf(kind).aDay !== undefined))(
	'%s: so many are made in a day, gone ones too, and others a day later',
	async kind => {
		await using world = await openMakersMarket();
		const maker = makers[kind];
		const {name, aDay = 0} = boundOf(kind);
		expect(await maker.make(world, 0)).toMatchObject({status: 200});
		// A tally, or the rows of which they are counted, which stay.
		const {numUpdatedRows} = await world.database
			.updateTable('tallies')
			.set({count: aDay})
			.where('kind', '=', kind)
			.executeTakeFirst();
		if (numUpdatedRows === 0n) expect(tablesDeletedFrom()).not.toContain(maker.table);
		if (aDay > 1 && numUpdatedRows === 0n) {
			await fill(world, maker, aDay - 1 - (maker.before ?? 0));
		}
		if (maker.end !== undefined) await sql.raw(maker.end).execute(world.database);
		const refused = await maker.make(world, 999_999);
		expect(refused).toMatchObject({status: 429});
		expect(refused.text).toContain(`${holderOf(kind)} makes at most ${aDay} ${name} in 24 hours.`);
		world.clock.pass(DAY + 1);
		expect(await maker.make(world, 999_998)).toMatchObject({status: 200});
	},
);

test('no more deliveries wait for a webhook than the table says', async () => {
	await using world = await openMakersMarket();
	const {database, accountId} = world;
	await makers.webhook.make(world, 0);
	await sql`
		insert into deliveries (webhook_id, event_id, slug, subject, message, happened_at, due_at)
		with recursive numbers (number) as (
			select 2 union all select number + 1 from numbers where number < ${MOST_DELIVERIES}
		)
		select webhooks.id, 'x' || number, '', '', '', 0, ${now + DAY} from webhooks, numbers
	`.execute(database);
	const event = {kind: 'client:outbid', slug: 'outbid', subject: '', message: '', at: now};
	for (const _ of [1, 2]) await noteEvent(database, {accountId, ...event});
	expect(await rowsOf(world, {...makers.webhook, table: 'deliveries'})).toEqual({
		count: MOST_DELIVERIES,
	});
});

test('teams of subaccounts, and invitations of all teams, count for the person behind them', async () => {
	await using world = await openMakersMarket();
	const {database, accountId, send} = world;
	const opening = {kind: 'renter', email: 'child@example.org', parentId: accountId, now} as const;
	const child = await openAccount(database, opening);
	const other = await openAccount(database, {kind: 'renter', now});
	for (let made = 1; made < 20; made++) {
		const ownerId = made % 2 === 0 ? child.id : accountId;
		await createTeam(database, {ownerId, name: `team ${made}`, micros: 0, now});
	}
	for (const key of [child.key, world.key]) {
		const refused = await send('POST team/', {team_name: 'more'}, key);
		expect(refused.text).toContain('A person with all subaccounts and teams has at most 20 teams.');
	}
	expect(await send('POST team/', {team_name: 'more'}, other.key)).toMatchObject({status: 200});
	const teams = await database
		.selectFrom('accounts')
		.select(['id'])
		.where('owner_id', '=', child.id)
		.execute();
	await makers.invitation.make(world, 0);
	await fill(world, makers.invitation, 99);
	await sql`update invitations set team_id = ${teams[0]?.id}`.execute(database);
	const refused = await makers.invitation.make(world, 1);
	expect(refused.text).toContain('has at most 100 open invitations to teams.');
});

test('a person with very many accounts that were closed long ago makes one more', async () => {
	await using world = await openMakersMarket();
	const {database, accountId, send} = world;
	await sql`
		insert into accounts (created_at, kind, role, parent_id, closed_at)
		with recursive numbers (number) as (
			select 1 union all select number + 1 from numbers where number < 40000
		)
		select 0, 'renter', 'member', ${accountId}, ${now - 2 * DAY} from numbers`.execute(database);
	expect(await send('POST team/', {team_name: 'more'}, world.key)).toMatchObject({status: 200});
});

test.skipIf(noPostgres !== undefined)(
	'of things made at once on several machines, no more are there than the table says',
	async () => {
		const file = await databaseOnPostgres();
		await using market = await openTestMarket({file, offers: 60});
		const database = await openDatabase(file);
		await hearMachines(database);
		const rooms = await searchRoom(market, {limit: 8, disk_space: {gte: 100}});
		const make = async (id = 0) => (await callVolumes(market, 'PUT', {id, size: 1})).status;
		expect(await make(rooms[0]?.id)).toBe(200);
		const {most} = bounds.volume;
		await copyRow(database, makers.volume, most - 2);
		const made = await Promise.all(rooms.map(async ({id}) => make(id)));
		expect(made.filter(status => status === 200)).toHaveLength(1);
		expect(made.filter(status => status === 400)).toHaveLength(7);
		await database.destroy();
	},
);
