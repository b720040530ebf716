import {expect, test} from 'vitest';
import {answered, dropReply, dropRequest} from '../../helpers/faults.ts';
import {openSafeRental, plainOrder} from '../../helpers/safe-rental.ts';
import type {SafeRental} from '../../helpers/safe-rental.ts';

const DESTROY = {method: 'DELETE', path: '/api/v0/instances/'};
const ALWAYS = 1000;

const sent = ({proxy}: SafeRental, method: string) =>
	proxy.requests.filter(request => request.method === method).length;

const MANY = {method: 'DELETE', path: /^\/api\/v0\/instances\/$/};

async function openSeveral(count: number) {
	const world = await openSafeRental();
	const others = await world.client.offers.search({limit: 60});
	const ids: number[] = [];
	for (const {id} of others.offers) {
		if (ids.length === count) break;
		// Offers of one machine share its GPUs: some are refused.
		const rented = await world.client.instances.rent(id, plainOrder).catch(() => undefined);
		if (rented?.outcome === 'created') ids.push(rented.id);
	}
	await world.client.instances.list();
	world.proxy.requests.length = 0;
	const removeAll = async () => {
		const removal = world.client.instances.removeAll(ids.map(id => ({id, evidence: 'seen dead'})));
		return Promise.all(ids.map(removal));
	};
	return Object.assign(world, {ids, removeAll});
}

test('several instances are destroyed by one call, and each is proven to be gone', async () => {
	await using world = await openSeveral(4);
	const removed = await world.removeAll();
	expect(removed).toEqual(world.ids.map(() => ({outcome: 'gone'})));
	expect(sent(world, 'DELETE')).toBe(1);
	const entries = await world.client.journal.read();
	const lines = entries.filter(({change}) => change.action === 'instances.destroy');
	expect(new Set(lines.map(({change}) => change.target))).toEqual(new Set(world.ids));
	for (const {change, answers} of lines) {
		expect(change.evidence).toBe('seen dead');
		expect(answers.map(({outcome}) => outcome)).toEqual(['done', 'gone']);
	}
});

test('where a service takes no call for several, each is destroyed by itself', async () => {
	await using world = await openSeveral(3);
	world.proxy.next(MANY, answered({status: 405, body: {error: 'method_not_allowed'}}), ALWAYS);
	expect(await world.removeAll()).toEqual(world.ids.map(() => ({outcome: 'gone'})));
	expect(sent(world, 'DELETE')).toBe(4);
});

test('where the answer for several is lost, looks say which are gone, and only the others are sent again', async () => {
	await using world = await openSeveral(3);
	world.proxy.next(MANY, dropReply, 1);
	expect(await world.removeAll()).toEqual(world.ids.map(() => ({outcome: 'gone'})));
	expect(sent(world, 'DELETE')).toBe(1);
	await using other = await openSeveral(3);
	other.proxy.next(MANY, dropRequest, ALWAYS);
	expect(await other.removeAll()).toEqual(other.ids.map(() => ({outcome: 'gone'})));
	expect(sent(other, 'DELETE')).toBe(4);
});

test('an instance that a call for several passed over is destroyed by itself', async () => {
	await using world = await openSeveral(3);
	world.proxy.next(MANY, answered({status: 200, body: {success: true}}), ALWAYS);
	expect(await world.removeAll()).toEqual(world.ids.map(() => ({outcome: 'gone'})));
	expect(sent(world, 'DELETE')).toBe(4);
});

test('a key that is refused for several is not tried for each of them', async () => {
	await using world = await openSeveral(3);
	world.proxy.next(DESTROY, answered({status: 401, body: {error: 'auth_error'}}), ALWAYS);
	const removed = await world.removeAll();
	expect(removed.map(({outcome}) => outcome)).toEqual(['refused', 'refused', 'refused']);
	expect(sent(world, 'DELETE')).toBe(1);
});
