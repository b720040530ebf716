/** Markets in whose lists are records that cannot be read. */
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {openFaultProxy} from './fault-proxy.ts';
import {rewritten} from './faults.ts';
import type {TestMarket} from '../market/market.ts';

/** The field of a reply that has the list; undefined for a reply that is one. */
type Field = string | undefined;

/** Two records that cannot be read, where the second and the third of a list stand. */
export function amongOthers(list: readonly unknown[]): readonly unknown[] {
	const [first, ...rest] = list;
	return [first, {name: 'nameless'}, null, ...rest];
}

/** Nothing of a list can be read. */
export function noneReadable(list: readonly unknown[]): readonly unknown[] {
	return list.map(() => ({name: 'nameless'}));
}

/** No record names its hash. */
export function withoutHash(list: readonly unknown[]): readonly unknown[] {
	return list.map(record => (isRecord(record) ? {...record, hash_id: null} : record));
}

type Lists = ReadonlyArray<readonly [path: string | RegExp, field: Field]>;

type Change = (list: readonly unknown[]) => readonly unknown[];

/** A way to a market on which the lists at some paths are changed. */
export async function openBrokenLists(
	{url, key}: Pick<TestMarket, 'url' | 'key'>,
	lists: Lists,
	change: Change = amongOthers,
) {
	const proxy = await openFaultProxy(url);
	/** Changes lists from now on. */
	function spoil(others: Lists, how: Change = amongOthers): void {
		for (const [path, field] of others) {
			const fault = rewritten(reply => changed(reply, field, how));
			proxy.next({path}, fault, Number.POSITIVE_INFINITY);
		}
	}
	spoil(lists, change);
	return {url: proxy.url, key, proxy, spoil, [Symbol.asyncDispose]: proxy.close};
}

function changed(reply: unknown, field: Field, change: Change): unknown {
	const list = field === undefined || !isRecord(reply) ? reply : reply[field];
	if (!Array.isArray(list)) return reply;
	return field === undefined || !isRecord(reply) ? change(list) : {...reply, [field]: change(list)};
}
