/** A call for each kind of thing that accounts make, and rows that stand for as many as there may be. */
import {sql} from 'kysely';
import {expect} from 'vitest';
import type {CreatedKind} from '../../../source/contract/grammar/bounds.ts';
import {openAccount} from '../../../source/market/accounts/people.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {createTeam} from '../../../source/market/teams/teams.ts';
import {insertInvitation} from '../../../source/market/accounts/people-store.ts';
import {openHostMarket, testPublication} from '../host/hosts.ts';
import {hearMachines, rentRunning} from './instances.ts';
import {TEST_NOW} from './market.ts';
import {anyRoom} from './volumes.ts';

const now = TEST_NOW;
const DAY = 86_400;
const forever = {silentAfter: 1e9, lostAfter: 2e9};

/** A market with a machine, two instances of one renter, and a team of that renter. */
export async function openMakersMarket() {
	const market = await openHostMarket({offers: 50, patience: forever});
	const {database} = market;
	const rig = await market.host.publish(testPublication());
	await hearMachines(database);
	const instance = await rentRunning(database, {ask_id: rig.asks[0]?.id ?? 0, gpu_mask: 1});
	const other = await rentRunning(database, {ask_id: rig.asks[0]?.id ?? 0, gpu_mask: 0});
	const {account_id: accountId} = instance;
	const team = await createTeam(database, {ownerId: accountId, name: 'lab', micros: 0, now});
	const send = async (request: string, body: unknown, key = market.key) => {
		const [method = '', path = ''] = request.split(' ');
		const headers = {authorization: `Bearer ${key}`};
		const sent = method === 'GET' ? null : JSON.stringify(body);
		return market.call(`/api/v0/${path}`, {method, headers, body: sent});
	};
	return {...market, rig, instance, other, accountId, team, send};
}

type World = Awaited<ReturnType<typeof openMakersMarket>>;

export type Maker = {
	readonly table: string;
	/** Makes one, and another one for another number. */
	readonly make: (world: World, count: number) => Promise<{status: number; text: string}>;
	/** Columns in which no two are alike, for copies of a row; without, they are made by calls. */
	readonly unique?: Readonly<Record<string, (number: ReturnType<typeof sql>) => unknown>>;
	/** How many there are before. */
	readonly before?: number;
	/** The row that is copied. @default the last one */
	readonly which?: string;
	/** Puts an end to what was made in one of these ways. */
	readonly end?: string;
};

const text = (number: ReturnType<typeof sql>) => sql`'x' || ${number}`;
const far = (number: ReturnType<typeof sql>) => sql`1000000 + ${number}`;
const keyLine = (count: number) => {
	const letters = `${count}`
		.padStart(6, '0')
		.replaceAll(/\d/g, digit => 'ABCDEFGHIJ'[Number(digit)] ?? '');
	return `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(37)}${letters}`;
};

