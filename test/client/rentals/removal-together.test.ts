import {expect, test} from 'vitest';
import type {ConfirmationOptions} from '../../../source/client/rentals/confirmed-change.ts';
import {answered, dropReply, dropRequest} from '../../helpers/services/faults.ts';
import {openSafeRental, plainOrder} from '../../helpers/market/safe-rental.ts';
import type {SafeRental} from '../../helpers/market/safe-rental.ts';

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
	const removeAll = async (patience: ConfirmationOptions = {}) => {
		const removals = ids.map(id => ({id, evidence: 'seen dead'}));
		const removal = world.client.instances.removeAll(removals, patience);
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

const RECORD = {method: 'GET', path: /^\/api\/v0\/instances\/\d+/};
const LIST = {method: 'GET', path: /^\/api\/v[01]\/instances\/(\?|$)/};
const records = ({proxy}: SafeRental) =>
	proxy.requests.filter(({method, path}) => method === 'GET' && RECORD.path.test(path)).length;

test('many that are destroyed by one call are proven to be gone by two lists, and few records', async () => {
	await using world = await openSeveral(12);
	expect(await world.removeAll()).toEqual(world.ids.map(() => ({outcome: 'gone'})));
	expect(records(world)).toBeLessThanOrEqual(4);
	expect(sent(world, 'GET')).toBeLessThanOrEqual(7);
});

test('a list that leaves out many of those that are there proves nothing, and nor does one that is not whole', async () => {
	for (const total of [0, 60]) {
		await using world = await openSeveral(12);
		world.proxy.next(MANY, answered({status: 200, body: {success: true}}), 1);
		world.proxy.next(
			LIST,
			answered({status: 200, body: {instances: [], total_instances: total}}),
			1,
		);
		const removed = await world.removeAll({timeoutMs: 1000});
		expect(new Set(removed.map(({outcome}) => outcome))).toEqual(new Set(['still listed']));
	}
});

test('many of another account are not proven to be gone by lists that never show them', async () => {
	await using world = await openSeveral(12);
	const stranger = world.openAnother();
	world.proxy.next(DESTROY, answered({status: 404, body: {error: 'no_such_instance'}}), ALWAYS);
	world.proxy.next(
		LIST,
		answered({status: 200, body: {instances: [], total_instances: 0}}),
		ALWAYS,
	);
	const removal = stranger.instances.removeAll(
		world.ids.map(id => ({id})),
		{timeoutMs: 5000},
	);
	const removed = await Promise.all(world.ids.map(removal));
	expect(new Set(removed.map(({outcome}) => outcome))).not.toContain('gone');
});
