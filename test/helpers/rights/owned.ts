/** Records of every kind for one account. */
import {createApp} from '../../../source/market/service/server.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {createKey} from '../../../source/market/api-keys/store.ts';
import type {Tables} from '../../../source/market/database/schema.ts';
import {addSshKey} from '../../../source/market/ssh-keys/store.ts';
import {insertion} from '../../../source/market/database/statement.ts';
import {leaseDirectly, readInstance} from '../market/instances.ts';
import {insertEntry, outside} from '../../../source/market/ledger/store.ts';
import {insertRelay} from '../../../source/market/relay/relays-store.ts';
import {openAccount} from '../../../source/market/accounts/people.ts';
import {copyKey} from '../../hostile/fuzz/valid-requests.ts';
import {createHandClock, testServices, TEST_NOW} from '../market/market.ts';
import type {Records} from './records.ts';

/** A machine with an offer of it. */
export type Place = {readonly machine: number; readonly offer: number; readonly host: number};

type Owned = {
	readonly accountId: number;
	readonly name: string;
	readonly own: Place;
	readonly instance: number;
};

const now = TEST_NOW;

/** Adds them; the instance that runs on a machine of the account is not known here. */
export async function addRecords(database: Database, owned: Owned): Promise<Records> {
	const {accountId, name, own, instance} = owned;
	const apiKey = await createKey(database, {accountId, name: 'spare', now});
	const blob = Buffer.from(`\0\0\0\vssh-ed25519\0\0\0 ${name.padEnd(32, '.')}`).toString('base64');
	const key = {text: `ssh-ed25519 ${blob}`, blob, type: 'ssh-ed25519', comment: ''};
	const sshKey = await addSshKey(database, {accountId, key, now});
	await database
		.insertInto('instance_ssh_keys')
		.values({instance_id: instance, ssh_key_id: sshKey.id})
		.onConflict(conflict => conflict.doNothing())
		.execute();
	await database
		.insertInto('secrets')
		.values({account_id: accountId, name: 'A', value: `secret-of-${name}`})
		.execute();
	await leaseDirectly(database, instance, {ends_at: now + 86_400});
	const make = makerOf(database, (await createKey(database, {accountId, name: 'all', now})).value);
	const job = {
		api_endpoint: `/api/v0/instances/reboot/${instance}/`,
		request_method: 'PUT',
		request_body: {},
		instance_id: instance,
		frequency: 'HOURLY',
	};
	const webhook = {webhook_url: 'https://hooks.invalid/', event_types: ['client:outbid'], name};
	const template = await make('template', {
		name,
		image: 'ubuntu',
		private: true,
		env: `-e A=${name}`,
	});
	await database
		.updateTable('templates')
		.set({hash_id: `hash-${template}`})
		.where('id', '=', template)
		.execute();
	const {machine_id: rented} = await readInstance(database, instance);
	return {
		account: accountId,
		member: accountId,
		machine: own.machine,
		rentedMachine: rented,
		offer: own.offer,
		instance,
		hosted: 0,
		apiKey: apiKey.id,
		sshKey: sshKey.id,
		template,
		webhook: await make('webhooks', webhook),
		job: await make('commands/schedule_job', job),
		role: await added(database, 'team_roles', {
			team_id: accountId,
			name: 'viewer',
			permissions: '{"user_read":true}',
		}),
		...(await addRented(database, owned)),
		...(await addWork(database, owned)),
	};
}

/** Makes a record by a call, and answers its number. */
function makerOf(database: Database, key: string) {
	const app = createApp(testServices(database, createHandClock(now)), () => undefined);
	return async (path: string, body: object): Promise<number> => {
		const response = await app.request(`/api/v0/${path}/`, {
			method: 'POST',
			headers: {authorization: `Bearer ${key}`, 'content-type': 'application/json'},
			body: JSON.stringify(body),
		});
		const text = await response.text();
		const id = Number(/"id":(\d+)/.exec(text)?.[1]);
		if (!response.ok || Number.isNaN(id)) throw new Error(`${path}: ${text}`);
		return id;
	};
}

/** What the account bids for beside its instance. */
async function addBid(database: Database, instance: number) {
	const {id: _, mark: _mark, ...row} = await readInstance(database, instance);
	const stopped = {intended: 'stopped', current: 'stopped', next: 'stopped'} as const;
	return added(database, 'instances', {...row, ...stopped, is_bid: 1});
}

/** A volume where more can be rented, and dearer terms of the instance. */
async function addRented(database: Database, {accountId, own, instance}: Owned) {
	const rented = {
		account_id: accountId,
		ask_id: own.offer,
		machine_id: own.machine,
		host_account_id: own.host,
		label: 'data',
		size_gb: 3,
		storage_micros: 1000,
		created_at: now,
		end_date: now + 9_000_000,
		destroyed_at: null,
		billed_until: now,
		revision: 0,
	};
	// Its host may take it back.
	await added(database, 'volumes', {...rented, end_date: now - 9_000_000});
	const volume = await added(database, 'volumes', rented);
	const priceIncrease = await added(database, 'price_increases', {
		instance_id: instance,
		state: 'open',
		created_at: now,
		gpu_micros: 9_000_000,
		storage_micros: 1000,
		up_micros: 0,
		down_micros: 0,
		holds_from: null,
	});
	const {id: idle} = await openAccount(database, {kind: 'both', now});
	const ports = {first_port: 42_000, last_port: 42_999};
	const near = {
		name: `near ${instance}`,
		host: 'near.example',
		url: 'https://near.example',
		...ports,
	};
	const {id: relay} = await insertRelay(database, near, now);
	return {volume, relay, priceIncrease, bid: await addBid(database, instance), idle};
}

/** What the account is to do as a host. */
async function addWork(database: Database, {accountId, own, instance, name}: Owned) {
	await database
		.insertInto('default_jobs')
		.values({machine_id: own.machine, gpu_micros: 1000, image: 'ubuntu', args: '[]'})
		.onConflict(conflict => conflict.doNothing())
		.execute();
	const window = {start_at: now + 80_000, end_at: now + 90_000, reason: null, category: null};
	await database
		.insertInto('maintenance')
		.values({machine_id: own.machine, ...window})
		.execute();
	const earned = outside(accountId, 'earnings', 50_000_000);
	await insertEntry(database, {kind: 'payout', at: now}, earned);
	const common = {host_account_id: accountId, revision: 1, created_at: now};
	const request = JSON.stringify({kind: 'logs', tail: 10});
	const task = await added(database, 'tasks', {
		...common,
		token_hash: name,
		instance_id: instance,
		request,
		answer: null,
	});
	const copy = await added(database, 'copies', {
		...common,
		account_id: accountId,
		source_kind: 'instance',
		source_id: instance,
		source_machine_id: own.machine,
		source_host_account_id: accountId,
		target_kind: 'instance',
		target_id: instance,
		machine_id: own.machine,
		source_path: '/a',
		target_path: '/b',
		public_key: copyKey,
		door: null,
		source_revision: 1,
		ended_at: null,
	});
	return {task, copy};
}

/** Adds a row, and answers its number. */
async function added(database: Database, table: keyof Tables, row: Parameters<Insert>[1]) {
	return (await insertion<{readonly id: number}>(table)(database, row)).id;
}

type Insert = ReturnType<typeof insertion>;
