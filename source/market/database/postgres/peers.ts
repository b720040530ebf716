/** The processes of a market, which notify each other of writes, and one of which leads. */
import {once} from 'node:events';
import {setTimeout as sleep} from 'node:timers/promises';
import type {PostgresAddress} from './address.ts';
import {connect, type Client} from './connections.ts';

/** Delay of a notification, in which further writes join it. */
const TELL_MS = 10;
const RETRY_MS = 500;
const LEADER = 0x52_4e_4c_44;

export type Peers = {
	/** Notifies the others of a write soon. A process that misses it polls every second. */
	readonly tell: () => void;
	/** True if this process leads, and so does the recurring work of all. */
	readonly leads: () => Promise<boolean>;
	readonly close: () => Promise<void>;
};

type Listening = {
	/** Called after a possible write by another process. */
	readonly heard: () => void;
	/** Called when the database is reachable again. */
	readonly back: () => void;
};

/** Joins the other processes over one connection; when it is lost, another process leads. */
export function joinPeers(address: PostgresAddress, {heard, back}: Listening): Peers {
	const closing = new AbortController();
	let present: Client | undefined;
	let isLeading = false;
	let telling: NodeJS.Timeout | undefined;
	const ask = createAsking();

	async function listen(isFirst: boolean): Promise<Client> {
		const client = await connect(address);
		client.on('notification', ({processId}) => {
			if (processId !== ownId(client)) heard();
		});
		await ask(client, 'listen market');
		present = client;
		if (!isFirst) back();
		heard();
		return client;
	}

	async function stay(client: Client): Promise<void> {
		await once(client, 'end', {signal: closing.signal}).catch(() => undefined);
		present = undefined;
		isLeading = false;
	}

	async function goOn(first: Promise<Client>): Promise<void> {
		await first.then(stay).catch(() => undefined);
		while (!closing.signal.aborted) {
			await sleep(RETRY_MS, undefined, {signal: closing.signal, ref: false}).catch(() => undefined);
			if (!closing.signal.aborted)
				await listen(false)
					.then(stay)
					.catch(() => undefined);
		}
	}

	const first = listen(true);
	const staying = goOn(first);
	return {
		tell() {
			telling ??= setTimeout(() => {
				telling = undefined;
				if (present !== undefined) ask(present, 'notify market').catch(() => undefined);
			}, TELL_MS).unref();
		},
		async leads() {
			await first.catch(() => undefined);
			const client = present;
			if (client === undefined) return false;
			isLeading ||= await ask(client, `select pg_try_advisory_lock(${LEADER}) as is`);
			// The connection may have been lost meanwhile.
			return isLeading && client === present;
		},
		async close() {
			const client = present;
			clearTimeout(telling);
			closing.abort();
			await staying;
			await client?.end().catch(() => undefined);
		},
	};
}

/** Runs queries with a boolean result on a connection, one after the other. */
function createAsking() {
	let asked: Promise<unknown> = Promise.resolve();
	return async (client: Client, text: string): Promise<boolean> => {
		const answer = asked.then(async () => client.query<{is: boolean}>(text));
		asked = answer.catch(() => undefined);
		return (await answer).rows[0]?.is === true;
	};
}

function ownId(client: Client): unknown {
	return 'processID' in client ? client.processID : undefined;
}
