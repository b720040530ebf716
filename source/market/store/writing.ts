/** Several who write at the same time share one transaction, whose end is what takes the longest. */
import {setImmediate} from 'node:timers/promises';
import {sql} from 'kysely';
import {isPassing} from './database-trouble.ts';
import type {Database} from './database.ts';

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
 * Writes in a transaction, of which others may be a part. What fails is undone, and leaves the work
 * of the others as it is; nobody is answered before all is committed.
 */
export async function writing<Result>(
	database: Database,
	write: (transaction: Database) => Promise<Result>,
): Promise<Result> {
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

const ATTEMPTS = 3;

/** Several processes can be in each other's way: then all of it is undone, and done again. */
async function commitAll(
	database: Database,
	tasks: readonly Task[],
	attempt = 1,
): Promise<ReadonlyArray<() => void>> {
	try {
		return await database.transaction().execute(async transaction => runAll(transaction, tasks));
	} catch (error) {
		if (attempt === ATTEMPTS || !isPassing(error)) throw error;
		return commitAll(database, tasks, attempt + 1);
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
		await sql`savepoint task`.execute(transaction);
		try {
			ends.push(await run(transaction));
		} catch (error) {
			if (isPassing(error)) throw error;
			// Where this fails as well, nothing of anybody is left.
			await sql`rollback to task`.execute(transaction);
			ends.push(() => fail(error));
		}
		await sql`release task`.execute(transaction);
	}
	return ends;
}
