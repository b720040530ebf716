import {expect, test} from 'vitest';
import {isReading, type Endpoint} from '../../source/contract/grammar/endpoint.ts';
import {contract} from '../../source/contract/index.ts';
import type {Database} from '../../source/market/database/database.ts';
import {databaseWith, openUnder, rowsOf} from '../helpers/rights/copy.ts';
import {operationOf, requestFor, type Operation} from '../helpers/rights/records.ts';
import {unreached} from '../helpers/rights/unreached.ts';
import {asSent, fillRights, pairs} from '../helpers/rights/world.ts';

const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;
const operations = Object.entries(byNoun).flatMap(([noun, endpoints]) =>
	Object.entries(endpoints)
		.filter(([, endpoint]) => !isReading(endpoint))
		.map(([name, endpoint]) => operationOf(noun, name, endpoint)),
);

type Rows = Awaited<ReturnType<typeof rowsOf>>;

/** Tables in which rows came or went, and how many: keys and words in them differ each time. */
function changesBetween(before: Rows, after: Rows) {
	return before.flatMap(([name, rows], index) => {
		const [then, now] = [new Set(rows), new Set(after[index]?.[1])];
		const [came, went] = [now.difference(then).size, then.difference(now).size];
		return came + went === 0 ? [] : [`${name} +${came} -${went}`];
	});
}

/** The same database, which fails at one of its statements, and counts them. */
function failingAt(database: Database, statement: number) {
	let count = 0;
	const failing = database.withPlugin({
		transformQuery: ({node}) => node,
		async transformResult({result}) {
			count += 1;
			if (count === statement) throw new Error('cut off');
			return result;
		},
	});
	return {failing, statements: () => count};
}

const world = fillRights();

/** Makes the call, of which one statement fails; 0 is none of them. */
async function callAt(
	database: Database,
	operation: Operation,
	pair: (typeof pairs)[number],
	statement: number,
) {
	const {keys, records, ended, word} = await world;
	const [caller, owner] = pair;
	const of = owner === 'ended' ? ended : (records.get(owner) ?? ended);
	const {failing, statements} = failingAt(database, statement);
	const sent = asSent(requestFor(operation, of, word), keys[caller]);
	const {app, posts} = openUnder(failing);
	const {status} = await app.request(...sent);
	return {status, statements: statements(), posts: posts() === 0 ? [] : ['posts']};
}

/** The pair that changes something, and what it changes. */
async function wholeCall(database: Database, operation: Operation, before: Rows) {
	for (const pair of pairs) {
		const {status, statements, posts} = await callAt(database, operation, pair, 0);
		const changes = [...posts, ...changesBetween(before, await rowsOf(database))];
		if (status < 300 && changes.length > 0) return {pair, statements, changes};
	}
	throw new Error(`nobody changes anything by ${operation.name}`);
}

test.each(operations.filter(({name}) => !unreached.has(name)))(
	'of $name all is written or nothing, whichever statement fails',
	async operation => {
		const {content} = await world;
		let database = await databaseWith(content);
		try {
			const before = await rowsOf(database);
			const whole = await wholeCall(database, operation, before);
			let isWhole = true;
			for (let at = 1; at <= whole.statements; at++) {
				if (isWhole) {
					await database.destroy();
					database = await databaseWith(content);
				}
				const {status, posts} = await callAt(database, operation, whole.pair, at);
				const changes = [...posts, ...changesBetween(before, await rowsOf(database))];
				isWhole = changes.length > 0;
				if (isWhole) expect([at, changes]).toEqual([at, whole.changes]);
				else expect([at, status]).toEqual([at, 500]);
			}
		} finally {
			await database.destroy();
		}
	},
);
