import {expect, test} from 'vitest';
import {rentOnce} from '../../../source/renter/orders/repeated-rents.ts';
import {answered, dropRequest, type Exchange} from '../../helpers/services/faults.ts';
import {openSafeRental, type SafeRental} from '../../helpers/market/safe-rental.ts';

const RENT = {method: 'PUT', path: '/api/v0/asks/'};
const order = {image: 'ubuntu:24.04', disk: 16};
const agreed = {image: 'ubuntu:24.04', diskGb: 16, pricing: 'on-demand', label: ''} as const;

const mayRent = () => undefined;

const marksSent = ({proxy}: SafeRental) =>
	proxy.requests
		.filter(({method, path}) => method === 'PUT' && path.startsWith('/api/v0/asks/'))
		.map(({body}) => /RENTTY_WISH[^,}]*/.exec(body)?.[0]);

/** Rents where the order does not arrive, and says how it can arrive all the same. */
async function rentInVain(world: SafeRental, label = '') {
	const {promise: sent, resolve} = Promise.withResolvers<Exchange>();
	world.proxy.next(RENT, exchange => {
		resolve(exchange);
		return dropRequest(exchange);
	});
	const rent = rentOnce(world.client, world.offer.id, order, {agreed: {...agreed, label}, mayRent});
	expect(await rent).toMatchObject({outcome: 'not created', why: 'not found'});
	return async () => (await sent).forward();
}

test('an order that was not found lends its mark to the same order, and to no other', async () => {
	await using world = await openSafeRental();
	await rentInVain(world, 'train [lease1 e1795048500 td]');
	const again = {agreed: {...agreed, label: 'train [lease1 e1795049999 td]'}, mayRent};
	await rentOnce(world.client, world.offer.id, order, {agreed, mayRent});
	const before = world.time.now();
	await rentOnce(world.client, world.offer.id, order, again).catch(() => undefined);
	// It was looked for long enough when it was given up.
	expect(world.time.now() - before).toBeLessThan(5000);
	const [first, other, same] = marksSent(world);
	expect(other).not.toBe(first);
	expect(same).toBe(first);
});

test('an order that arrived late is the one that the same order rents', async () => {
	await using world = await openSafeRental();
	const deliver = await rentInVain(world);
	await deliver();
	const [id] = await world.made();
	const rent = rentOnce(world.openAnother(), world.offer.id, order, {agreed, mayRent});
	expect(await rent).toMatchObject({outcome: 'created', id});
	expect(await world.made()).toEqual([id]);
	expect(marksSent(world)).toHaveLength(1);
});

/** Sends an order that does not arrive, and leaves before anybody has looked for it. */
async function leaveUnanswered(world: SafeRental) {
	const {promise: sent, resolve} = Promise.withResolvers<Exchange>();
	world.proxy.next(RENT, exchange => {
		resolve(exchange);
		return dropRequest(exchange);
	});
	const leave = new AbortController();
	const onDoubt = () => leave.abort();
	const {signal} = leave;
	const rent = world.client.instances.rent(world.offer.id, order, {
		agreed,
		mayRent,
		onDoubt,
		signal,
	});
	await expect(rent).rejects.toThrow('aborted');
	return async () => (await sent).forward();
}

test('an order that nobody has looked for yet is looked for first, and lends its mark', async () => {
	await using world = await openSafeRental();
	const deliver = await leaveUnanswered(world);
	await rentOnce(world.openAnother(), world.offer.id, order, {agreed, mayRent});
	await deliver();
	expect(new Set(marksSent(world)).size).toBe(1);
	expect(await world.made()).toHaveLength(1);
});

test('an order that nobody has looked for yet, and that arrived, is the one that is rented', async () => {
	await using world = await openSafeRental();
	const deliver = await leaveUnanswered(world);
	await deliver();
	const [id] = await world.made();
	const rent = rentOnce(world.openAnother(), world.offer.id, order, {agreed, mayRent});
	expect(await rent).toMatchObject({outcome: 'created', id});
	expect(marksSent(world)).toHaveLength(1);
});

test('an order that cannot be looked for is not sent again', async () => {
	await using world = await openSafeRental();
	await leaveUnanswered(world);
	for (const path of ['/api/v0/instances/', '/api/v1/instances/'])
		world.proxy.next({method: 'GET', path}, dropRequest, 1000);
	const rent = rentOnce(world.openAnother(), world.offer.id, order, {agreed, mayRent});
	expect(await rent).toMatchObject({outcome: 'unknown'});
	expect(marksSent(world)).toHaveLength(1);
});

const gone = answered({status: 410, body: {success: false, error: 'no_such_ask', msg: 'Gone.'}});

test.each<readonly [string, (world: SafeRental) => Partial<{mayRent: () => never}>]>([
	['the service', ({proxy}) => (proxy.next(RENT, gone), {})],
	[
		'a limit',
		() => ({
			mayRent: () => {
				throw new Error('the limit');
			},
		}),
	],
])(
	'an order that was not found goes on lending its mark where its repetition is refused by %s',
	async (_, refuse) => {
		await using world = await openSafeRental();
		const deliver = await rentInVain(world);
		const options = {agreed, mayRent, ...refuse(world)};
		await expect(rentOnce(world.client, world.offer.id, order, options)).rejects.toThrow(
			/410|limit/,
		);
		await rentOnce(world.openAnother(), world.offer.id, order, {agreed, mayRent});
		await deliver();
		expect(new Set(marksSent(world)).size).toBe(1);
		expect(await world.made()).toHaveLength(1);
	},
);

test('an order that arrived late and was destroyed since is refused once, and then a new one', async () => {
	await using world = await openSafeRental();
	const deliver = await rentInVain(world);
	await deliver();
	const [id] = await world.made();
	await world.call(`/api/v0/instances/${id}/`, {method: 'DELETE'});
	const again = async () => rentOnce(world.client, world.offer.id, order, {agreed, mayRent});
	await expect(again()).rejects.toThrow(`instance ${id} was made for this request before`);
	expect(await again()).toMatchObject({outcome: 'created'});
	expect(new Set(marksSent(world)).size).toBe(2);
});

test('what was rented lends its mark to nothing', async () => {
	await using world = await openSafeRental();
	await rentOnce(world.client, world.offer.id, order, {agreed, mayRent});
	await rentOnce(world.client, world.offer.id, order, {agreed, mayRent}).catch(() => undefined);
	expect(new Set(marksSent(world)).size).toBe(2);
});
