import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {sql} from 'kysely';
import {expect, test} from 'vitest';
import type {Endpoint} from '../../source/contract/grammar/endpoint.ts';
import {refusalReply} from '../../source/contract/grammar/errors.ts';
import {contract} from '../../source/contract/index.ts';
import type {Database} from '../../source/market/database/database.ts';
import {onPostgres, openDatabase} from '../helpers/market/postgres.ts';
import {insertRelay} from '../../source/market/relay/relays-store.ts';
import {openTestMarket, TEST_NOW} from '../helpers/market/market.ts';
import {runs} from '../helpers/property.ts';

const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;

const endpoints = Object.values(byNoun).flatMap(endpointsHere => Object.values(endpointsHere));

const formsOf = ({method, path, aliases = []}: Endpoint) =>
	[{method, path}, ...aliases].map(form => [form.method, form.path] as const);

const forms = endpoints.flatMap(formsOf);
const keyed = endpoints
	.filter(({permission, keyless}) => permission !== undefined && keyless !== true)
	.flatMap(formsOf);

/** Names that bodies have a meaning for, so that more than the unknown ones are met. */
const names = fc.constantFrom(
	...'name permissions key_params id ssh_key key value q limit order num_gpus type'.split(' '),
	...'select_cols hash_id template_id image env api eq __proto__ constructor toString'.split(' '),
	...'when day gte lte latest_first after_token sdate edate contract_ids label'.split(' '),
	...'size tail filter daemon_logs command allocated_storage disk_space'.split(' '),
	...'state label ids IDs instance_ids price amount template_hash_id onstart args'.split(' '),
	'',
);

const odd = fc.oneof(
	fc.constantFrom<unknown>(null, true, 0, -1, 0.5, 1e308, -1e308, 2 ** 53, '', 'NaN', 'Infinity'),
	fc.constantFrom<unknown>(
		'\0',
		'\uD800',
		'\u001B[2J',
		'💥'.repeat(300),
		"' or 1=1 --",
		'../..',
		{},
		[],
	),
	fc.string({unit: 'binary'}),
	fc.jsonValue(),
);

function nested(levels: number): string {
	return `{"permissions":${'['.repeat(levels)}${']'.repeat(levels)}}`;
}

const bodies = fc.oneof(
	fc.dictionary(names, odd).map(body => JSON.stringify(body)),
	fc.dictionary(names, fc.dictionary(names, odd)).map(body => JSON.stringify(body)),
	fc.jsonValue().map(body => JSON.stringify(body)),
	fc.json().chain(text => fc.nat(text.length).map(length => text.slice(0, length))),
	fc.constantFrom('{"id": NaN}', '{"id": 1e999}', `{"id": ${'9'.repeat(400)}}`, '\uFEFF{}', '{}{}'),
	fc.constantFrom(31, 32, 1000, 100_000).map(nested),
	fc.string(),
);

const types = fc.oneof(
	{weight: 3, arbitrary: fc.constant('application/json')},
	fc.constantFrom(undefined, 'text/plain', 'multipart/form-data', ';'),
	fc.constant('application/json; charset=utf-16'),
);

const ids = fc.constantFrom(
	'0',
	'1',
	'7',
	'-1',
	'1e3',
	'1.5',
	'999999999999999999999',
	'x',
	'%00',
	'%F0',
);

const queries = fc.oneof(
	fc.constant(''),
	fc.constantFrom(
		'?q={',
		'?q=[]',
		'?id=x',
		'?select_filters=1',
		'?select_filters={"id":{"eq":[]}}',
		'?select_filters={"when":{"gte":0}}&limit=1e99&after_token=e30',
		'?select_filters={"day":{"gte":-1e300,"lte":1e300}}&after_token=W10',
		'?select_filters={"label":{"in":[null,"x"]}}&order_by=[{"col":"min_bid"}]&limit=-1',
		'?after_token=e30&limit=x',
	),
	fc.dictionary(names, odd).map(q => `?q=${encodeURIComponent(writeWell(q))}`),
);

function writeWell(value: unknown): string {
	return JSON.stringify(value).toWellFormed();
}

/** Tables of what is written behind each call, refused ones as well. */
const history: ReadonlySet<string> = new Set(['account_changes', 'account_addresses']);

/** Counts each row that is written from now on, whoever does it. */
async function countChanges(database: Database): Promise<void> {
	const tables = await database.introspection.getTables();
	const watched = tables.map(({name}) => name).filter(name => !history.has(name));
	await database.transaction().execute(async transaction => {
		await sql`create table test_changes (count integer not null)`.execute(transaction);
		await sql`insert into test_changes values (0)`.execute(transaction);
		for (const name of watched) {
			for (const change of ['insert', 'update', 'delete']) {
				await sql`
					create trigger ${sql.ref(`test_${change}_${name}`)} after ${sql.raw(change)} on ${sql.table(name)}
					begin update test_changes set count = count + 1; end`.execute(transaction);
			}
		}
	});
}

