import {createServer} from 'node:http';
import {expect, test} from 'vitest';
import {drawnBytes} from '../../../helpers/console/terminal-bytes.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';

const isList = (url: string) => /instances\/(\?|$)/.test(url);

/** A service with many instances, of which some change from one list to the next. */
async function openManyInstances(count: number) {
	let changed = 0;
	const requests: string[] = [];
	const server = createServer((request, response) => {
		requests.push(request.url ?? '');
		const instances = Array.from({length: count}, (_, index) => ({
			id: 8_812_000 + index,
			label: `job-${index}`,
			actual_status: 'running',
			intended_status: 'running',
			cur_state: 'running',
			num_gpus: 4,
			gpu_name: 'RTX 4090',
			gpu_util: index < 3 ? 50 + changed : 90,
			dph_total: 2 - index / 1000,
			dph_base: 2 - index / 1000,
			duration: 90_000,
			uptime_mins: 1500,
			disk_space: 60,
		}));
		const body = isList(request.url ?? '')
			? {success: true, instances, instances_found: count}
			: {id: 1, credit: 100};
		response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(body));
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		url: `http://127.0.0.1:${port}`,
		key: 'k',
		lists: () => requests.filter(isList).length,
		requests,
		/** Lets three of them use their GPUs otherwise. */
		change: () => (changed += 7),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

test('three of 200 rows that change take less than 1 kB, and nothing is written for none', async () => {
	await using service = await openManyInstances(200);
	const plans = new Set<() => void>();
	await using rentty = openTestConsole({
		service,
		columns: 140,
		rows: 40,
		after(ms, run) {
			if (ms === 0) setImmediate(run);
			else plans.add(run);
			return () => plans.delete(run);
		},
	});
	rentty.type('2');
	await rentty.sees('1 of 200');
	await expect.poll(() => plans.size).toBeGreaterThan(0);
	await rentty.sees('$100.00 lasts');
	const look = async (what: RegExp) => {
		const lists = service.lists();
		const before = drawnBytes(rentty.written());
		const due = [...plans];
		plans.clear();
		for (const run of due) run();
		await expect.poll(service.lists).toBe(lists + 1);
		await rentty.sees(what);
		await expect.poll(() => plans.size).toBeGreaterThan(0);
		return drawnBytes(rentty.written()) - before;
	};
	await look(/ 50%/);
	service.change();
	const bytes = await look(/ 57%/);
	expect(bytes).toBeLessThan(1000);
	// The use of each is a digit more at every look, until as many are drawn as there is room for.
	for (let looks = 0; looks < 12; looks++) await look(/ 57%/);
	expect(await look(/ 57%/)).toBe(0);
	expect(service.requests.every(url => !/instances\/\d/.test(url))).toBe(true);
});

test.each([3, 1000])(
	'a fleet of %i costs one list in an interval, and none for a row',
	async count => {
		await using service = await openManyInstances(count);
		await using rentty = await openFleetConsole(service);
		await rentty.sees(/\$[\d.]+\/h/);
		const before = service.lists();
		for (let looks = 1; looks <= 6; looks++) {
			await rentty.pass(10);
			await expect.poll(service.lists).toBe(before + looks);
			// Nothing more is asked for however the cursor moves.
			rentty.type('j');
		}
		const others = service.requests.filter(url => url.includes('instances/') && !isList(url));
		// What is to cost more is asked once in a quarter of an hour.
		const rises = others.filter(url => url.endsWith('/pending-price-increases/'));
		expect(others).toEqual(rises);
		expect(rises.length).toBeLessThanOrEqual(1);
	},
);
