import {isDeepStrictEqual} from 'node:util';
import {sql} from 'kysely';
import {expect, test} from 'vitest';
import type {Endpoint} from '../../source/contract/grammar/endpoint.ts';
import {contract} from '../../source/contract/index.ts';
import {schemaOf} from '../../source/contract/openapi.ts';
import type {Database} from '../../source/market/database/database.ts';
import {edgesOf, fieldsAtEdges} from '../hostile/fuzz/edges.ts';
import {onPostgres} from '../helpers/market/postgres.ts';
import {runs} from '../helpers/property.ts';
import {databaseWith, openUnder, rowsOf} from '../helpers/rights/copy.ts';
import {operationOf, partsFor, written} from '../helpers/rights/records.ts';
import type {Named, Operation} from '../helpers/rights/records.ts';
import {asSent, fillRights, pairs, type Caller} from '../helpers/rights/world.ts';

const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;
const operations = Object.entries(byNoun).flatMap(([noun, endpoints]) =>
	Object.entries(endpoints)
		.map(([name, endpoint]) => operationOf(noun, name, endpoint))
		.filter(({endpoint: {params, query, body}}) => (params ?? query ?? body) !== undefined),
);

const world = fillRights();

/** Share of the edges on PostgreSQL, where a market for each is slow: what it refuses, all calls read alike. */
const SHARE_ON_POSTGRES = 1 / 5;

/** The same parts with one field at an edge, each: one of ten where properties have a tenth of their runs. */
function atEdges({endpoint}: Operation, parts: Named): readonly Named[] {
	const all = (['params', 'query', 'body'] as const).flatMap(part => {
		const schema = endpoint[part];
		const edges = schema === undefined ? [] : fieldsAtEdges(schemaOf(schema), parts[part] ?? {});
		return edges.map(edge => ({...parts, [part]: edge}));
	});
	const wanted = onPostgres ? all.length * SHARE_ON_POSTGRES : all.length;
	const every = all.length / Math.min(all.length, runs(Math.max(1, wanted)));
	return all.filter((_, index) => Math.floor(index % every) === 0);
}

/** A market with the world's content, and its calls by a caller. */
async function openWorld() {
	const {content, keys} = await world;
	let database = await databaseWith(content);
	let market = openUnder(database);
	const whole = onPostgres ? [] : await rowsOf(database);
	let changes = await changesOf(database);

	/** Sentence about a call that did not succeed, and yet left something. */
	async function leftBy(isRefused: boolean): Promise<string | undefined> {
		const now = await changesOf(database);
		if (now === changes) return undefined;
		changes = now;
		const isSame = isRefused && isDeepStrictEqual(await rowsOf(database), whole);
		if (isSame) return undefined;
		await database.destroy();
		database = await databaseWith(content);
		market = openUnder(database);
		changes = await changesOf(database);
		return isRefused ? 'it is refused, and leaves something' : undefined;
	}

	return {
		async call(operation: Operation, parts: Named, caller: Caller) {
			const request = written(operation, parts);
			const {status} = await market.app.request(...asSent(request, keys[caller]));
			const left = await leftBy(status >= 400);
			const problem = status >= 500 ? `it is answered with ${status}` : left;
			return {status, problem: problem && `${problem}: ${JSON.stringify(request).slice(0, 2000)}`};
		},
		[Symbol.asyncDispose]: async () => database.destroy(),
	};
}

/** How many rows a file was written: what is rolled back counts, too. PostgreSQL counts none. */
async function changesOf(database: Database): Promise<number> {
	if (onPostgres) return 0;
	const counted = sql<{readonly count: number}>`select total_changes() as count`;
	return (await counted.execute(database)).rows[0]?.count ?? 0;
}

/** Whoever can make a call, and its parts. */
async function findCaller(market: Awaited<ReturnType<typeof openWorld>>, operation: Operation) {
	const {records, ended, word} = await world;
	const able = pairs.map(([caller, owner]) => {
		const of = owner === 'ended' ? ended : (records.get(owner) ?? ended);
		return {caller, parts: partsFor(operation, of, word)};
	});
	for (const one of able) {
		if ((await market.call(operation, one.parts, one.caller)).status < 300) return one;
	}
	return able[0];
}

test.each(operations)(
	'$name with a field at an edge is answered, and leaves nothing where it is refused',
	async operation => {
		await using market = await openWorld();
		const able = await findCaller(market, operation);
		if (able === undefined) throw new Error('nobody calls');
		const problems: string[] = [];
		for (const parts of atEdges(operation, able.parts)) {
			const {problem} = await market.call(operation, parts, able.caller);
			if (problem !== undefined) problems.push(problem);
		}
		expect(problems).toEqual([]);
	},
);

test('a field that is a number or a text is tried at the edges of both, at any depth', () => {
	const {body} = contract.account.transfer;
	const tried = fieldsAtEdges(schemaOf(body), {recipient: 1, amount: 1});
	for (const recipient of [9e15, '', '\0', null, []]) {
		expect(tried).toContainEqual({recipient, amount: 1});
	}
	const nested = edgesOf({type: 'array', items: {anyOf: [{type: 'integer'}, {type: 'null'}]}}, [1]);
	expect(nested).toContainEqual([2 ** 53]);
	expect(edgesOf({type: 'string'}, '{"id":{"gte":1}}')).toContainEqual(
		'{"id":{"gte":9000000000000000}}',
	);
});

test.each<readonly [path: string, method: string, body: object | undefined]>([
	['bundles/', 'POST', {gpu_name: '\0'}],
	['benchmarks/?select_filters={"gpu_name":"\\u0000"}', 'GET', undefined],
	['metrics/gpu/history/?gpu_name=%00', 'GET', undefined],
	['contracts/fetch/', 'POST', {label: '\0'}],
])('what no text of a database can have in it is found nowhere: %s', async (path, method, body) => {
	const {content, keys} = await world;
	const database = await databaseWith(content);
	const request = {
		path: `/api/v0/${path}`,
		method,
		...(body !== undefined && {body: JSON.stringify(body)}),
	};
	const {status} = await openUnder(database).app.request(...asSent(request, keys.one));
	await database.destroy();
	expect(status).toBe(200);
});

test('a template of a name that no text can have is not there', async () => {
	const {content, keys} = await world;
	const database = await databaseWith(content);
	const body = JSON.stringify({hash_id: '\0', name: 'T'});
	const request = {path: '/api/v0/template/', method: 'PUT', body};
	const {status} = await openUnder(database).app.request(...asSent(request, keys.one));
	await database.destroy();
	expect(status).toBe(404);
});
