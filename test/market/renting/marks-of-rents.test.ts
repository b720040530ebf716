import * as z from 'zod/mini';
import {expect, test} from 'vitest';
import {MARK_VARIABLE} from '../../../source/contract/rules/env.ts';
import type {Fault} from '../../helpers/services/faults.ts';
import {contractOf, openRentable} from '../../helpers/market/rentable.ts';
import {openSafeRental, plainOrder} from '../../helpers/market/safe-rental.ts';

const image = 'ubuntu:24.04';

const marked = (mark: string, more: object = {}) => ({
	image,
	env: {[MARK_VARIABLE]: mark},
	...more,
});

const templates = z.object({template: z.object({hash_id: z.string()})});

const templateIn = (body: unknown) => templates.parse(body).template.hash_id;

/** Something in between sends a request twice, and passes on the second answer. */
const twice: Fault = async ({forward, response}) => {
	await forward();
	const {status, body} = await forward();
	response.writeHead(status, {'content-type': 'application/json'}).end(body);
};

test.each(['running', 'stopped'] as const)(
	'an order for a %s instance that is delivered twice makes one',
	async target => {
		await using world = await openSafeRental();
		world.proxy.next({method: 'PUT', path: '/api/v0/asks/'}, twice);
		const rented = await world.client.instances.rent(world.offer.id, {...plainOrder, target});
		expect(await world.made()).toHaveLength(1);
		expect(rented).toMatchObject({outcome: 'created', id: (await world.made())[0]});
	},
);

test('the second order with a mark is answered with the instance of the first, whatever it names', async () => {
	await using market = await openRentable();
	const others = await market.database
		.selectFrom('offers')
		.select('id')
		.where('rentable', '=', 1)
		.execute();
	const [first, other, ...same] = await Promise.all(
		[market.offer.id, others.at(-1)?.id ?? 0, market.offer.id].map(async id =>
			market.rent(marked('mine', {target_state: 'stopped', label: String(id)}), id),
		),
	);
	expect([first?.status, other?.status, same[0]?.status]).toEqual([200, 200, 200]);
	expect(new Set([first, other, ...same].map(reply => contractOf(reply?.body))).size).toBe(1);
	const keys = [first, other, ...same].map(reply => reply?.body);
	expect(
		keys.filter(body => JSON.stringify(body).includes('"instance_api_key":null')),
	).toHaveLength(2);
});

test('a mark is an order of one account, and an order without one is a new one each time', async () => {
	await using market = await openRentable();
	const ids = [];
	for (const body of [marked('a'), marked('b', {target_state: 'stopped'}), marked('not a mark')]) {
		for (const _ of [1, 2]) ids.push((await market.rent({...body, target_state: 'stopped'})).body);
	}
	expect(new Set(ids.map(contractOf)).size).toBe(4);
});

test('an order whose instance is gone is refused, and makes no other', async () => {
	await using market = await openRentable();
	const order = marked('mine', {target_state: 'stopped'});
	const id = contractOf((await market.rent(order)).body);
	await market.call(`/api/v0/instances/${id}/`, {method: 'DELETE'});
	const again = await market.rent(order);
	expect(again).toMatchObject({
		status: 400,
		body: {
			error: 'made_before',
			msg: expect.stringContaining(`instance ${id} was made for this request before`) as unknown,
		},
	});
});

test('a mark in a template is that of no order', async () => {
	await using market = await openRentable();
	const made = await market.call('/api/v0/template/', {
		method: 'POST',
		body: JSON.stringify({name: 'marked', image, env: `-e ${MARK_VARIABLE}=mine`}),
	});
	const hash = templateIn(made.body);
	const order = {template_hash_id: hash, target_state: 'stopped'};
	const ids = [(await market.rent(order)).body, (await market.rent(order)).body].map(contractOf);
	expect(new Set(ids).size).toBe(2);
});
