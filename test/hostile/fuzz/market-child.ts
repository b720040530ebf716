/** A market in a process of its own, which says at its end what it had to log and how long it was blocked. */
import {join} from 'node:path';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import process from 'node:process';
import {openMarket} from '../../../source/market/open.ts';

const [folder = ''] = process.argv.slice(2);
const log: string[] = [];
const market = await openMarket({
	file: join(folder, 'market.db'),
	offers: 300,
	rateScale: 0,
	credit: 100_000,
	log: line => log.push(line),
});
const key = await market.createKey('innocent');
const hostKey = await market.createKey('host', 'host');
const delay = monitorEventLoopDelay({resolution: 5});
delay.enable();
let computed = process.threadCpuUsage();
let longestComputedMs = 0;
setInterval(() => {
	const {user, system} = process.threadCpuUsage(computed);
	computed = process.threadCpuUsage();
	longestComputedMs = Math.max(longestComputedMs, (user + system) / 1000);
}, 5).unref();
process.send?.({url: market.url, key, hostKey});
process.once('message', () => void end());

async function end(): Promise<void> {
	await market.close();
	process.send?.({longestDelayMs: delay.max / 1e6, longestComputedMs, log});
	process.disconnect?.();
}
