/** Several who write at the same time share one transaction, whose end is what takes the longest. */
import {setImmediate} from 'node:timers/promises';
import {sql} from 'kysely';
import {isPassing} from './database-trouble.ts';
import type {Database} from './database.ts';
import {isOnPostgres} from './numbering.ts';
import * as locks from './postgres/locks.ts';

/** Queued write, with the handlers of its result or failure after the commit. */
type Task = {
	/** Answers what to do when all is committed. */
	readonly run: (transaction: Database) => Promise<() => void>;
	readonly fail: (error: unknown) => void;
};

/** The most that are committed at once: readers wait meanwhile. */
const MOST_AT_ONCE = 16;

const queues = new WeakMap<Database, Task[]>();

/**
 * Writes in a transaction, while nobody else does. Others may be a part of it: what fails is undone,
 * and leaves their work as it is; nobody is answered before all is committed. Within a transaction it
 * is a part of that.
 */
export async function writing<Result>(
	database: Database,
	write: (transaction: Database) => Promise<Result>,
): Promise<Result> {
	if (database.isTransaction) return write(database);
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
	// Whoever has called by now is read before this goes on.
	await setImmediate();
	while (queue.length > 0) {
		const tasks = queue.slice(0, MOST_AT_ONCE);
		try {
			for (const end of await commitAll(database, tasks)) end();
		} catch (error) {
			for (const {fail} of tasks) fail(error);
		}
		// Only now: who comes meanwhile starts no second round.
		queue.splice(0, tasks.length);
	}
}

/** Transactions of one process at once: some connections are left to those who read. */
const MOST_WRITERS = 7;

type Writers = {count: number; readonly waiting: Array<() => void>};

const writers = new WeakMap<Database, Writers>();

/**
 * Writes in a transaction what stands on some rows. A database that several processes share lets
 * others write what stands on other rows meanwhile: whatever is read to decide what is written has to
 * stand on these, or never to change.
 */
export async function writingOn<Result>(
	database: Database,
	held: locks.Held,
	write: (transaction: Database) => Promise<Result>,
): Promise<Result> {
	if (database.isTransaction || !isOnPostgres(database)) return writing(database, write);
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
 * Lets accounts be charged for what is on machines that are held without those who pay. Call it once,
 * before anything is written.
 */
export async function holdPayers(transaction: Database, machines: readonly number[]) {
	if (isOnPostgres(transaction)) await locks.holdPayers(transaction, machines);
}

async function commitAll(database: Database, tasks: readonly Task[]) {
	return commit(database, async transaction => {
		if (isOnPostgres(transaction)) await locks.holdAll(transaction);
		return runAll(transaction, tasks);
	});
}

const ATTEMPTS = 3;

/** Several processes can be in each other's way: then all of it is undone, and done again. */
async function commit<Result>(
	database: Database,
	write: (transaction: Database) => Promise<Result>,
	attempt = 1,
): Promise<Result> {
	try {
		return await database.transaction().execute(write);
	} catch (error) {
		if (attempt === ATTEMPTS || !isPassing(error)) throw error;
		return commit(database, write, attempt + 1);
	}
}

async function runAll(
	transaction: Database,
	tasks: readonly Task[],
): Promise<ReadonlyArray<() => void>> {
	const [only] = tasks;
	// Whoever is alone has the transaction for itself.
	if (tasks.length === 1 && only !== undefined) return [await only.run(transaction)];
	const ends: Array<() => void> = [];
	for (const {run, fail} of tasks) {
		const done = await wholeOrNothing(transaction, async () => run(transaction));
		ends.push(done.status === 'fulfilled' ? done.value : () => fail(done.reason));
	}
	return ends;
}

/**
 * Does a part of a transaction, and takes back what it wrote where it fails. It throws where the
 * transaction as a whole is lost: nothing of anybody is left then.
 */
export async function wholeOrNothing<Result>(
	transaction: Database,
	work: () => Promise<Result>,
): Promise<PromiseSettledResult<Result>> {
	await sql`savepoint part`.execute(transaction);
	const [done] = await Promise.allSettled([work()]);
	if (done.status === 'rejected') {
		if (isPassing(done.reason)) throw done.reason;
		await sql`rollback to part`.execute(transaction);
	}
	await sql`release part`.execute(transaction);
	return done;
}
