import {createServer} from 'node:http';
import type {
	OutsideCommand,
	Ended,
} from '../../../../../source/console/services/outside-program.ts';
import {openTestConsole, type TestConsoleOptions} from '../../../../helpers/console/console.ts';

export const instance = {
	id: 7,
	label: 'train-a',
	actual_status: 'running',
	intended_status: 'running',
	cur_state: 'running',
	num_gpus: 1,
	gpu_name: 'RTX 4090',
	dph_total: 1,
	duration: 7200,
};

type Plan = {readonly ms: number; readonly run: () => void};

export const second = {...instance, id: 8, label: 'train-b'};

/** A service with one instance, or two, which log what they are told to. */
export async function openLoggingService(instances: readonly object[]) {
	const logs = {container: '', daemon: '', second: ''};
	const tails: string[] = [];
	const server = createServer((request, response) => {
		const {url = '', headers} = request;
		let body = '';
		request.on('data', bytes => (body += String(bytes)));
		request.on('end', () => {
			if (url === '/written/8') return response.end(logs.second);
			if (url.startsWith('/written/'))
				return response.end(logs[url.endsWith('daemon') ? 'daemon' : 'container']);
			response.writeHead(200, {'content-type': 'application/json'});
			if (url.includes('request_logs')) {
				tails.push(/"tail":"(\d+)"/.exec(body)?.[1] ?? body);
				const ofFirst = body.includes('daemon_logs') ? 'daemon' : 'container';
				const whose = url.includes('/8') ? '8' : ofFirst;
				return response.end(
					JSON.stringify({success: true, result_url: `http://${headers.host}/written/${whose}`}),
				);
			}
			const isList = /instances\/(\?|$)/.test(url);
			return response.end(
				JSON.stringify(isList ? {success: true, instances} : {id: 1, credit: 100}),
			);
		});
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		url: `http://127.0.0.1:${port}`,
		key: 'k',
		logs,
		tails,
		async close() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
		async [Symbol.asyncDispose]() {
			await this.close();
		},
	};
}

type Options = Pick<TestConsoleOptions, 'columns' | 'rows' | 'environment'> & {
	/** What a second instance logs, where there is one. */
	readonly second?: string;
	/** What runs in the place of another program. */
	readonly run?: (command: OutsideCommand) => Promise<Ended>;
};

/** The logs of an instance on the screen, or those of two as one. Its service is asked for them again when R is pressed. */
export async function openLogs(text: string, {run, second: other, ...options}: Options = {}) {
	const service = await openLoggingService(other === undefined ? [instance] : [instance, second]);
	service.logs.container = text;
	service.logs.second = other ?? '';
	const plans = new Set<Plan>();
	let now = new Date(2026, 10, 21, 12, 41, 7).getTime();
	const rentty = openTestConsole({
		...options,
		service,
		...(run !== undefined && {run}),
		now: () => new Date(now),
		after(ms, later) {
			// Nothing happens by itself but what is due at once.
			if (ms === 0) {
				setImmediate(later);
				return () => undefined;
			}
			const plan = {ms, run: later};
			plans.add(plan);
			return () => plans.delete(plan);
		},
	});
	rentty.type('2');
	await rentty.sees(other === undefined ? '1 of 1' : '1 of 2');
	if (other !== undefined) {
		rentty.type('*');
		await rentty.sees('2 marked');
	}
	rentty.type('l');
	await rentty.sees(/LOGS .* read /);
	return {
		...rentty,
		...service,
		/** In how many milliseconds something is planned. */
		planned: () => [...plans].map(({ms}) => ms),
		/** Lets time pass until all that is planned is due, and happens. */
		pass(seconds: number) {
			now += seconds * 1000;
			const due = [...plans];
			plans.clear();
			for (const plan of due) plan.run();
		},
		/** Lets it log something more, and reads that. */
		async log(more: string) {
			service.logs.container += more;
			rentty.type('R');
		},
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await service.close();
		},
	};
}