/** How each kind of thing is made. */
export const makers: Readonly<Record<CreatedKind, Maker>> = {
	apiKey: {
		table: 'api_keys',
		before: 1,
		make: async ({send}) => send('POST auth/apikeys/', {name: 'k'}),
		unique: {hash: text},
		end: "update api_keys set deleted_at = 1 where name = 'k'",
	},
	copy: {
		table: 'copies',
		make: async ({send, instance, other}, count) => {
			const [from, to] = count % 2 === 0 ? [instance, other] : [other, instance];
			const ends = {src_id: from.id, dst_id: to.id};
			return send('PUT commands/copy_direct/', {...ends, src_path: '/a', dst_path: '/b'});
		},
		unique: {target_id: far},
		end: 'update copies set ended_at = 1',
	},
	instance: {
		table: 'instances',
		before: 2,
		make: async ({send, rig}) =>
			send(`PUT asks/${rig.asks[1]?.id}/`, {image: 'a', target_state: 'stopped'}),
		unique: {},
		end: 'update instances set destroyed_at = 1',
	},
	instanceKey: {
		table: 'ssh_keys',
		make: async ({send, instance}, count) =>
			send(`POST instances/${instance.id}/ssh/`, {ssh_key: keyLine(count)}),
		unique: {blob: text},
		end: 'update ssh_keys set deleted_at = 1',
	},
	invitation: {
		table: 'invitations',
		make: async ({send, team}, count) =>
			send('POST team/invite/', {email: `a${count}@example.org`, role: 'member'}, team.key),
		unique: {token_hash: text},
		end: 'update invitations set used_at = 1',
	},
	machine: {
		table: 'machines',
		before: 1,
		make: async ({send, hostKey}, count) =>
			send('PUT hosts/machines/', testPublication({name: `m${count}`}), hostKey),
		unique: {name: text},
		end: "delete from machines where name like 'x%'",
	},
	machineReport: {
		table: 'machine_reports',
		make: async ({send, instance}) =>
			send(`PUT machines/${instance.machine_id}/report/`, {problem: 'slow'}),
	},
	machineTest: {
		table: 'machine_tests',
		make: async ({send, database, hostKey, rig}) => {
			await database.updateTable('machine_tests').set({ended_at: 1}).execute();
			await database.updateTable('instances').set({destroyed_at: 1}).execute();
			return send(`POST machines/${rig.id}/tests/`, {}, hostKey);
		},
		unique: {},
	},
	maintenance: {
		table: 'maintenance',
		make: async ({send, hostKey, rig}, count) =>
			send(`PUT machines/${rig.id}/dnotify/`, {sdate: now + count, duration: 1}, hostKey),
		end: 'delete from maintenance',
	},
	member: {
		table: 'team_members',
		before: 1,
		async make({send, database, team}, count) {
			const opening = {kind: 'renter', email: `m${count}@example.org`, now} as const;
			const {key} = await openAccount(database, opening);
			const roles = await sql<{id: number}>`
				select id from team_roles where name = 'member'`.execute(database);
			const [{id: role_id} = {id: 0}] = roles.rows;
			const until = {created_at: now, expires_at: now + 5 * DAY};
			const invitation = {team_id: team.teamId, role_id, email: opening.email, ...until};
			return send(`GET team/invite/${await insertInvitation(database, invitation)}/`, null, key);
		},
		end: 'delete from team_members',
	},
	question: {
		table: 'tasks',
		make: async ({send, instance}) =>
			send(`PUT instances/request_logs/${instance.id}/`, {tail: '10'}),
		unique: {token_hash: text},
		end: 'delete from tasks',
	},
	role: {
		table: 'team_roles',
		before: 3,
		make: async ({send, team}, count) => {
			const permissions = {api: {misc: {}}};
			return send('POST team/roles/', {name: `r${count}`, permissions}, team.key);
		},
		unique: {name: text},
		end: "delete from team_roles where name like 'x%'",
	},
	scheduledJob: {
		table: 'scheduled_jobs',
		async make({send, database, rig}) {
			const {id} = await rentRunning(database, {ask_id: rig.asks[0]?.id ?? 0, gpu_mask: 0});
			const call = {api_endpoint: `/api/v0/instances/reboot/${id}/`, request_method: 'PUT'};
			const job = {...call, request_body: {}, instance_id: id, frequency: 'HOURLY'};
			return send('POST commands/schedule_job/', job);
		},
		end: 'delete from scheduled_jobs',
	},
	secret: {
		table: 'secrets',
		make: async ({send}, count) => send('POST secrets/', {key: `K${count}`, value: 'v'}),
		unique: {name: text},
		which: "name = 'K0'",
		end: 'delete from secrets',
	},
	sshKey: {
		table: 'ssh_keys',
		make: async ({send}, count) => send('POST ssh/', {ssh_key: keyLine(count)}),
		unique: {blob: text},
		end: 'update ssh_keys set deleted_at = 1',
	},
	subaccount: {
		table: 'accounts',
		make: async ({send}, count) => {
			const person = {email: `s${count}@example.org`, username: `s${count}`, password: 'p'};
			return send('POST users/', {...person, parent_id: 'me'});
		},
		unique: {email: text},
		end: 'update accounts set closed_at = 1 where parent_id is not null',
	},
	team: {
		table: 'accounts',
		before: 1,
		make: async ({send}, count) => send('POST team/', {team_name: `t${count}`}),
		unique: {username: text},
		end: 'update accounts set closed_at = 1 where owner_id is not null',
	},
	template: {
		table: 'templates',
		make: async ({send}, count) => send('POST template/', {name: `t${count}`, image: 'i'}),
		unique: {hash_id: text, content: text},
		end: 'update templates set deleted_at = 1 where creator_id > 0',
	},
	volume: {
		table: 'volumes',
		make: async ({send, ...market}) =>
			send('PUT volumes/', {id: (await anyRoom(market)).id, size: 1}),
		unique: {},
		end: 'update volumes set destroyed_at = 1',
	},
	webhook: {
		table: 'webhooks',
		make: async ({send}) =>
			send('POST webhooks/', {
				webhook_url: 'https://hooks.invalid/',
				event_types: ['client:outbid'],
			}),
		end: 'delete from webhooks',
	},
};

/** Makes so many more: by copies of one, or by calls. */
export async function fill(world: World, maker: Maker, count: number) {
	if (maker.unique !== undefined) return copyRow(world.database, maker, count);
	for (let made = 1; made <= count; made++) {
		expect(await maker.make(world, made)).toMatchObject({status: 200});
	}
}

/** Adds so many copies of a row. */
export async function copyRow(database: Database, {table, unique, which}: Maker, count: number) {
	const last = sql.raw(which ?? `id = (select max(id) from ${table})`);
	const {rows} = await sql<Record<string, unknown>>`
		select * from ${sql.table(table)} where ${last}`.execute(database);
	const columns = Object.keys(rows[0] ?? {}).filter(name => name !== 'id');
	const number = sql.ref('numbers.number');
	const values = columns.map(name => unique?.[name]?.(number) ?? sql.ref(name));
	await sql`
		insert into ${sql.table(table)} (${sql.join(columns.map(name => sql.ref(name)))})
		with recursive numbers (number) as (
			select 1 union all select number + 1 from numbers where number < ${count}
		)
		select ${sql.join(values)} from ${sql.table(table)}, numbers where ${last}
	`.execute(database);
}
