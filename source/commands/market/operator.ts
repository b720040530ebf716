/** Calls of an operator: on a market's database, or by HTTP on a running market. */
import process from 'node:process';
import {harmlessJson} from '../../contract/grammar/harmless-text.ts';
import {openClient} from '../../client/client.ts';
import type {OperatedMachine, OperatedAccount} from '../../contract/nouns/operator.ts';
import type {OperatedRelay} from '../../contract/nouns/relays.ts';
import {createMarketClock, systemClock} from '../../market/base/clock.ts';
import {operatorOf} from '../../market/operator/operator.ts';
import {openDatabase} from '../../market/database/database.ts';
import {lastMoment} from '../../market/database/moments.ts';
import {parseApiKey, readServiceUrl} from '../../renter/profiles/target.ts';
import {readNamedFile, UsageError} from '../../renter/text/usage-error.ts';
import {readDataLocation} from './options.ts';
import {helpFlag} from '../base/help-text.ts';
import {openLineWriter} from '../base/output.ts';

type OnDatabase = ReturnType<typeof operatorOf>;

export type OperatorCalls = Omit<OnDatabase, 'accounts' | 'machines' | 'relays'> & {
	readonly relays: () => Promise<{readonly relays: readonly OperatedRelay[]}>;
	readonly machines: (after?: number) => Promise<{
		readonly machines: readonly OperatedMachine[];
		readonly next_after: number | null;
	}>;
	readonly accounts: (after?: number) => Promise<{
		readonly accounts: readonly OperatedAccount[];
		readonly next_after: number | null;
	}>;
};

export const whereFlags = {
	market: {
		type: 'string',
		value: 'URL',
		about: 'a market that runs, with --key-file FILE: the API key of an operator',
	},
	'key-file': {type: 'string'},
	data: {type: 'string', value: 'FILE', about: 'or its database, whether it runs or not'},
	database: {type: 'string', value: 'ADDRESS', about: 'the same on PostgreSQL'},
} as const;

export const answerFlags = {json: {type: 'boolean', about: 'print JSON'}, ...helpFlag} as const;

type Where = {
	readonly market?: string | undefined;
	readonly 'key-file'?: string | undefined;
	readonly data?: string | undefined;
	readonly database?: string | undefined;
};

export type OperatorAnswer = {
	readonly lines: ReadonlyArray<readonly string[]>;
	readonly record: unknown;
};
export type Act = (operator: OperatorCalls) => Promise<OperatorAnswer>;

/**
 * Acts as the operator of a market, and prints the answer in lines or as JSON.
 *
 * @throws UsageError if no market is named
 */
export async function runOperator(
	where: Where & {readonly json?: boolean | undefined},
	what: string,
	act: Act,
): Promise<void> {
	const {operator, close} = await openOperator(where, what);
	try {
		const {lines, record} = await act(operator);
		const write = openLineWriter(process.stdout);
		if (where.json === true) write(harmlessJson(record));
		else for (const line of lines) write(...line);
	} finally {
		await close();
	}
}

type OpenedOperator = {readonly operator: OperatorCalls; readonly close: () => Promise<void>};

/** @throws UsageError if no market is named */
async function openOperator(where: Where, what: string): Promise<OpenedOperator> {
	const {market, 'key-file': keyFile = '', data, database} = where;
	if (market === undefined) {
		const store = await openDatabase(readDataLocation({data, database}, what));
		const clock = createMarketClock(systemClock, await lastMoment(store));
		return {
			operator: operatorOf(store, () => clock.now()),
			close: async () => store.destroy(),
		};
	}
	if (data !== undefined || database !== undefined) {
		throw new UsageError('--market names a market that runs: give no database beside it.');
	}
	if (keyFile === '')
		throw new UsageError('--market needs --key-file, with the key of an operator.');
	const key = parseApiKey(keyFile, readNamedFile(keyFile));
	const client = openClient({url: readServiceUrl('--market', market), key});
	return {operator: overHttp(client.operator), close: async () => client.close()};
}

type Calls = ReturnType<typeof openClient>['operator'];

function overHttp(calls: Calls): OperatorCalls {
	return {
		...calls,
		giveCredit: async ({id, dollars, description, reference}) =>
			calls.giveCredit(id, {amount: dollars, description, reference}),
		changeRelay: async ({id, is_open, new_key = false}) =>
			calls.changeRelay(id, {is_open, new_key}),
		markMachine: async ({id, ...mark}) => calls.markMachine(id, {...mark, why: mark.why ?? ''}),
		payOut: async ({id, dollars, description, toCredit}) =>
			calls.payOut(id, {amount: dollars, description, to_credit: toCredit}),
		keys: async id =>
			(await calls.keys(id)).apikeys.map(({id: keyId, name, last_four, created_at}) => ({
				id: keyId,
				accountId: id,
				name: name ?? '',
				permissions: undefined,
				lastFour: last_four ?? '',
				createdAt: created_at ?? 0,
				capped: undefined,
			})),
	};
}
