import {expect, test} from 'vitest';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {asksOf} from '../../helpers/market/accounts.ts';
import {reportOf, testFacts, testPublication, testAsk} from '../../helpers/host/hosts.ts';
import {readInstance} from '../../helpers/market/instances.ts';
import {openProvided} from '../../helpers/market/provided.ts';

const job = {price_gpu: 0.15, price_inetu: 0, price_inetd: 0, image: 'lab/miner:2'};

/** A listed machine of two GPUs, and a renter of it. */
async function openIdle() {
	const market = await openProvided();
	await market.list({price_min_bid: 0.2});
	await market.database.updateTable('machines').set({heard_at: 4e9}).execute();
	const rent = asksOf(market.call)(market.key);
	return {
		...market,
		/** Sets the job as other clients do. */
		set: async (terms: Readonly<Record<string, unknown>> = {}) =>
			market.callAsProvider('PUT', 'create_bids/', {machine: market.id, ...job, ...terms}),
		rent: async (offer: number, order: object = {}) =>
			rent(`/asks/${market.machine.asks[offer]?.id}/`, 'PUT', {image: 'ubuntu', ...order}),
		end: async (id: number) => rent(`/instances/${id}/`, 'DELETE'),
		/** Instances by id, with what the lifecycle makes of them. */
		jobs: async () =>
			market.database
				.selectFrom('instances')
				.selectAll()
				.where('default_job', '=', 1)
				.where('destroyed_at', 'is', null)
				.orderBy('gpu_mask')
				.execute(),
		shown: async () => market.machines.show(market.id),
	};
}

type Idle = Awaited<ReturnType<typeof openIdle>>;

const currents = async (market: Idle) => (await market.jobs()).map(({current}) => current);

test('a default job runs on every idle GPU, as the host is told, and is shown with the machine', async () => {
	await using market = await openIdle();
	const reply = await market.set({args: ['--pool', 'x y']});
	expect(reply).toMatchObject({
		status: 200,
		body: {success: true, machine_id: market.id, you_sent: {image: 'lab/miner:2'}},
	});
	const {work} = await market.host.takeWork({after: 0, waitSeconds: 0});
	expect(work).toMatchObject([
		{wanted: 'running', image: 'lab/miner:2', args: ['--pool', 'x y'], gpu_ids: [0], api_key: null},
		{wanted: 'running', image: 'lab/miner:2', gpu_ids: [1], launch: {mode: 'args'}},
	]);
	const [first, second] = (await market.jobs()).map(row => reportOf(row));
	await market.host.report(first === undefined ? [] : [first]);
	expect(await market.shown()).toMatchObject({
		bid_gpu_cost: 0.15,
		bid_image: 'lab/miner:2',
		bid_image_args: ['--pool', 'x y'],
		bid_gpus_running: 1,
		bid_trouble: 'It is starting on GPU 1.',
	});
	await market.host.report(second === undefined ? [] : [second]);
	expect(await market.shown()).toMatchObject({bid_gpus_running: 2, bid_trouble: null});
});

test('a default job counts as no rental, and costs and earns nothing', async () => {
	await using market = await openIdle();
	await market.set();
	await market.host.report((await market.jobs()).map(row => reportOf(row)));
	const traffic = {up: 5e9, down: 5e9};
	await market.pass(7200);
	await market.host.report((await market.jobs()).map(row => reportOf(row, {traffic})));
	await market.pass(7200);
	expect(await market.shown()).toMatchObject({
		gpu_occupancy: 'x x',
		current_rentals_running: 0,
		current_rentals_resident: 0,
		alloc_disk_space: 0,
		client_end_date: null,
		earn_hour: 0,
		earn_day: 0,
	});
	const offers = await market.offers();
	expect(offers.map(({rentable, rented}) => ({rentable, rented}))).toEqual(
		offers.map(() => ({rentable: true, rented: false})),
	);
	expect(await market.database.selectFrom('charges').selectAll().execute()).toEqual([]);
	expect(await market.provider.instances.list()).toMatchObject({instances: []});
	const [first] = await market.jobs();
	await expect(market.provider.instances.destroy(first?.id ?? 0)).rejects.toMatchObject({
		status: 404,
	});
	await market.sweep();
	const {total, rented} = await market.database
		.selectFrom('gpu_samples')
		.select(['total', 'rented'])
		.where('gpu_name', '=', testFacts.gpu_name)
		.orderBy('at', 'desc')
		.executeTakeFirstOrThrow();
	expect({isKnown: total > 0, rented}).toEqual({isKnown: true, rented: 0});
});

test('a default job yields to the least bid at once, and goes on where the GPU is idle again', async () => {
	await using market = await openIdle();
	await market.set({price_gpu: 9});
	expect(await currents(market)).toEqual(['running', 'running']);
	const rented = await market.rent(0, {price: 0.2});
	expect(rented.status).toBe(200);
	const id = isRecord(rented.body) ? Number(rented.body['new_contract']) : 0;
	expect(await currents(market)).toEqual(['stopped', 'running']);
	expect((await readInstance(market.database, id)).current).toBe('running');
	expect(await market.shown()).toMatchObject({gpu_occupancy: 'I x', current_rentals_running: 1});
	// Whoever has paid nothing but a bid has it to itself: it is not shared, and not outbid.
	await market.set({price_gpu: 20});
	expect(await currents(market)).toEqual(['stopped', 'running']);
	await market.end(id);
	expect(await currents(market)).toEqual(['running', 'running']);
});

