/** Pool of connections to a PostgreSQL. */
import {readFileSync} from 'node:fs';
import process from 'node:process';
import {Client, types, type ClientConfig} from 'pg';
import {DatabaseLost} from '../database-trouble.ts';
import {readPassword, type PostgresAddress} from './address.ts';

/** Time limit for connecting to a host, before the next one is tried. */
const CONNECT_MS = 5000;
/** Time limit of a query, longer than any of ours takes. */
const SILENCE_MS = 30_000;
/**
 * Limits of sessions: a disconnected process must not block other writers, and waits are no longer
 * than with SQLite.
 */
const OPTIONS =
	'-c lock_timeout=10000 -c idle_in_transaction_session_timeout=15000 -c timezone=UTC';

export type {Client} from 'pg';

/** Query for a standby, with the connection's time limit for a silent host. */
const isStandby = {
	text: `select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as standby`,
	query_timeout: CONNECT_MS,
};

/** Connects to the first writable host of an address. */
export async function connect(address: PostgresAddress): Promise<Client> {
	const failures: string[] = [];
	for (const host of address.hosts) {
		const client = new Client(configOf(address, host));
		// The error of an idle connection shows at its next use.
		client.on('error', () => undefined);
		try {
			await client.connect();
			const {rows} = await client.query<{standby: boolean}>(isStandby);
			if (rows[0]?.standby !== true) return client;
			failures.push(`${host.host}:${host.port} cannot be written`);
		} catch (error) {
			const why = error instanceof Error ? error.message || error.name : String(error);
			failures.push(`${host.host}:${host.port}: ${why}`);
		}
		await client.end().catch(() => undefined);
	}
	throw new DatabaseLost(failures.join('; '));
}

function configOf(
	address: PostgresAddress,
	{host, port}: PostgresAddress['hosts'][number],
): ClientConfig {
	const {user, name, sslmode} = address;
	const password = readPassword(address, {host, port});
	return {
		host,
		port,
		user,
		database: name,
		...(password !== undefined && {password}),
		ssl: sslmode === 'disable' ? false : sslOf(sslmode, host),
		connectionTimeoutMillis: CONNECT_MS,
		query_timeout: SILENCE_MS,
		keepAlive: true,
		application_name: 'rentty market',
		options: OPTIONS,
		types: {getTypeParser: parserOf},
	};
}

function sslOf(mode: 'require' | 'verify-full', host: string) {
	const root = process.env['PGSSLROOTCERT'];
	return {
		rejectUnauthorized: mode === 'verify-full',
		// Without `host`, the library would accept a certificate for localhost from any IP address.
		host,
		...(root !== undefined && {ca: readFileSync(root, 'utf8')}),
	};
}

const INT8 = 20;
const NUMERIC = 1700;

/** Parses integers and sums as numbers, as long as these are exact. */
const parserOf: NonNullable<ClientConfig['types']>['getTypeParser'] = (
	type: number,
	format?: 'text' | 'binary',
) => {
	// oxlint-disable-next-line typescript/no-unsafe-return -- a parser of the package
	return type === INT8 || type === NUMERIC ? exactNumber : types.getTypeParser(type, format);
};

function exactNumber(text: string): number {
	const number = Number(text);
	if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
	throw new RangeError(`${text} is more than a number counts exactly`);
}

type Waiting = PromiseWithResolvers<Client>;

/** Pool that lends each connection to one user at a time. */
export class Pool {
	readonly #address: PostgresAddress;
	readonly #most: number;
	readonly #idle: Client[] = [];
	readonly #lent = new Set<Client>();
	readonly #waiting: Waiting[] = [];
	readonly #opening = new Set<Promise<void>>();
	#closed: PromiseWithResolvers<void> | undefined;

	constructor(address: PostgresAddress, most: number) {
		this.#address = address;
		this.#most = most;
	}

	async take(): Promise<Client> {
		if (this.#closed !== undefined) throw new DatabaseLost('it was closed');
		const client = this.#idle.pop();
		if (client !== undefined) {
			this.#lent.add(client);
			return client;
		}
		const wait = Promise.withResolvers<Client>();
		this.#waiting.push(wait);
		if (this.#lent.size + this.#opening.size < this.#most) void this.#open();
		return wait.promise;
	}

	/** Takes a connection back; a broken one is closed. */
	give(client: Client, isBroken: boolean): void {
		this.#lent.delete(client);
		if (isBroken || this.#closed !== undefined) {
			void client.end().catch(() => undefined);
			if (this.#waiting.length > 0) void this.#open();
		} else this.#offer(client);
		if (this.#lent.size === 0) this.#closed?.resolve();
	}

	counts() {
		const lent = this.#lent.size;
		return {open: this.#idle.length + lent, lent, waiting: this.#waiting.length};
	}

	/** Closes all connections, when the lent ones are back. */
	async close(): Promise<void> {
		this.#closed ??= Promise.withResolvers();
		if (this.#lent.size === 0) this.#closed.resolve();
		await this.#closed.promise;
		// A connection may still be opening for a caller who was served by another one meanwhile.
		await Promise.all(this.#opening);
		await Promise.allSettled(this.#idle.splice(0).map(async client => client.end()));
	}

	#offer(client: Client): void {
		const next = this.#waiting.shift();
		if (next === undefined) {
			this.#idle.push(client);
			return;
		}
		this.#lent.add(client);
		next.resolve(client);
	}

	async #open(): Promise<void> {
		const {promise, resolve} = Promise.withResolvers<void>();
		this.#opening.add(promise);
		try {
			const client = await connect(this.#address);
			client.once('end', () => this.#forget(client));
			this.#offer(client);
		} catch (error) {
			// The other waiting callers would fail, too.
			for (const {reject} of this.#waiting.splice(0)) reject(error);
		} finally {
			this.#opening.delete(promise);
			resolve();
		}
	}

	#forget(client: Client): void {
		const index = this.#idle.indexOf(client);
		if (index >= 0) this.#idle.splice(index, 1);
	}
}
