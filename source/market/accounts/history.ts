/** History of accounts: changes by their keys, and addresses of calls, written with a short delay. */
import {type Endpoint, isReading} from '../../contract/grammar/endpoint.ts';
import {
	HISTORY_DAYS,
	KEPT_CHANGES,
	KEPT_REFUSED,
	MOST_CHANGES,
} from '../../contract/nouns/account.ts';
import type {Log} from '../base/log.ts';
import type {MarketClock} from '../base/clock.ts';
import {printArguments} from './rules.ts';
import * as store from './history-store.ts';
import type {Database} from '../database/database.ts';
import type {ApiKey} from '../base/api-key.ts';
import {writingOn} from '../database/writing.ts';
import {DAY, HOUR} from '../../contract/rules/durations.ts';

/** Debounce delay: calls are collected this long before a write. */
const WRITE_MS = 250;
const RETRY_MS = 2000;
/** The most calls kept in memory while the database cannot be written. */
const MOST_WAITING = 10_000;
/** Addresses in memory, so that most calls from a known address write nothing. */
const MOST_KNOWN = 100_000;

export type ChangeCall = {
	readonly caller: Pick<ApiKey, 'id' | 'accountId' | 'memberId'>;
	readonly at: number;
	/** Address of the caller; empty for a call of the market itself. */
	readonly address: string;
	/** Method and path. */
	readonly route: string;
	readonly sent: Readonly<Record<string, unknown>>;
	readonly status: number;
};

export type History = {
	/** Records that a key called from an address. */
	readonly see: (accountId: number, address: string) => void;
	/** Records a change by a key, or its refusal. */
	readonly note: (call: ChangeCall) => void;
	readonly flush: () => Promise<void>;
	/** Writes waiting calls, and ends. */
	readonly stop: () => Promise<void>;
};

/** True if a call belongs into the history of its account. */
export function isChange(endpoint: Endpoint): boolean {
	return !isReading(endpoint) && endpoint.routine !== true;
}

type World = {
	readonly database: Database;
	readonly clock: Pick<MarketClock, 'now'>;
	readonly log: Log;
};

/** Debounced writer of waiting calls. A failed write is retried, and each new failure logged. */
function createLateWriter(write: () => Promise<void>, log: Log) {
	let timer: NodeJS.Timeout | undefined;
	let last = Promise.resolve();
	let lastFailure = '';

	async function writeNow(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		await write();
	}

	async function flush(): Promise<void> {
		last = last.catch(() => undefined).then(writeNow);
		return last;
	}

	async function flushQuietly(): Promise<void> {
		try {
			await flush();
			lastFailure = '';
		} catch (error) {
			// Retries may fail for hours, so the same failure is logged once.
			const failure = String(error);
			if (failure !== lastFailure) log(`history was not written: ${failure}`);
			lastFailure = failure;
			plan(RETRY_MS);
		}
	}

	function plan(ms: number = WRITE_MS): void {
		timer ??= setTimeout(() => void flushQuietly(), ms).unref();
	}

	async function stop(): Promise<void> {
		await flushQuietly();
		clearTimeout(timer);
	}

	return {flush, plan, stop};
}

export function createHistory({database, clock, log}: World): History {
	const known = new Map<string, number>();
	const counts = new Map<number, number>();
	let changes: store.NewChange[] = [];
	let seen: store.LoggedAddress[] = [];
	let forgottenAt = -Infinity;
	const {flush, plan, stop} = createLateWriter(write, log);

	async function write(): Promise<void> {
		const [newChanges, newSeen] = [changes, seen];
		if (newChanges.length === 0 && newSeen.length === 0) return;
		[changes, seen] = [[], []];
		const now = clock.now();
		const isHourOver = now - forgottenAt >= HOUR;
		const crowded = countWritten(counts, [
			...newChanges.map(one => one.account_id),
			...newSeen.map(one => one.accountId),
		]);
		try {
			await writingOn(database, {}, async transaction => {
				await store.insertChanges(transaction, newChanges);
				await store.keepAddresses(transaction, newSeen);
				for (const id of crowded) {
					await store.trimChanges(transaction, {accountId: id, refused: false}, KEPT_CHANGES);
					await store.trimChanges(transaction, {accountId: id, refused: true}, KEPT_REFUSED);
					await store.trimAddresses(transaction, id, MOST_CHANGES);
				}
				if (isHourOver) await store.forgetHistory(transaction, now - HISTORY_DAYS * DAY);
			});
		} catch (error) {
			changes = [...newChanges, ...changes].slice(-MOST_WAITING);
			seen = [...newSeen, ...seen].slice(-MOST_WAITING);
			throw error;
		}
		for (const id of crowded) counts.delete(id);
		if (isHourOver) forgottenAt = now;
	}

	return {
		see(accountId, address) {
			const name = `${accountId} ${address}`;
			const at = clock.now();
			if (at - (known.get(name) ?? -Infinity) < HOUR) return;
			if (known.size >= MOST_KNOWN) known.clear();
			known.set(name, at);
			seen.push({accountId, address, at});
			plan();
		},
		note({caller: {id, accountId, memberId}, at, address, route, sent, status}) {
			const who = {account_id: accountId, member_id: memberId, key_id: id, address};
			changes.push({...who, at, route, arguments: printArguments(sent), status});
			plan();
		},
		flush,
		stop,
	};
}

/** Counts written rows, and returns the accounts to trim. */
function countWritten(counts: Map<number, number>, ids: readonly number[]): readonly number[] {
	for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
	const crowded = [...new Set(ids)].filter(id => (counts.get(id) ?? 0) >= MOST_CHANGES);
	return crowded.toSorted((one, other) => one - other);
}
