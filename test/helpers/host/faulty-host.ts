/** A market and a host in processes of their own with a bad network between them: each can be killed. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {endLeftovers} from '../../../source/host/sandbox/ending.ts';
import {readRecord} from '../../../source/host/instance/record.ts';
import {siteOf} from '../../../source/host/instance/site.ts';
import {isProcessRunning} from '../../../source/host/machine/processes.ts';
import {openFaultProxy} from '../services/fault-proxy.ts';
import {
	cutReply,
	dropReply,
	dropRequest,
	html,
	overtaken,
	silent,
	type Fault,
} from '../services/faults.ts';
import {startHost} from './host-process.ts';
import {noSandbox} from './local-host.ts';
import {clientOf, startMarket} from '../market/market-process.ts';

/** What happens to a request of the host; undefined for all its connections being broken. */
const networkFaults: ReadonlyArray<Fault | undefined> = [
	undefined,
	dropRequest,
	dropReply,
	cutReply(5),
	html({status: 502}),
	html({acts: true}),
	overtaken,
	async exchange => silent(sleep(1000), true)(exchange),
];

/** @param gpus How many the machine says that it has. */
export async function openFaultyHost(folder: string, gpus: number) {
	const file = join(folder, 'market.db');
	const hostFolder = join(folder, 'host');
	const keyFile = join(folder, 'key');
	let market = await startMarket(file, '--credit', '1000');
	const {url} = market;
	const key = await market.key();
	writeFileSync(keyFile, key);
	const proxy = await openFaultProxy(url);
	const runtime = noSandbox === undefined ? 'sandbox' : 'process';
	const programs = makeUpGpus(folder, gpus);
	const hosting = {url: proxy.url, keyFile, folder: hostFolder, runtime, programs} as const;
	let host = await startHost(hosting);
	let isStarting = false;
	const client = clientOf(url, key);
	return {
		client,
		url,
		hostFolder,
		/** The market's database. */
		file,
		async killMarket() {
			await market.end('SIGKILL');
			market = await startMarket(file, '--port', new URL(url).port);
		},
		async killHost() {
			// A host that finds no market when it starts says so, and ends.
			isStarting = true;
			proxy.calm();
			await host.end('SIGKILL');
			host = await startHost(hosting);
			isStarting = false;
		},
		/** Kills what an instance runs. It answers whether there was something. */
		async killWorkload(id: number): Promise<boolean> {
			const {root} = (await readRecord(siteOf(hostFolder, id).record)) ?? {};
			try {
				// Its pid may be another program's by now.
				if (root === undefined || !(await isProcessRunning(root))) return false;
				return process.kill(root.pid, 'SIGKILL');
			} catch {
				return false;
			}
		},
		/** @param choice Which of the faults. It answers whether there was a network to be broken. */
		breakNetwork(choice: number): boolean {
			if (isStarting) return false;
			const fault = networkFaults[choice % networkFaults.length];
			if (fault === undefined) proxy.closeSockets();
			else proxy.next({}, fault);
			return true;
		},
		calm: () => proxy.calm(),
		/** Ends the market as it ends by itself. */
		endMarket: async () => market.end(),
		async [Symbol.asyncDispose]() {
			await host.end('SIGKILL');
			await endLeftovers(hostFolder);
			await client[Symbol.asyncDispose]();
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

export type FaultyHost = Awaited<ReturnType<typeof openFaultyHost>>;

/** A tool that says that there are so many GPUs. */
export function makeUpGpus(folder: string, gpus: number): string {
	const programs = join(folder, 'programs');
	mkdirSync(programs);
	const rows = Array.from({length: gpus}, (_, index) => `${index}, RTX 4090, 24564 MiB`);
	const table = ['index, name, memory.total [MiB]', ...rows].join('\n');
	writeFileSync(join(programs, 'nvidia-smi'), `#!/bin/sh\ncat <<END\n${table}\nEND\n`, {
		mode: 0o755,
	});
	return programs;
}
