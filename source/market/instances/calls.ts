import {hash} from 'node:crypto';
import type {Contract} from '../../contract/index.ts';
import type {InstanceQuery} from '../../contract/nouns/instances.ts';
import {instanceSqlColumns} from './columns-rules.ts';
import {instanceConditions, instanceSortKeys, type InstanceSortKey} from './query-store.ts';
import {instanceRecord, selectedRecord} from './record-rules.ts';
import {readPageToken, writePageToken, type PageKey} from '../base/page-token.ts';
import {
	instanceIs,
	mountedVolumes,
	rentedCombinations,
	rentedPage,
	rentedRows,
} from './lists-store.ts';
import type {Database} from '../database/database.ts';
import {leasesOf} from '../leases/store.ts';
import {unlessKnown, JsonReply} from '../base/json-reply.ts';
import type {Handler} from '../http/handler.ts';
import type {InstanceLists} from './instance-lists.ts';

type Calls = Contract['instances'];

type Needs = {readonly lists: InstanceLists};

export const list: Handler<Calls['list'], Needs> = async (
	_,
	{lists, clock, known, caller: {accountId}},
) => {
	const rented = await lists.ids(accountId);
	const ids = rented.map(({id}) => id);
	const of = [accountId, 'instances', ids, await lists.version(rented)];
	const now = clock.now();
	return unlessKnown(known, {of, now}, async () => ({
		json: await lists.write(accountId, rented, now),
		until: Infinity,
	}));
};

export const page: Handler<Calls['page'], Needs> = async (
	{query},
	{database, lists, clock, known, caller: {accountId}},
) => {
	const wanted = {accountId, where: instanceConditions(query)};
	const keys = instanceSortKeys(query);
	const after = placeOf(query, keys);
	const {limit, columns: names} = query;
	// Whole instances come from the text cache.
	const columns = names === undefined ? idColumns : instanceSqlColumns;
	const {rows, next} = await rentedPage(database, {...wanted, columns, keys, after, limit});
	const labels = await lists.labels(accountId, query.filter);
	const now = clock.now();
	const head = JSON.stringify({
		total_instances: labels.reduce((sum, {count}) => sum + count, 0),
		label_counts: Object.fromEntries(labels.map(({label, count}) => [label, count])),
		next_token: next === undefined ? null : writePageToken(listOf(query), next),
	});
	const write = (instances: readonly string[]) => {
		const count = `{"success":true,"instances_found":${instances.length}`;
		return `${count},${head.slice(1, -1)},"instances":[${instances.join(',')}]}`;
	};
	if (names !== undefined) {
		const named = rows.map(({id}) => id);
		const view = {now, ...(await besideRows(database, accountId, named))};
		return new JsonReply(write(rows.map(row => JSON.stringify(selectedRecord(row, view, names)))));
	}
	const rented = rows.map(({id, ask_id}) => ({id, askId: ask_id}));
	const ids = rented.map(({id}) => id);
	const of = [accountId, 'page', query, ids, head, await lists.version(rented)];
	return unlessKnown(known, {of, now}, async () => ({
		json: write(await lists.some(accountId, rented, now)),
		until: Infinity,
	}));
};

const idColumns = ['instances.id', 'instances.ask_id'] as const;

/** Last row of the page before; undefined on the first page. */
function placeOf(query: InstanceQuery, keys: readonly InstanceSortKey[]) {
	if (query.after === undefined) return undefined;
	const isKey = (values: PageKey): values is PageKey =>
		values.length === keys.length &&
		keys.every(({type}, index) => values[index] === null || typeof values[index] === type);
	return readPageToken(query.after, listOf(query), isKey);
}

/** Hash of a filter and an order, which a page token is valid for: short even for long ones. */
function listOf({filter, order}: InstanceQuery): string {
	return hash('sha256', JSON.stringify(['instances', filter, order])).slice(0, 16);
}

export const filters: Handler<Calls['filters']> = async (_, {database, caller: {accountId}}) => ({
	filters: await rentedCombinations(database, accountId),
});

export const show: Handler<Calls['show']> = async (
	{params: {id}},
	{database, clock, caller: {accountId}},
) => {
	const [row] = await rentedRows(
		database,
		{accountId, where: [instanceIs(id)]},
		instanceSqlColumns,
	);
	if (row === undefined) return {instances: null};
	const beside = await besideRows(database, accountId, [id]);
	return {instances: instanceRecord(row, {now: clock.now(), ...beside})};
};

async function besideRows(database: Database, accountId: number, ids: readonly number[]) {
	return {
		volumes: await mountedVolumes(database, accountId, ids),
		leases: await leasesOf(database, accountId, ids),
	};
}
