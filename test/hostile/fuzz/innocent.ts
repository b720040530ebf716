/** Somebody who asks for their account again and again, from a thread of their own, and notes how long each answer takes. */
import {parentPort, workerData} from 'node:worker_threads';
import {setTimeout as sleep} from 'node:timers/promises';
import {Pool} from 'undici';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fuzz.ts gives it
const {url, key} = workerData as {readonly url: string; readonly key: string};
const pool = new Pool(url, {connections: 1});
const headers = {authorization: `Bearer ${key}`};
const waits: number[] = [];
const others: number[] = [];
const ended = new AbortController();
parentPort?.once('message', () => ended.abort());
while (!ended.signal.aborted) {
	const sentAt = performance.now();
	const path = '/api/v0/users/current/';
	const {statusCode, body} = await pool.request({method: 'GET', path, headers});
	await body.text();
	waits.push(performance.now() - sentAt);
	if (statusCode !== 200) others.push(statusCode);
	await sleep(20);
}
await pool.close();
parentPort?.postMessage({waits, others}, []);
