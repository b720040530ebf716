/**
 * Connections to a real PostgreSQL. Statements are done one at a time, in the order of the world, whose time
 * stands still meanwhile. None waits for a lock: it is tried again until it gets it, so that chance decides
 * who is next.
 */
import {EventEmitter} from 'node:events';
import {Client as RealClient, types, type ClientConfig, type QueryConfig} from 'pg';
import {count} from '../tried.ts';
import {current, here, world} from '../world/world.ts';
import {networkHere} from './network.ts';

export {types};

/** A connection of nobody in the world, which makes databases and ends sessions. */
let overseer: RealClient | undefined;
let lastAsked: Promise<unknown> = Promise.resolve();

export async function oversee(config: ClientConfig): Promise<void> {
	overseer = new RealClient(config);
	// The server ends before it.
	overseer.on('error', () => undefined);
	await overseer.connect();
}

/** Asks for something that is not part of the world. */
export async function askOverseer(text: string, ...values: readonly unknown[]) {
	if (overseer === undefined) throw new Error('no PostgreSQL is there');
	const client = overseer;
	const asked = lastAsked.then(async () => client.query(text, [...values]));
	lastAsked = asked.catch(() => undefined);
	return asked;
}

/** Share of statements that take a while, and its mean: transactions of one account are to meet. */
const SLOW = 0.5;
const SLOW_MS = 60;

/** Share of what befalls requests that befalls statements: the connection is cut. */
const CUTS = 0.005;

/** Message of the package about a connection that was cut. */
export const CUT = 'Connection terminated unexpectedly';

/** Real milliseconds that a statement may wait for a lock: the least that there is. */
const LOCK_MS = 1;
const LOCKED = '55P03';
/** Mean pause between two attempts, and the milliseconds after which a statement fails, as the program sets it. */
const ATTEMPT_MS = 15;
const LONGEST_WAIT_MS = 10_000;

/** Statements that may wait for a lock of another transaction. */
const mayWait =
	/^\s*(?:insert|update|delete)\b|\bhold_\w+\(|\bpg_advisory_xact_lock|\bfor (?:no key )?update/i;

const listeners = new Set<Client>();

/** Forgets who listened in a world that has ended. */
export function forgetListeners(): void {
	listeners.clear();
}

type Config = ClientConfig & {readonly options?: string};
type Statement = QueryConfig | string;

/** Takes the place of a client of the package. */
export class Client extends EventEmitter {
	processID = 0;
	readonly owner = here();
	readonly #config: Config;
	#real: RealClient | undefined;
	#last: Promise<unknown> = Promise.resolve();
	#isInTransaction = false;

	constructor(config: Config) {
		super();
		this.#config = config;
	}

	async connect(): Promise<void> {
		const {host, port, user, database, types: parsers, options = ''} = this.#config;
		const ours = `${options} -c lock_timeout=${LOCK_MS} -c idle_in_transaction_session_timeout=0`;
		const real = new RealClient({host, port, user, database, types: parsers, options: ours});
		real.on('error', () => undefined);
		await takeTurn(async () => real.connect());
		this.processID = Number(Reflect.get(real, 'processID'));
		this.#real = real;
		this.owner.onEnd.push(() => this.#leave());
	}

	async query(statement: Statement): Promise<unknown> {
		if (statement === 'listen market') {
			listeners.add(this);
			return {rows: []};
		}
		if (statement === 'notify market') return tellOthers(this);
		const asked = this.#last.then(async () => this.#ask(statement));
		this.#last = asked.catch(() => undefined);
		return asked;
	}

	async end(): Promise<void> {
		this.#leave();
	}

	async #ask(statement: Statement): Promise<unknown> {
		const {chance} = here();
		const isCut = chance.happens(networkHere().rates.changes * CUTS);
		const isDone = !isCut || chance.happens(0.5);
		if (isCut) count(`database cut ${isDone ? 'after' : 'before'} a statement`);
		const answer = isDone ? await this.#tryUntilFree(statement) : undefined;
		if (!isCut) return answer;
		this.#leave();
		return lost();
	}

	/** Does a statement as soon as others have left the locks that it needs. */
	async #tryUntilFree(statement: Statement): Promise<unknown> {
		const until = world().now() + LONGEST_WAIT_MS;
		for (let attempt = 1; ; attempt++) {
			try {
				return await takeTurn(async () => this.#send(statement, world().now() < until));
			} catch (error) {
				if (!(error instanceof Busy)) throw error;
				if (attempt === 1) count('waits for a lock');
				await new Promise<void>(resolve => {
					world().after(1 + here().chance.wait(ATTEMPT_MS), resolve);
				});
			}
		}
	}

	/** @throws Busy where it needs a lock, and may be tried again */
	async #send(statement: Statement, mayRepeat: boolean): Promise<unknown> {
		const real = this.#real ?? lost();
		const text = typeof statement === 'string' ? statement : statement.text;
		const wasInTransaction = this.#isInTransaction;
		const isMarked = wasInTransaction && mayWait.test(text);
		this.#isInTransaction = isInTransactionAfter(text, wasInTransaction);
		if (isMarked) await real.query('savepoint attempt');
		try {
			const found = await real.query(statement);
			if (isMarked) await real.query('release savepoint attempt');
			return found;
		} catch (error) {
			const mayUndo = isMarked || !wasInTransaction;
			if (!isLocked(error) || !mayRepeat || !mayUndo) throw error;
			await real.query(isMarked ? 'rollback to savepoint attempt' : 'rollback');
			this.#isInTransaction = wasInTransaction;
			throw new Busy();
		}
	}

	/** Ends the session with all that it has begun. */
	#leave(): void {
		listeners.delete(this);
		if (this.#real === undefined) return;
		this.#real = undefined;
		world().hold(askOverseer('select pg_terminate_backend($1, 10000)', this.processID));
		if (this.owner.isAlive) world().after(0, () => this.emit('end'), this.owner);
	}
}

function isInTransactionAfter(text: string, was: boolean): boolean {
	const [, word = ''] = /^\s*(begin|commit|rollback)\b/i.exec(text) ?? [];
	return word === '' ? was : word.toLowerCase() === 'begin';
}

class Busy extends Error {}

const isLocked = (error: unknown) =>
	error instanceof Error && 'code' in error && error.code === LOCKED;

function lost(): never {
	throw new Error(CUT);
}

/** Does something real at a moment of its own, in which nothing else happens, and answers after it. */
async function takeTurn<Value>(act: () => Promise<Value>): Promise<Value> {
	const {chance} = here();
	await new Promise<void>(resolve => {
		world().after(chance.happens(SLOW) ? 1 + chance.wait(SLOW_MS) : 0, resolve);
	});
	const owner = current();
	const told = (tell: () => void) => void world().after(0, tell, owner);
	return new Promise<Value>((resolve, reject) => {
		const acted = act().then(
			value => told(() => resolve(value)),
			(error: unknown) => told(() => reject(error)),
		);
		world().hold(acted);
	});
}

/** A note that others have written, which takes its time on the way. */
function tellOthers({processID: processId}: Client): {readonly rows: readonly unknown[]} {
	for (const one of listeners) {
		const ms = 1 + here().chance.wait(3);
		world().after(ms, () => void one.emit('notification', {processId}), one.owner);
	}
	return {rows: []};
}