/** A market with a file, beside which another connection sees whether anything was written. */
async function openWatchedMarket() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-input-'));
	const file = join(folder, 'market.db');
	const market = await openTestMarket({file, offers: 5});
	const database = await openDatabase(file);
	const place = {name: 'test', host: 'relay.example.com', first_port: 20_000, last_port: 20_999};
	const url = 'https://relay.example.com';
	const relay = await insertRelay(database, {...place, url}, TEST_NOW);
	if (!onPostgres) await countChanges(database);
	return {
		...market,
		/** A key by which a call is taken. Calls may delete the key that they are made with, or change it. */
		keyFor: async (path: string) =>
			path.startsWith('/api/v0/relays/') ? relay.key : market.createKey('bad input'),
		async version() {
			if (onPostgres) return 0;
			const {rows} = await sql`select count from test_changes`.execute(database);
			return rows;
		},
		async [Symbol.asyncDispose]() {
			await database.destroy();
			await market.close();
			rmSync(folder, {recursive: true});
		},
	};
}

test.each(forms)('%s %s answers anything with a success or a refusal', async (method, path) => {
	await using market = await openWatchedMarket();
	await fc.assert(
		fc.asyncProperty(
			fc.record({body: bodies, type: types, id: ids, query: queries}),
			async sent => {
				const key = await market.keyFor(path);
				const before = await market.version();
				const reply = await market.call(path.replace('{id}', sent.id) + sent.query, {
					method,
					headers: {authorization: `Bearer ${key}`, 'content-type': sent.type},
					body: method === 'GET' ? null : Buffer.from(sent.body),
				});
				expect(reply.status === 200 || (reply.status >= 400 && reply.status < 500)).toBe(true);
				expect(reply.headers.get('content-type')).toBe('application/json');
				if (reply.status === 200) return;
				expect(() => refusalReply.parse(reply.body)).not.toThrow();
				expect(reply.status).not.toBe(401);
				expect(await market.version()).toEqual(before);
			},
		),
		{numRuns: runs(60)},
	);
	expect(market.log).toEqual([]);
});

// Only a file has triggers that count.
test.skipIf(onPostgres)('the database is seen to change when it does', async () => {
	await using market = await openWatchedMarket();
	const before = await market.version();
	await market.createKey('one more');
	expect(await market.version()).not.toEqual(before);
});

test.each([
	[32, 200],
	[33, 400],
	[30_000, 400],
	[200_000, 413],
])('a body of %i levels is answered with %i', async (levels, status) => {
	await using market = await openTestMarket();
	const body = `{"gpu_option":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
	const reply = await market.call('/api/v0/bundles/', {method: 'POST', body});
	expect(reply).toMatchObject({status});
});

/** Calls that say it in a status of their own. */
const bills: ReadonlySet<string> = new Set(['/api/v1/invoices/', '/api/v0/charges/']);

test('every call that has a permission asks for a key first', async () => {
	await using market = await openTestMarket();
	const headers = {authorization: undefined};
	for (const [method, path] of keyed) {
		const {status, body} = await market.call(path.replace('{id}', '1'), {method, headers});
		const call = {method, path, status, body};
		const wanted = bills.has(path) ? 403 : 401;
		expect(call).toMatchObject({status: wanted, body: {success: false, error: 'auth_error'}});
	}
});

const replies: readonly [method: string, path: string, body: string, error: string][] = [
	['POST', '/api/v0/bundles/', '{', 'invalid_request'],
	['POST', '/api/v0/auth/apikeys/', '{', 'invalid_args'],
	['POST', '/api/v0/auth/apikeys/', `{"name":"${'x'.repeat(256)}"}`, 'invalid_args'],
	['POST', '/api/v0/ssh/', '{', 'invalid_args'],
	['POST', '/api/v0/ssh/', '{}', 'no_ssh_key'],
	['GET', '/api/v0/auth/apikeys/x/', '', 'invalid_args'],
	['POST', '/api/v0/secrets/', '{}', 'missing_input'],
];

test.each(replies)('%s %s with %.20s is refused as %s', async (method, path, body, error) => {
	await using market = await openTestMarket();
	const reply = await market.call(path, {method, body: method === 'GET' ? null : body});
	expect(reply).toMatchObject({status: 400, body: {success: false, error}});
});
