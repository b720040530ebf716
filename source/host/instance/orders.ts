/**
 * Orders in progress on a host, a file each. An order that was in progress when the agent died is
 * suspect: it runs after all others, one at a time, and is refused if the agent dies again.
 */
import {mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {CannotStart} from '../base/retry.ts';
import {pause, type Scheduler} from '../base/scheduler.ts';
import {DAY} from '../../contract/rules/durations.ts';

export type Orders = {
	/** True if the agent died in the middle of an order. */
	readonly isSuspect: (order: string) => boolean;
	/**
	 * Runs an order's action; a suspect order waits for its turn.
	 *
	 * @throws EndsAgent for an order during which the agent died twice.
	 */
	readonly run: <Result>(
		order: string,
		action: () => Promise<Result>,
		signal?: AbortSignal,
	) => Promise<Result>;
	/** Runs an action at once, for orders that others wait for. */
	readonly runNow: <Result>(order: string, action: () => Promise<Result>) => Promise<Result>;
	/** Records a regular end of the agent, so that no order in progress is suspected. */
	readonly close: () => void;
};

export class EndsAgent extends CannotStart {
	constructor() {
		super(
			"the host's program ended twice in the middle of this order, so it is not tried again for a day",
		);
	}
}

const MOST_DEATHS = 2;

/** Time after which a refused order is tried again: its cause may have been repaired. */
const REMEMBERED_SECONDS = DAY;

/**
 * Time for other orders to begin before a suspect one, and its longest wait for orders in progress.
 */
const GATHERING_SECONDS = 1;
const LONGEST_SECONDS = 60;

/** @param folder Folder of the files, created if missing. */
export function openOrders(folder: string, scheduler: Scheduler): Orders {
	const deaths = readDeaths(folder, scheduler.now());
	const underWay = new Map<Promise<unknown>, string>();
	const waitForTurn = createTurns(scheduler, async () => Promise.allSettled(underWay.keys()));
	let isClosed = false;

	const fileOf = (order: string) => join(folder, order);
	const isSuspect = (order: string) => deaths.has(order);

	function refuseDeadly(order: string): void {
		if ((deaths.get(order) ?? 0) >= MOST_DEATHS) throw new EndsAgent();
	}

	function noteDown(order: string): void {
		try {
			writeFileSync(fileOf(order), String(deaths.get(order) ?? 0), {mode: 0o600});
		} catch {
			// A full disk must not stop an order: it may be the one that frees space.
		}
	}

	function over(order: string): void {
		if (isClosed || [...underWay.values()].includes(order)) return;
		forget(fileOf(order));
		deaths.delete(order);
	}

	async function runNow<Result>(order: string, action: () => Promise<Result>): Promise<Result> {
		refuseDeadly(order);
		if (!isClosed) noteDown(order);
		const doing = action();
		underWay.set(doing, order);
		try {
			return await doing;
		} finally {
			underWay.delete(doing);
			over(order);
		}
	}

	async function run<Result>(
		order: string,
		action: () => Promise<Result>,
		signal: AbortSignal = new AbortController().signal,
	): Promise<Result> {
		refuseDeadly(order);
		if (!isSuspect(order)) return runNow(order, action);
		const end = await waitForTurn(signal);
		try {
			signal.throwIfAborted();
			return await runNow(order, action);
		} finally {
			end();
		}
	}

	return {
		isSuspect,
		run,
		runNow,
		close() {
			for (const order of underWay.values()) forget(fileOf(order));
			isClosed = true;
		},
	};
}

/** Removes a note; a note that stays is harmless once the order is done. */
function forget(file: string): void {
	try {
		rmSync(file, {force: true});
	} catch {
		// The next agent wrongly suspects this order, which only delays it.
	}
}

/**
 * Makes suspect orders wait for all others, and then for each other. The returned function ends a
 * turn.
 */
function createTurns(scheduler: Scheduler, othersDone: () => Promise<unknown>) {
	let turns = Promise.resolve();

	async function atMost(wait: Promise<unknown>, signal: AbortSignal): Promise<void> {
		const waited = new AbortController();
		const any = AbortSignal.any([signal, waited.signal]);
		await Promise.race([wait, pause(scheduler, LONGEST_SECONDS, any)]);
		waited.abort();
	}

	async function turnAfter(before: Promise<void>, signal: AbortSignal): Promise<void> {
		await before;
		await pause(scheduler, GATHERING_SECONDS, signal);
		await atMost(othersDone(), signal);
	}

	async function endOf(turn: Promise<void>, done: Promise<void>, signal: AbortSignal) {
		await turn;
		await atMost(done, signal);
	}

	return async (signal: AbortSignal): Promise<() => void> => {
		const {promise: done, resolve: end} = Promise.withResolvers<void>();
		const turn = turnAfter(turns, signal);
		turns = endOf(turn, done, signal);
		await turn;
		return end;
	};
}

/** Count of the agent's deaths during each order, the last one included. */
function readDeaths(folder: string, now: number): Map<string, number> {
	const deaths = new Map<string, number>();
	try {
		mkdirSync(folder, {recursive: true, mode: 0o700});
		for (const order of readdirSync(folder)) {
			const file = join(folder, order);
			const about = statSync(file);
			if (!about.isFile()) continue;
			if (now - about.mtimeMs / 1000 > REMEMBERED_SECONDS) rmSync(file, {force: true});
			else deaths.set(order, (Number.parseInt(readFileSync(file, 'utf8'), 10) || 0) + 1);
		}
	} catch {
		// Without notes, orders run nevertheless: ending an instance must always be possible.
	}
	return deaths;
}
