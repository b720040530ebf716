/** Sweep: changes that come due by time. It runs every second, and once when the market opens. */
import {messages, type LifecycleEvent} from '../lifecycle/rules.ts';
import type {ContactTimeouts} from '../lifecycle/contact-rules.ts';
import {openEnd} from '../base/contract-end.ts';
import type {WorkSignal} from '../base/work-signal.ts';
import type {Database} from '../database/database.ts';
import type {ChangeNumbers} from '../database/changes.ts';
import {lengthenContracts} from '../machines/listings-store.ts';
import {expiredInstances, unpaidInstances} from '../lifecycle/instances-store.ts';
import {forgetCopies} from '../copies/store.ts';
import {forgetTasks} from '../tasks/store.ts';
import {countUses} from '../templates/store.ts';
import {changeInstance} from '../lifecycle/change.ts';
import {chargeDue, overdueBy} from '../billing/charging.ts';
import {settleMachine} from '../lifecycle/claims.ts';
import {endLateCopies} from '../copies/copies.ts';
import {settleDebts} from '../billing/debts.ts';
import {keepMaintenance} from '../machines/maintenance.ts';
import {noteSilence, silenceBy} from '../hosts/contact.ts';
import type {GpuSampler} from '../gpu-market/gpu-market.ts';
import {keepListings} from '../machines/listing.ts';
import {applyIncreases} from '../price-increases/price-increases.ts';
import {keepReliability} from '../reliability/reliability.ts';
import {dueTasks, type SweepTask} from './due-store.ts';
import {endLeases, type LeaseWatch} from './leases.ts';
import {notifyAhead} from './notices.ts';
import {settleDays, type LedgerWatch} from './ledger.ts';
import {writingOn} from '../database/writing.ts';
import type {Thoroughness} from '../base/sweeper.ts';

type Swept = {
	readonly database: Database;
	readonly patience: ContactTimeouts;
	readonly workSignal: WorkSignal;
	/** The market's share of what providers earn, from 0 to 1. */
	readonly share: number;
	readonly ledger?: LedgerWatch;
	readonly sampleGpus?: GpuSampler;
	readonly runJobs?: (now: number) => Promise<void>;
};

/** Optional parts of a sweep, and the findings of earlier sweeps of the same uptime. */
type Sweeping = {
	readonly charges: boolean;
	readonly contracts: boolean;
	readonly leases: LeaseWatch;
};

/** Interval of extending contracts, beside changes of their offers. */
const CONTRACTS_EVERY_SECONDS = 300;

/** Interval of checks of the ledger, which no call waits for. */
const LEDGER_EVERY_SECONDS = 10;
const LEDGER_SHARE = 0.01;

/** Makes a function that brings the market up to a moment. */
export function createSweep(
	swept: Swept,
	changes: ChangeNumbers,
): (now: number, how: Thoroughness) => Promise<void> {
	const leases: LeaseWatch = new Map();
	let [terms, lengthenedAt, nextLookAt] = [NaN, -Infinity, -Infinity];
	return async (now, how) => {
		await changes.catchUp();
		const present = changes.ofTerms();
		const contracts =
			how === 'all' || present !== terms || now - lengthenedAt >= CONTRACTS_EVERY_SECONDS;
		await sweepMarket(swept, now, {charges: how === 'all', contracts, leases});
		if (contracts) [terms, lengthenedAt] = [present, now];
		await swept.sampleGpus?.(now);
		if (swept.ledger === undefined || now < nextLookAt) return;
		const begunAt = performance.now();
		await swept.ledger.look();
		const tookSeconds = (performance.now() - begunAt) / 1000;
		nextLookAt = now + Math.max(LEDGER_EVERY_SECONDS, tookSeconds / LEDGER_SHARE);
	};
}

/** Does the work that is due at a moment. A second run changes nothing. */
export async function sweepMarket(
	swept: Swept,
	now: number,
	{charges, contracts, leases}: Sweeping = {charges: true, contracts: true, leases: new Map()},
): Promise<void> {
	const {database, patience, workSignal, share} = swept;
	const overdue = overdueBy(now, charges);
	const steps: ReadonlyArray<
		readonly [SweepTask | 'contracts', () => Promise<unknown> | undefined]
	> = [
		['silence', async () => noteSilence(database, patience, now)],
		// Before any charge, for prices may change with an increase.
		['increases', async () => applyIncreases(database, now)],
		['charges', async () => chargeDue(database, now, overdue)],
		['days', async () => settleDays({database, share}, now)],
		['debts', async () => settleDebts({database, share}, now)],
		['tasks', async () => forgetTasks(database, now)],
		['old copies', async () => forgetCopies(database, now)],
		['uses', async () => countUses(database)],
		['listings', async () => keepListings(database, now)],
		['maintenance', async () => keepMaintenance(database, now)],
		['reliability', async () => keepReliability(database, now)],
		['contracts', async () => lengthenContracts(database, openEnd(now))],
		['unpaid', async () => stopWhat(swept, unpaidInstances, messages.noCredit, now)],
		['ended', async () => stopWhat(swept, expiredInstances, messages.ended, now)],
		['late copies', async () => signalAll(workSignal, await endLateCopies(database, now))],
		['leases', async () => endLeases({database, watch: leases, workSignal}, now)],
		['notices', async () => notifyAhead(database, now)],
		['jobs', () => swept.runJobs?.(now)],
	];
	const ask = async () => dueTasks(database, {now, overdue, ...silenceBy(patience, now)});
	let due = await ask();
	if (!due.has('leases')) leases.clear();
	for (const [task, run] of steps) {
		if (task === 'contracts' ? !contracts : !due.has(task)) continue;
		await run();
		// One task can make another due: a charge uses up the credit of running instances.
		due = await ask();
	}
}

function signalAll(workSignal: WorkSignal, hosts: readonly number[]): void {
	for (const host of hosts) workSignal.send(host);
}

/** Stops instances that are still found at the moment of their stop: credit may arrive meanwhile. */
async function stopWhat(
	{database, workSignal}: Pick<Swept, 'database' | 'workSignal'>,
	find: typeof expiredInstances,
	message: string,
	now: number,
): Promise<void> {
	const event: LifecycleEvent = {kind: 'stop', message};
	const rows = await find(database, now).execute();
	for (const {id} of rows) {
		await writingOn(database, {instances: [id]}, async transaction => {
			const row = await find(transaction, now).where('id', '=', id).executeTakeFirst();
			if (row === undefined) return;
			await changeInstance(transaction, row, event, now);
			await settleMachine(transaction, row.machine_id, now);
		});
	}
	for (const {host_account_id: hosts} of rows) workSignal.send(hosts);
}
