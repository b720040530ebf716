import {sql} from 'kysely';
import {expect, test} from 'vitest';
import {bounds, holders, type Bound, type Made} from '../../source/contract/grammar/bounds.ts';
import {isReading, type Endpoint} from '../../source/contract/grammar/endpoint.ts';
import {contract} from '../../source/contract/index.ts';
import {openAccount} from '../../source/market/accounts/people.ts';
import {createTeam} from '../../source/market/teams/teams.ts';
import type {Database} from '../../source/market/database/database.ts';
import {fill, makers, openMakersMarket, type Maker} from '../helpers/makers.ts';
import {TEST_NOW} from '../helpers/market.ts';

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
const kinds = Object.keys(bounds) as Made[];
const boundOf = (kind: Made): Bound => bounds[kind];
const holderOf = (kind: Made) => holders[boundOf(kind).counts].replace(/^a/, 'A');

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

test.each(kinds.filter(kind => boundOf(kind).aDay !== undefined))(
	'%s: so many are made in a day, gone ones too, and others a day later',
	async kind => {
		await using world = await openMakersMarket();
		const maker = makers[kind];
		const {name, aDay = 0} = boundOf(kind);
		expect(await maker.make(world, 0)).toMatchObject({status: 200});
		if (aDay > 1) await fill(world, maker, aDay - 1 - (maker.before ?? 0));
		if (maker.end !== undefined) await sql.raw(maker.end).execute(world.database);
		const refused = await maker.make(world, 999_999);
		expect(refused).toMatchObject({status: 429});
		expect(refused.text).toContain(`${holderOf(kind)} makes at most ${aDay} ${name} in 24 hours.`);
		world.clock.pass(DAY + 1);
		expect(await maker.make(world, 999_998)).toMatchObject({status: 200});
	},
);

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
