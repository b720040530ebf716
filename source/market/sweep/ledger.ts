/** Recurring work on the ledger: posting closed days, and checking sums. */
import {setImmediate} from 'node:timers/promises';
import {dayNumberOf} from '../ledger/metering-rules.ts';
import {usagePostings} from '../ledger/rules.ts';
import type {Database} from '../database/database.ts';
import {readDebt} from '../billing/debts-store.ts';
import {
	SETTLED,
	insertEntry,
	nextUnsettledDay,
	noteSettled,
	unsettledAccounts,
	usedOn,
} from '../ledger/store.ts';
import {
	balanceFaults,
	checkedEntries,
	entryFaults,
	keepSums,
	noteCheckedEntries,
	type Fault,
} from '../ledger/checks-store.ts';
import {writeMoment} from '../database/moments.ts';
import {unbilledInstances, unbilledVolumes} from '../ledger/unbilled-store.ts';
import {writing} from '../database/writing.ts';
import {chargeAccount} from '../billing/charging.ts';
import {DAY} from '../../contract/rules/durations.ts';

/** Delay of closing a day, longer than clocks of several processes differ. */
const CLOSED_AFTER_SECONDS = 3600;

/** The most accounts posted in a sweep, because all other work waits for them. */
const ACCOUNTS_AT_ONCE = 200;

type Settling = {
	readonly database: Database;
	/** The market's share of what providers earn, from 0 to 1. */
	readonly share: number;
};

/** Moment until which days are closed. */
export function closedUntil(now: number): number {
	return dayNumberOf(now - CLOSED_AFTER_SECONDS) * DAY;
}

/** Posts usage of closed days, some accounts at a time. */
export async function settleDays({database, share}: Settling, now: number): Promise<void> {
	const until = closedUntil(now);
	const through = until / DAY - 1;
	const accounts = await unsettledAccounts(database, through, ACCOUNTS_AT_ONCE);
	let areAll = accounts.length < ACCOUNTS_AT_ONCE;
	for (const id of accounts) {
		await chargeAccount(database, id, now);
		// A day with usage that cannot be charged yet is posted later.
		if (!(await settleAccount(database, id, {through, share, now}))) areAll = false;
		await setImmediate();
	}
	if (areAll) await writeMoment(database, SETTLED, until);
}

type Closing = {readonly through: number; readonly share: number; readonly now: number};

/** Posts the closed days of an account, an entry for each; false if usage is still uncharged. */
async function settleAccount(
	database: Database,
	accountId: number,
	{through, share, now}: Closing,
): Promise<boolean> {
	return writing(database, async transaction => {
		const unbilled = {due: (through + 1) * DAY - 1, accountId};
		if ((await unbilledInstances(transaction, unbilled, 1).execute()).length > 0) return false;
		if ((await unbilledVolumes(transaction, unbilled, 1).execute()).length > 0) return false;
		for (;;) {
			const day = await nextUnsettledDay(transaction, accountId, through);
			if (day === undefined) return true;
			const used = await usedOn(transaction, accountId, day);
			const {credit} = await readDebt(transaction, accountId);
			const entry = {kind: 'usage', at: now, account_id: accountId, day} as const;
			await insertEntry(transaction, entry, usagePostings(accountId, used, {credit, share}));
			await noteSettled(transaction, accountId, day);
		}
	});
}

export type LedgerWatch = {
	/** Checks some balances and entries, others each time, and logs faults. */
	readonly look: () => Promise<void>;
	/** Count of faulty balances and entries. */
	readonly faults: () => number;
};

const CHECKED_AT_ONCE = {balances: 20, entries: 500} as const;

/** Watch over the sums of the ledger, which logs each fault once until it is gone. */
export function createLedgerWatch(database: Database, log: (line: string) => void): LedgerWatch {
	const rounds = {balances: createRound(log), entries: createRound(log)};

	async function checkBalances(): Promise<void> {
		const slice = {after: rounds.balances.after() ?? 0, most: CHECKED_AT_ONCE.balances};
		const looked = await balanceFaults(database, slice);
		rounds.balances.note(looked);
		if (looked.faults.length === 0) await keepSums(database, slice);
	}

	async function checkEntries(): Promise<void> {
		const checked = await checkedEntries(database);
		const after = rounds.entries.after() ?? checked;
		const {right, ...looked} = await entryFaults(database, {after, most: CHECKED_AT_ONCE.entries});
		rounds.entries.note(looked);
		if (after === checked && right > checked) await noteCheckedEntries(database, right);
	}

	return {
		async look() {
			await checkBalances();
			await checkEntries();
		},
		faults: () => rounds.balances.count() + rounds.entries.count(),
	};
}

/** Faults of the whole ledger, from every posting and every entry. */
export async function checkLedger(database: Database): Promise<readonly Fault[]> {
	const faults: Fault[] = [];
	for (let after: number | undefined = 0; after !== undefined;) {
		const slice = {after, most: CHECKED_AT_ONCE.balances, isWhole: true};
		const looked = await balanceFaults(database, slice);
		faults.push(...looked.faults);
		after = looked.last;
	}
	for (let after: number | undefined = 0; after !== undefined;) {
		const looked = await entryFaults(database, {after, most: CHECKED_AT_ONCE.entries});
		faults.push(...looked.faults);
		after = looked.last;
	}
	return faults;
}

type Looked = {readonly faults: readonly Fault[]; readonly last: number | undefined};

/** Faults found part by part, in repeated rounds. */
function createRound(log: (line: string) => void) {
	let [known, found] = [new Map<string, number>(), new Map<string, number>()];
	let after: number | undefined;
	return {
		/** Id after which the round goes on; undefined at its beginning. */
		after: () => after,
		count: () => known.size,
		note({faults, last}: Looked): void {
			for (const {what, micros} of faults) {
				if (known.get(what) !== micros) {
					log(`ledger: ${what}: wrong by ${micros} micro-dollars`);
				}
				known.set(what, micros);
				found.set(what, micros);
			}
			after = last;
			if (last === undefined) [known, found] = [found, new Map<string, number>()];
		},
	};
}
