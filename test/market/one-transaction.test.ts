import {sql} from 'kysely';
import {expect, test} from 'vitest';
import {transferCredit} from '../../source/market/accounts/payments.ts';
import {addCredit} from '../../source/market/ledger/accounts-store.ts';
import {closeAccount, openAccount} from '../../source/market/accounts/people.ts';
import {createTeam, endTeam, joinTeam, leaveTeam} from '../../source/market/teams/teams.ts';
import type {Database} from '../../source/market/database/database.ts';
import {insertInvitation} from '../../source/market/accounts/people-store.ts';
import {listRoles} from '../../source/market/teams/store.ts';
import {TEST_NOW as now} from '../helpers/market.ts';
import {openDatabase} from '../helpers/postgres.ts';

/** An owner with credit, a team, a member of it, and an invitation for a guest. */
async function openPeople(database: Database) {
	const open = async (username: string, email: string) =>
		(await openAccount(database, {kind: 'renter', username, email, now})).id;
	const owner = await open('owner', 'owner@example.org');
	const guest = await open('guest', 'guest@example.org');
	await addCredit(database, owner, {micros: 9_000_000, description: 'paid', now});
	const {teamId} = await createTeam(database, {ownerId: owner, name: 'lab', micros: 1, now});
	const [role] = await listRoles(database, teamId);
	const invite = async (email: string) =>
		insertInvitation(database, {
			team_id: teamId,
			role_id: role?.id ?? 0,
			email,
			created_at: now,
			expires_at: now + 60,
		});
	const member = await open('member', 'member@example.org');
	const token = await invite('member@example.org');
	await joinTeam(database, {accountId: member, token, now});
	return {owner, guest, teamId, member, token: await invite('guest@example.org')};
}

type People = Awaited<ReturnType<typeof openPeople>>;

const operations: ReadonlyArray<
	readonly [name: string, run: (database: Database, people: People) => Promise<unknown>]
> = [
	[
		'a team that is made',
		async (database, {owner}) =>
			createTeam(database, {ownerId: owner, name: 'other', micros: 2, now}),
	],
	['a team that ends', async (database, {teamId}) => endTeam(database, teamId, now)],
	[
		'a guest who joins',
		async (database, {guest, token}) => joinTeam(database, {accountId: guest, token, now}),
	],
	[
		'a member who leaves',
		async (database, {teamId, member}) =>
			leaveTeam(database, {teamId, accountId: member}, {refuse: () => {}, now}),
	],
	[
		'credit that is given',
		async (database, {owner, guest}) => {
			const [from, to] = [
				{id: owner, name: 'owner'},
				{id: guest, name: 'guest'},
			];
			return transferCredit(database, {from, to, micros: 3, now});
		},
	],
	['an account that is closed', async (database, {guest}) => closeAccount(database, guest, now)],
	[
		'an account that is opened',
		async database => openAccount(database, {kind: 'renter', username: 'new', now}),
	],
];

async function rowsOf(database: Database): Promise<ReadonlyArray<readonly [string, unknown]>> {
	const tables = await database.introspection.getTables();
	const all: Array<readonly [string, unknown]> = [];
	for (const {name} of tables.filter(({name: table}) => table !== 'changes')) {
		const {rows} = await sql`select * from ${sql.table(name)}`.execute(database);
		all.push([name, rows.map(row => JSON.stringify(row)).toSorted()]);
	}
	return all;
}

/** The same database, which fails at one of its statements. */
function failingAt(database: Database, statement: number): Database {
	let count = 0;
	return database.withPlugin({
		transformQuery: ({node}) => node,
		async transformResult({result}) {
			count += 1;
			if (count === statement) throw new Error('cut off');
			return result;
		},
	});
}

test.each(operations)(
	'of %s all is written or nothing, whichever statement fails',
	async (_, run) => {
		const database = await openDatabase(':memory:');
		try {
			const people = await openPeople(database);
			const before = await rowsOf(database);
			const failures: unknown[] = [];
			for (let isDone = false; !isDone;) {
				const cut = failingAt(database, failures.length + 1);
				isDone = await run(cut, people).then(
					() => true,
					(error: unknown) => {
						failures.push(error);
						return false;
					},
				);
				if (!isDone) expect(await rowsOf(database)).toEqual(before);
			}
			// Proof that it tried something.
			expect(failures.length).toBeGreaterThan(1);
			expect(new Set(failures.map(String))).toEqual(new Set(['Error: cut off']));
			expect(await rowsOf(database)).not.toEqual(before);
		} finally {
			await database.destroy();
		}
	},
);
