import {expect, test} from 'vitest';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {asksOf} from '../../helpers/market/accounts.ts';
import {commandsOf} from '../../helpers/commands/commands.ts';
import {readInstance} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openProvided} from '../../helpers/market/provided.ts';

const DAY = 86_400;

/** A provider without credit that has rented a machine of its own. */
async function openOwn(order: object = {}) {
	const market = await openProvided();
	await market.list({end_date: TEST_NOW + DAY, price_min_bid: 0.2, price_inetu: 0.01});
	await market.database
		.updateTable('machines')
		.set({heard_at: TEST_NOW + 99 * DAY})
		.execute();
	const as = asksOf(market.call);
	const ask = as(market.hostKey);
	const askId = market.machine.asks[0]?.id ?? 0;
	const rented = await ask(`/asks/${askId}/`, 'PUT', {image: 'ubuntu', ...order});
	const id = isRecord(rented.body) ? Number(rented.body['new_contract']) : 0;
	return {...market, ask, askId, rented, own: id};
}

test('a provider without credit rents its own machine, which costs and earns nothing', async () => {
	await using market = await openOwn();
	expect(market.rented).toMatchObject({status: 200, body: {success: true}});
	await market.pass(7200);
	const instance = await market.provider.instances.show(market.own);
	expect(instance).toMatchObject({intended_status: 'running', dph_total: 0, storage_cost: 0});
	expect(await market.provider.account.current()).toMatchObject({credit: 0});
	const charged = await market.database
		.selectFrom('charges')
		.select(({fn}) => fn.sum<number | null>('amount_micros').as('micros'))
		.executeTakeFirstOrThrow();
	expect(charged.micros ?? 0).toBe(0);
	expect((await market.machines.show(market.id))?.earn_hour).toBe(0);
});

test('a provider without credit stops and starts what it has of its own machine', async () => {
	await using market = await openOwn();
	for (const state of ['stopped', 'running']) {
		const reply = await market.ask(`/instances/${market.own}/`, 'PUT', {state});
		expect(reply).toMatchObject({status: 200, body: {success: true}});
	}
});

test('higher prices ask nothing of the provider’s own instances, which go on with the offer', async () => {
	await using market = await openOwn();
	await market.list({price_gpu: 3, end_date: TEST_NOW + 9 * DAY});
	await market.sweep();
	const instance = await market.provider.instances.show(market.own);
	expect(instance?.end_date).toBe(TEST_NOW + 9 * DAY);
	const {pending_price_increases: waiting} = await market.provider.instances.priceIncreases();
	expect(waiting).toEqual([]);
});

test('a bid of the provider’s own yields to every other, whatever it says', async () => {
	await using market = await openOwn({price: 9});
	const other = asksOf(market.call)(market.key);
	const rival = await other(`/asks/${market.askId}/`, 'PUT', {image: 'ubuntu', price: 0.3});
	expect(rival.status).toBe(200);
	const raised = await market.ask(`/instances/bid_price/${market.own}/`, 'PUT', {price: 10});
	expect(raised).toMatchObject({status: 200});
	const currents = await market.database
		.selectFrom('instances')
		.select(['id', 'current', 'gpu_micros'])
		.orderBy('id')
		.execute();
	expect(currents).toEqual([
		{id: market.own, current: 'stopped', gpu_micros: 0},
		{id: market.own + 1, current: 'running', gpu_micros: 300_000},
	]);
});

test('a provider’s own instance goes on when the GPUs are free again, without any credit', async () => {
	await using market = await openOwn({price: 9});
	const other = asksOf(market.call)(market.key);
	const rival = await other(`/asks/${market.askId}/`, 'PUT', {image: 'ubuntu', price: 0.3});
	const id = isRecord(rival.body) ? Number(rival.body['new_contract']) : 0;
	expect((await readInstance(market.database, market.own)).current).toBe('stopped');
	await other(`/instances/${id}/`, 'DELETE');
	expect((await readInstance(market.database, market.own)).current).toBe('running');
});

test('a volume on the provider’s own machine costs nothing', async () => {
	await using market = await openOwn();
	const {offers} = await market.provider.volumes.search({sizeGb: 5});
	const room = offers.find(({machine_id: machine}) => machine === market.id);
	const made = await market.ask('/volumes/', 'PUT', {id: room?.id, size: 5});
	expect(made.status).toBe(200);
	const volumes = await market.database.selectFrom('volumes').selectAll().execute();
	expect(volumes).toMatchObject([{storage_micros: 0, size_gb: 5}]);
});

test('the rent command says that an own machine costs nothing, a bid for it too', async () => {
	await using market = await openProvided();
	await market.list();
	const provider = {url: market.url, key: market.hostKey, clock: market.clock};
	const run = commandsOf(provider);
	const [offer] = await market.offers();
	const words = [String(offer?.id), '--image', 'ubuntu:24.04', '--max-price', '0', '--yes'];
	const asked = await commandsOf(provider, {answers: 'n\n'})('rent', ...words.slice(0, -1));
	expect(asked.err).toContain('  Price   nothing: the machine is your own\n');
	const rented = await run('rent', ...words);
	expect(rented.err).toMatch(/rentty: \d+ costs nothing: the machine is your own\. rentty destroy/);
	expect(rented.code).toBe(0);
	await run('destroy', rented.out.trim(), '--yes');
	await market.list({price_min_bid: 0.1});
	expect(await run('rent', ...words, '--bid', '1')).toMatchObject({code: 0});
	const other = commandsOf({url: market.url, key: market.key, clock: market.clock});
	expect(await other('rent', ...words)).toMatchObject({code: 8});
});
