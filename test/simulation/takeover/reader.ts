/** A thread that reads from a PostgreSQL for another, which waits for it. */
import {parentPort, workerData, type MessagePort} from 'node:worker_threads';
import {Client, types, type ClientConfig} from 'pg';

type Asked = {
	readonly sql: string;
	readonly values: readonly number[];
	readonly port: MessagePort;
	readonly bell: Int32Array;
};

/** Integers and sums are numbers, as the program reads them. */
for (const type of [20, 1700]) types.setTypeParser(type, Number);
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a thread is given has no type
const client = new Client(workerData as ClientConfig);
const connected = client.connect();

async function answer({sql, values, port, bell}: Asked): Promise<void> {
	try {
		await connected;
		const {rows} = await client.query<Record<string, unknown>>(sql, [...values]);
		// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has none
		port.postMessage({rows});
	} catch (error) {
		// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has none
		port.postMessage({error: String(error)});
	}
	Atomics.store(bell, 0, 1);
	Atomics.notify(bell, 0);
}

parentPort?.on('message', (asked: Asked) => void answer(asked));
