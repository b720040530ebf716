/** Write transactions. Concurrent writers share one, because its commit takes the longest. */
import {setImmediate} from 'node:timers/promises';
import {sql} from 'kysely';
import {isRetryable} from './database-trouble.ts';
import type {Database} from './database.ts';
import {isOnPostgres} from './numbering.ts';
import * as locks from './postgres/locks.ts';
import type {Tables} from './schema.ts';

/** Queued write, with the handlers of its result or failure after the commit. */
type Task = {
	/** Writes, and returns the action for after the commit. */
	readonly run: (transaction: Database) => Promise<() => void>;
	readonly fail: (error: unknown) => void;
};

type Guard = {
	readonly database: Database;
	/** Throws where nothing may be written any more. */
	readonly check: (transaction: Database) => Promise<void>;
};

const guards = new WeakMap<Database, Guard>();

/** The same database, whose writes are each checked first, in their own transactions. */
export function guardWrites(database: Database, check: Guard['check']): Database {
	const guarded: Database = database.$extendTables<Tables>();
	guards.set(guarded, {database, check});
	return guarded;
}

type Write<Result> = (transaction: Database) => Promise<Result>;

function checked<Result>({check}: Guard, write: Write<Result>): Write<Result> {
	return async transaction => {
		await check(transaction);
		return write(transaction);
	};
}

/** The most writes in a transaction, during which readers wait. */
const MOST_AT_ONCE = 16;

const queues = new WeakMap<Database, Task[]>();

/**
 * Writes in an exclusive transaction, which other writers may share: a failed write is rolled back
 * alone, and all are answered after the commit. Within a transaction, the write joins it.
 */
export async function writing<Result>(database: Database, write: Write<Result>): Promise<Result> {
	if (database.isTransaction) return write(database);
	const guard = guards.get(database);
	if (guard !== undefined) return writing(guard.database, checked(guard, write));
	const {promise, resolve, reject} = Promise.withResolvers<Result>();
	const queue = queues.get(database) ?? [];
	queue.push({
		async run(transaction) {
			const result = await write(transaction);
			return () => resolve(result);
		},
		fail: reject,
	});
	if (queue.length === 1) {
		queues.set(database, queue);
		void writeAll(database, queue);
	}
	return promise;
}

async function writeAll(database: Database, queue: Task[]): Promise<void> {
	// Gathers the writes of requests that have arrived.
	await setImmediate();
	while (queue.length > 0) {
		const tasks = queue.slice(0, MOST_AT_ONCE);
		try {
			const ends = await commit(database, async transaction => {
				if (isOnPostgres(transaction)) await locks.holdAll(transaction);
				return runAll(transaction, tasks);
			});
			for (const end of ends) end();
		} catch (error) {
			for (const {fail} of tasks) fail(error);
		}
		// Removed only now, so that a write queued meanwhile starts no second round.
		queue.splice(0, tasks.length);
	}
}

/** The most transactions of a process at once, which leave some connections to readers. */
const MOST_WRITERS = 7;

type Writers = {count: number; readonly waiting: Array<() => void>};

const writers = new WeakMap<Database, Writers>();

/**
 * Writes in a transaction with locks on some rows. On PostgreSQL, other writers may change other
 * rows meanwhile, so everything that a write depends on must be in locked rows, or never change.
 */
export async function writingOn<Result>(
	database: Database,
	held: locks.HeldRows,
	write: Write<Result>,
): Promise<Result> {
	if (database.isTransaction || !isOnPostgres(database)) return writing(database, write);
	const guard = guards.get(database);
	if (guard !== undefined) return writingOn(guard.database, held, checked(guard, write));
	const present = writers.get(database) ?? {count: 0, waiting: []};
	writers.set(database, present);
	if (present.count === MOST_WRITERS) {
		await new Promise<void>(resolve => present.waiting.push(resolve));
	} else present.count += 1;
	try {
		return await commit(database, async transaction => {
			await locks.hold(transaction, held);
			return write(transaction);
		});
	} finally {
		const next = present.waiting.shift();
		if (next === undefined) present.count -= 1;
		else next();
	}
}

/**
 * Locks the accounts that pay for instances and volumes on machines that are held without payers. Call
 * it once, before any write.
 */
export async function holdPayers(transaction: Database, machines: readonly number[]) {
	if (isOnPostgres(transaction)) await locks.lockPayers(transaction, machines);
}

/**
 * Holds a lock on a number of a kind until the end of the transaction; false if another transaction
 * holds it. It never waits, and so may be called after other locks.
 */
export async function tryHold(transaction: Database, kind: string, number: number) {
	return !isOnPostgres(transaction) || locks.tryLock(transaction, kind, number);
}

const ATTEMPTS = 3;

/** Commits a transaction, repeated after a conflict with another process. */
async function commit<Result>(
	database: Database,
	write: (transaction: Database) => Promise<Result>,
	attempt = 1,
): Promise<Result> {
	try {
		return await database.transaction().execute(write);
	} catch (error) {
		if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
		return commit(database, write, attempt + 1);
	}
}

async function runAll(
	transaction: Database,
	tasks: readonly Task[],
): Promise<ReadonlyArray<() => void>> {
	const [only] = tasks;
	// A single write needs no savepoint.
	if (tasks.length === 1 && only !== undefined) return [await only.run(transaction)];
	const ends: Array<() => void> = [];
	for (const {run, fail} of tasks) {
		const done = await wholeOrNothing(transaction, async () => run(transaction));
		ends.push(done.status === 'fulfilled' ? done.value : () => fail(done.reason));
	}
	return ends;
}

/**
 * Runs a part of a transaction, and undoes its writes if it fails. Throws if the whole transaction is
 * lost, with all of its parts.
 */
export async function wholeOrNothing<Result>(
	transaction: Database,
	work: () => Promise<Result>,
): Promise<PromiseSettledResult<Result>> {
	await sql`savepoint part`.execute(transaction);
	const [done] = await Promise.allSettled([work()]);
	if (done.status === 'rejected') {
		if (isRetryable(done.reason)) throw done.reason;
		// Where the disk is full, the whole transaction has ended, and with it the part.
		await sql`rollback to part`.execute(transaction).catch(() => {
			throw done.reason;
		});
	}
	await sql`release part`.execute(transaction);
	return done;
}