test('a default job yields to its provider and to a test, and tells nobody of it', async () => {
	await using market = await openIdle();
	await market.set();
	const ask = asksOf(market.call)(market.hostKey);
	const own = await ask(`/asks/${market.machine.asks[0]?.id}/`, 'PUT', {image: 'x', price: 0.2});
	expect(own.status).toBe(200);
	expect(await currents(market)).toEqual(['stopped', 'running']);
	expect(await market.machines.test(market.id)).toBeGreaterThan(0);
	expect(await currents(market)).toEqual(['stopped', 'stopped']);
	const told = await market.database.selectFrom('deliveries').selectAll().execute();
	expect(told).toEqual([]);
});

test('a job that is set again goes on at its new price, and another takes its place', async () => {
	await using market = await openIdle();
	await market.set();
	const before = await market.jobs();
	await market.set({price_gpu: 0.3});
	expect(await market.jobs()).toEqual(before);
	expect(await market.shown()).toMatchObject({bid_gpu_cost: 0.3});
	await market.set({image: 'lab/render'});
	const after = await market.jobs();
	expect(after.map(({image}) => image)).toEqual(['lab/render', 'lab/render']);
	expect(after.map(({id}) => id)).not.toEqual(before.map(({id}) => id));
});

test('a job that cannot start says why, harms no reliability, and is tried again when it is set', async () => {
	await using market = await openIdle();
	await market.set();
	const [first] = await market.jobs();
	if (first === undefined) throw new Error('there is no job');
	await market.host.report([reportOf(first, {status: 'failed', status_msg: 'no such image'})]);
	expect(await market.shown()).toMatchObject({bid_trouble: 'no such image'});
	expect(await market.database.selectFrom('failed_starts').selectAll().execute()).toEqual([]);
	expect(await currents(market)).toEqual(['stopped', 'running']);
	await market.set();
	expect(await currents(market)).toEqual(['running', 'running']);
	expect(await market.shown()).toMatchObject({bid_trouble: 'It is starting on GPU 0, 1.'});
});

test('a default job follows the GPUs that its machine has, and runs where it is not listed', async () => {
	await using market = await openIdle();
	await market.set();
	await market.machines.unlist(market.id);
	expect(await currents(market)).toEqual(['running', 'running']);
	const one = {asks: [testAsk({gpu_ids: [0]})], facts: {...testFacts, num_gpus: 1}};
	await market.host.publish(testPublication(one));
	expect((await market.jobs()).map(({gpu_mask: mask}) => mask)).toEqual([1]);
	await market.host.publish(testPublication({busy_gpus: [0]}));
	expect((await market.jobs()).map(({gpu_mask: mask}) => mask)).toEqual([1, 2]);
	expect(await currents(market)).toEqual(['running', 'running']);
});

test('a default job waits for GPUs that something else uses, says so, and starts when they are idle', async () => {
	await using market = await openIdle();
	await market.host.publish(testPublication({busy_gpus: [0, 1]}));
	await market.set();
	expect(await currents(market)).toEqual(['stopped', 'stopped']);
	const words = 'Its host says that something else uses GPU 0, 1.';
	expect(await market.shown()).toMatchObject({bid_gpus_running: 0, bid_trouble: words});
	await market.host.publish(testPublication());
	expect(await currents(market)).toEqual(['running', 'running']);
});

test('a removed default job is gone from the host, and cannot be removed twice', async () => {
	await using market = await openIdle();
	await market.set();
	const {revision} = await market.host.takeWork({after: 0, waitSeconds: 0});
	const removed = {success: true, machine_id: market.id};
	const reply = await market.callAsProvider('DELETE', `${market.id}/defjob/`, {});
	expect(reply).toMatchObject({status: 200, body: removed});
	const {work} = await market.host.takeWork({after: revision, waitSeconds: 0});
	expect(work.map(({wanted}) => wanted)).toEqual(['gone', 'gone']);
	const again = await market.callAsProvider('DELETE', `${market.id}/defjob/`, {});
	const msg = 'The machine has no default job';
	expect(again).toMatchObject({status: 404, body: {error: 'not_found', msg}});
	expect(await market.shown()).toMatchObject({bid_image: null, bid_gpu_cost: null});
});

test('a machine without GPUs runs its default job as a whole', async () => {
	await using market = await openIdle();
	const facts = {...testFacts, num_gpus: 0};
	await market.host.publish(testPublication({facts, asks: [testAsk({gpu_ids: []})]}));
	expect(await market.set()).toMatchObject({status: 200});
	expect(await currents(market)).toEqual(['running']);
	const {work} = await market.host.takeWork({after: 0, waitSeconds: 0});
	expect(work).toMatchObject([{wanted: 'running', image: 'lab/miner:2', gpu_ids: []}]);
});

test.each([
	['no image', {image: null}, 'image: must be text'],
	['no name of an image', {image: 'a b; rm'}, 'image: must be the name of an image'],
	['no price', {price_gpu: null}, 'price_gpu: must be a number of dollars'],
	['a price of nothing', {price_gpu: 0}, 'price_gpu: must be at least 0.001'],
	['arguments as one text', {args: '--pool x'}, 'args: must be a list of texts'],
	[
		'too many arguments',
		{args: Array.from({length: 101}, () => 'x')},
		'args: must have at most 100 arguments',
	],
])('a default job with %s is refused, and why', async (_, terms, msg) => {
	await using market = await openIdle();
	expect(await market.set(terms)).toMatchObject({status: 400, body: {error: 'invalid_args', msg}});
	expect(await market.set({machine: 999})).toMatchObject({status: 404});
	expect(await market.jobs()).toEqual([]);
});
