/** Every call that changes something, made in a world where it does so. */
import {isReading, type Endpoint} from '../../../source/contract/grammar/endpoint.ts';
import {contract} from '../../../source/contract/index.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {openUnder, rowsOf} from './copy.ts';
import {operationOf, requestFor, type Operation} from './records.ts';
import {unreached} from './unreached.ts';
import {asSent, fillRights, pairs} from './world.ts';

const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;

export const changingOperations = Object.entries(byNoun)
	.flatMap(([noun, endpoints]) =>
		Object.entries(endpoints)
			.filter(([, endpoint]) => !isReading(endpoint))
			.map(([name, endpoint]) => operationOf(noun, name, endpoint)),
	)
	.filter(({name}) => !unreached.has(name));

type Rows = Awaited<ReturnType<typeof rowsOf>>;

/** Tables in which rows came or went, and how many: keys and words in them differ each time. */
export function changesBetween(before: Rows, after: Rows): readonly string[] {
	return before.flatMap(([name, rows], index) => {
		const [then, now] = [new Set(rows), new Set(after[index]?.[1])];
		const [came, went] = [now.difference(then).size, then.difference(now).size];
		return came + went === 0 ? [] : [`${name} +${came} -${went}`];
	});
}

export const world = fillRights();

type Pair = (typeof pairs)[number];

/** Makes the call on a database, about somebody's records and with somebody's key. */
export async function makeCall(database: Database, operation: Operation, [caller, owner]: Pair) {
	const {keys, records, ended, word} = await world;
	const of = owner === 'ended' ? ended : (records.get(owner) ?? ended);
	const sent = asSent(requestFor(operation, of, word), keys[caller]);
	const {app, posts} = openUnder(database);
	const {status} = await app.request(...sent);
	return {status, posts: posts() === 0 ? [] : ['posts']};
}

/** The pair that changes something, what it changes, and what else its call is known by. */
export async function wholeCall<Reply extends Awaited<ReturnType<typeof makeCall>>>(
	{name}: Operation,
	database: Database,
	call: (pair: Pair) => Promise<Reply>,
) {
	const before = await rowsOf(database);
	for (const pair of pairs) {
		const reply = await call(pair);
		const changes = [...reply.posts, ...changesBetween(before, await rowsOf(database))];
		if (reply.status < 300 && changes.length > 0) return {...reply, pair, changes};
	}
	throw new Error(`nobody changes anything by ${name}`);
}
