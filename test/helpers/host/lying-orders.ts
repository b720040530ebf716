/** Orders of hosts with each field of the contract wrong in turn, and a market that hands them out. */
import type {ServerResponse} from 'node:http';
import {text} from 'node:stream/consumers';
import * as z from 'zod/mini';
import {contract} from '../../../source/contract/index.ts';
import {isRecord, parseJson} from '../../../source/contract/grammar/json.ts';
import {described} from '../../../source/contract/grammar/tolerant.ts';
import {openTestClient, openToldService} from '../services/told-service.ts';
import {workOf} from './host.ts';

export type Order = Readonly<Record<string, unknown>>;
export type Orders = Readonly<Record<string, readonly unknown[]>>;
type Path = ReadonlyArray<string | number>;

const MOST = Number.MAX_SAFE_INTEGER;
const keyLine = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)}`;

/** Id of what is in order: the instance that runs, and its volume. */
export const HONEST = 1;
const here = {volume_id: HONEST, machine_id: 1, size: 1};

/** Orders that are right but for the field that is made wrong. */
const rightOnes: Readonly<Record<string, (id: number) => readonly Order[]>> = {
	work: id => [{...workOf({instance_id: id, onstart: 'sleep 1000', gpu_ids: [], mounts: []})}],
	volumes: id => [{volume_id: id, machine_id: 1, wanted: 'kept', size: 1}],
	tasks: id => [
		{id, instance_id: HONEST, kind: 'execute', command: 'ls'},
		{id, instance_id: HONEST, kind: 'logs', tail: 9, filter: 'x'},
		{id, instance_id: HONEST, kind: 'snapshot', image: 'x', login: {username: 'x', password: 'x'}},
	],
	copies: id => [
		{id, wanted: 'done', target: {instance_id: HONEST}, path: 'to', source_path: '', source: here},
		{id, wanted: 'done', target: here, path: 'to', source_path: '', source: {instance_id: HONEST}},
		{
			id,
			wanted: 'done',
			target: here,
			path: 'to',
			source_path: '',
			door: {host: '::1', port: 9, host_key: keyLine, public_key: '', may_be_private: true},
		},
	],
	copy_doors: id => [
		{id, wanted: 'done', source: {instance_id: HONEST}, public_key: keyLine},
		{id, wanted: 'done', source: here, public_key: keyLine},
	],
};

/** Values that are wrong for most fields. */
const wrongValues = (outside: string): readonly unknown[] => [
	MOST,
	1e308,
	'x'.repeat(20_000),
	-1,
	-MOST,
	0.5,
	HONEST,
	String(HONEST),
	'../../../outside/made',
	outside,
	'/',
	'',
	'\u001B]0;x\u0007\r\n\0',
	'$(id)',
	undefined,
	null,
	true,
	[],
	{},
	[[]],
	[{}],
];

/** Lists of orders by their names in the reply, each with the schema of one order. */
function listsOfContract(): ReadonlyArray<readonly [name: string, order: z.core.$ZodType]> {
	const reply: z.ZodMiniType = contract.hosts.takeWork.replies[200];
	const whole = described.get(reply) ?? reply;
	return partsOf(whole).flatMap(([name, list]) =>
		partsOf(list).map(([, order]) => [String(name), order] as const),
	);
}

/** What a schema is made of: the fields of an object, an item of a list. */
function partsOf(
	schema: z.core.$ZodType,
): ReadonlyArray<readonly [string | number, z.core.$ZodType]> {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all schemas are of these kinds
	const {def} = (schema as z.core.$ZodTypes)._zod;
	if (def.type === 'object') return Object.entries(def.shape);
	if (def.type === 'array') return [[0, def.element]];
	if (def.type === 'tuple') return def.items.map((item, index) => [index, item] as const);
	if (def.type === 'union') return def.options.flatMap(partsOf);
	if (def.type === 'optional' || def.type === 'nullable') return partsOf(def.innerType);
	return [];
}

function pathsIn(schema: z.core.$ZodType): readonly Path[] {
	const found = partsOf(schema).flatMap(([name, part]) => [
		[name],
		...pathsIn(part).map(path => [name, ...path]),
	]);
	return [...new Map(found.map(path => [path.join('.'), path])).values()];
}

function withValue(record: unknown, [first, ...rest]: Path, value: unknown): unknown {
	if (first === undefined) return value;
	if (typeof first === 'number') {
		const items: readonly unknown[] = Array.isArray(record) ? record : [];
		return Array.from({length: Math.max(items.length, first + 1)}, (_, index) =>
			index === first ? withValue(items[index], rest, value) : items[index],
		);
	}
	const fields = isRecord(record) ? record : {};
	return {...fields, [first]: withValue(fields[first], rest, value)};
}

export type Lie = {
	readonly name: string;
	readonly orders: Orders;
	/** Those of the orders that the contract does not let through. */
	readonly unreadable: readonly unknown[];
};

/** For each field of each order of the contract: orders in which it has each of the wrong values. */
export function liesOfContract(outside: string): readonly Lie[] {
	let id = 1000;
	const lies = listsOfContract().flatMap(([list, order]) =>
		pathsIn(order).map(path => {
			const made = wrongValues(outside).flatMap(value =>
				(rightOnes[list]?.((id += 1)) ?? [{}]).map(right => withValue(right, path, value)),
			);
			const unreadable = made.filter(
				one => !z.safeParse(order, parseJson(JSON.stringify(one))).success,
			);
			return {name: `${list}.${path.join('.')}`, orders: {[list]: made}, unreadable};
		}),
	);
	const all = () =>
		Object.fromEntries(Object.entries(rightOnes).map(([list, right]) => [list, right((id += 1))]));
	const some = all();
	const each = (change: (orders: readonly unknown[]) => readonly unknown[]) =>
		Object.fromEntries(Object.entries(some).map(([list, orders]) => [list, change(orders)]));
	return [
		...lies,
		...Object.entries({
			all: some,
			repeated: each(orders => Array.from({length: 20}, () => orders).flat()),
			reordered: each(orders => orders.toReversed()),
			vanished: each(() => []),
		}).map(([name, orders]) => ({name, orders, unreadable: []})),
	];
}

/** Ids of orders that can be named. */
const gone = (of: readonly unknown[] = []) =>
	of.flatMap(one => (isRecord(one) && Number.isSafeInteger(one['id']) ? [one['id']] : []));

/** Orders that undo others. */
export function undone(orders: Orders): Orders {
	return {
		copies: gone(orders['copies']).flatMap(id =>
			(rightOnes['copies']?.(Number(id)) ?? []).map(copy => ({...copy, wanted: 'gone'})),
		),
		copy_doors: gone(orders['copy_doors']).flatMap(id =>
			(rightOnes['copy_doors']?.(Number(id)) ?? []).map(door => ({...door, wanted: 'gone'})),
		),
	};
}

function send(response: ServerResponse, body: unknown): void {
	response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

/** A market that hands out orders as it is told to, to a client that reads what is sent. */
export async function openLyingDesk(first: Orders) {
	const nothing: Orders = {work: [], volumes: [], tasks: []};
	let revision = 1;
	let posed = first;
	let asked = 0;
	let taken = 0;
	let waiting: (() => void) | undefined;
	const statuses: string[] = [];

	function handOut(after: number, response: ServerResponse): void {
		if (after === revision) {
			taken = revision;
			waiting = () => handOut(after, response);
			return;
		}
		asked += 1;
		// An answer that is asked for again was refused whole.
		send(response, {...nothing, revision, ...(asked > 1 && revision > 1 ? {} : posed)});
	}

	const service = await openToldService((request, response) => {
		const url = new URL(request.url ?? '/', 'http://service');
		if (url.pathname.endsWith('/work/')) {
			return handOut(Number(url.searchParams.get('after')), response);
		}
		if (url.pathname.endsWith('/heartbeat/')) {
			return send(response, {success: true, every: 10, unknown: []});
		}
		if (request.method === 'GET') {
			return send(response, {machines: [{id: 1, name: 'one', num_gpus: 1, asks: []}]});
		}
		const report = (body: string) => {
			if (url.pathname.endsWith('/reports/')) statuses.push(...statusesIn(JSON.parse(body)));
			send(response, {success: true, gone: []});
		};
		void text(request).then(report);
	});
	const client = openTestClient({url: service.url, key: 'k', paceScale: 0});
	return {
		calls: client.hosts,
		/** States that were reported of what is in order. */
		statuses,
		/** Hands out orders; answers whether they were taken. */
		pose(orders: Orders): () => boolean {
			[posed, asked] = [orders, 0];
			const at = (revision += 1);
			waiting?.();
			return () => taken >= at;
		},
		/** Begins to count anew, as a market that was restored does, with these for all orders. */
		lose(orders: Orders): () => boolean {
			[posed, asked, taken, revision] = [orders, 0, 0, 1];
			waiting?.();
			return () => taken === 1;
		},
		async [Symbol.asyncDispose]() {
			await client[Symbol.asyncDispose]();
			await service[Symbol.asyncDispose]();
		},
	};
}

function statusesIn(body: unknown): readonly string[] {
	const reports: unknown = isRecord(body) ? body['reports'] : [];
	return (Array.isArray(reports) ? reports : []).flatMap((one: unknown) =>
		isRecord(one) && one['instance_id'] === HONEST && typeof one['status'] === 'string'
			? [one['status']]
			: [],
	);
}
