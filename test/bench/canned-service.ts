/** A thread that answers each path with a text made beforehand. */
import {createServer} from 'node:http';
import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';
import {isRecord} from '../../source/contract/grammar/json.ts';

/** Starts the thread. Its answers are by path; the service ends with the thread. */
export async function openCannedService(answers: Readonly<Record<string, string>>) {
	const worker = new Worker(new URL(import.meta.url), {workerData: answers});
	const port = await new Promise<number>((resolve, reject) => {
		worker.once('message', resolve);
		worker.once('error', reject);
	});
	return {url: `http://127.0.0.1:${port}`, close: async () => worker.terminate()};
}

function serve(answers: unknown): void {
	const entries = isRecord(answers) ? Object.entries(answers) : [];
	const bodies = new Map(entries.map(([path, text]) => [path, Buffer.from(String(text))]));
	const headers = {'content-type': 'application/json'};
	const server = createServer((request, response) => {
		request.resume();
		const body = bodies.get(request.url ?? '');
		response.writeHead(body === undefined ? 404 : 200, headers).end(body ?? '{}');
	});
	server.listen(0, '127.0.0.1', () => {
		const address = server.address();
		// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
		parentPort?.postMessage(typeof address === 'object' ? address?.port : undefined);
	});
}

if (!isMainThread) serve(workerData);
