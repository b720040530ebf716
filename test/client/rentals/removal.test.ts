import {expect, test} from 'vitest';
import {hasStopped} from '../../../source/client/nouns/instance-list.ts';
import {answered, dropReply, dropRequest, passOn} from '../../helpers/services/faults.ts';
import {openSafeRental, plainOrder, type SafeRental} from '../../helpers/market/safe-rental.ts';

const LIST = {method: 'GET', path: /^\/api\/v[01]\/instances\//};
const DESTROY = {method: 'DELETE', path: '/api/v0/instances/'};
const STOP = {method: 'PUT', path: '/api/v0/instances/'};
const ALWAYS = 1000;

async function openRented() {
	const world = await openSafeRental();
	const rented = await world.client.instances.rent(world.offer.id, plainOrder);
	if (rented.outcome !== 'created') throw new Error('nothing was rented');
	await world.client.instances.list();
	world.time.pauses.length = 0;
	world.proxy.requests.length = 0;
	return Object.assign(world, {id: rented.id});
}

const sent = ({proxy}: SafeRental, method: string) =>
	proxy.requests.filter(request => request.method === method).length;

/** A list that is behind, or shows a service in which nothing happens. */
const listing = (...instances: readonly object[]) =>
	answered({status: 200, body: {instances, total_instances: instances.length}});

test('an instance is gone when its record and a whole list do not show it', async () => {
	await using world = await openRented();
	expect(await world.client.instances.remove(world.id)).toEqual({outcome: 'gone'});
	expect([sent(world, 'DELETE'), sent(world, 'GET')]).toEqual([1, 2]);
});

test('an instance that was gone before is gone', async () => {
	await using world = await openRented();
	await world.client.instances.destroy(world.id);
	expect(await world.client.instances.remove(world.id)).toEqual({outcome: 'gone'});
});

const SHOW = {method: 'GET', path: /^\/api\/v0\/instances\/\d+/};
const noRecord = answered({status: 200, body: {instances: null}});

test('a list that leaves an instance out is no proof while its record is there', async () => {
	await using world = await openRented();
	world.proxy.next(LIST, listing(), 1);
	world.proxy.next(SHOW, passOn);
	world.proxy.next(DESTROY, dropRequest);
	expect(await world.client.instances.remove(world.id)).toEqual({outcome: 'gone'});
	expect(sent(world, 'DELETE')).toBe(2);
});

test('a list that is not whole proves nothing, and nor does a record alone', async () => {
	await using world = await openRented();
	world.proxy.next(DESTROY, dropRequest, ALWAYS);
	world.proxy.next(SHOW, noRecord, ALWAYS);
	const part = answered({status: 200, body: {instances: [], total_instances: 60}});
	world.proxy.next(LIST, part, ALWAYS);
	const removed = await world.client.instances.remove(world.id, {timeoutMs: 5000});
	expect(removed).toEqual({outcome: 'unlisted', isAccepted: false});
});

test.each(['no_such_instance', 'not_found', 'auth_error'])(
	'a list that answers 404 (%s) proves nothing, whatever its record says',
	async error => {
		for (const way of ['remove', 'halt'] as const) {
			await using world = await openRented();
			world.proxy.next(LIST, answered({status: 404, body: {success: false, error}}), ALWAYS);
			const done = await world.client.instances[way](world.id, {timeoutMs: 5000});
			expect(done).toMatchObject({outcome: 'unknown', isAccepted: true});
		}
	},
);

test('a key that never saw an instance cannot tell that it is gone', async () => {
	await using world = await openRented();
	const stranger = world.openAnother();
	world.proxy.next(DESTROY, answered({status: 404, body: {error: 'no_such_instance'}}), ALWAYS);
	world.proxy.next(SHOW, noRecord, ALWAYS);
	world.proxy.next(LIST, listing(), ALWAYS);
	const patience = {timeoutMs: 5000};
	expect(await stranger.instances.remove(world.id, patience)).toMatchObject({outcome: 'unlisted'});
	expect(await world.client.instances.remove(world.id, patience)).toEqual({outcome: 'gone'});
});

test('where v1 is not there, a record and the list of v0 together are the proof', async () => {
	await using world = await openRented();
	world.proxy.next({method: 'GET', path: /^\/api\/v1\//}, answered({status: 404}), ALWAYS);
	expect(await world.client.instances.remove(world.id)).toEqual({outcome: 'gone'});
});

test('a key that is refused with 404 has destroyed nothing', async () => {
	await using world = await openRented();
	const body = {success: false, error: 'auth_error', msg: 'Invalid user key'};
	world.proxy.next(DESTROY, answered({status: 404, body}));
	expect(await world.client.instances.remove(world.id)).toMatchObject({
		outcome: 'refused',
		error: {isKeyRefused: true},
	});
	expect([sent(world, 'DELETE'), sent(world, 'GET')]).toEqual([1, 0]);
});

test('what is accepted and still listed after a minute is said to be so', async () => {
	await using world = await openRented();
	world.proxy.next(LIST, listing({id: world.id, actual_status: 'running'}), ALWAYS);
	const removed = await world.client.instances.remove(world.id);
	expect(removed).toMatchObject({
		outcome: 'still listed',
		isAccepted: true,
		instance: {actual_status: 'running'},
	});
	expect(sent(world, 'DELETE')).toBe(1);
	expect(world.time.pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(60_000);
});

test('the minute in which a removal is proven begins when it is sent, however long it waited for its turn', async () => {
	await using world = await openRented();
	world.proxy.next(DESTROY, async exchange => {
		world.time.pass(70_000);
		await passOn(exchange);
	});
	world.proxy.next(LIST, listing({id: world.id, actual_status: 'running'}), 3);
	expect(await world.client.instances.remove(world.id)).toEqual({outcome: 'gone'});
});

test('a lost answer is looked at before anything is sent again', async () => {
	await using world = await openRented();
	world.proxy.next(DESTROY, dropReply);
	expect(await world.client.instances.remove(world.id)).toEqual({outcome: 'gone'});
	expect(sent(world, 'DELETE')).toBe(1);
});

test('a request that was lost is sent again when the instance is seen, not when one list leaves it out', async () => {
	await using world = await openRented();
	world.proxy.next(DESTROY, dropRequest, 2);
	world.proxy.next(LIST, listing());
	expect(await world.client.instances.remove(world.id)).toEqual({outcome: 'gone'});
	expect(sent(world, 'DELETE')).toBe(3);
});

/** The list shows another start of an instance from its second look on. */
const begunAgain = (id: number, more: object = {}) =>
	listing({id, actual_status: 'running', start_date: 1_795_000_999, ...more});

test.each([[502], [504]])('a new instance with the same id is not hit after %d', async status => {
	await using world = await openRented();
	world.proxy.next(DESTROY, answered({status, acts: true}));
	world.proxy.next(LIST, begunAgain(world.id), ALWAYS);
	expect(await world.client.instances.remove(world.id)).toMatchObject({
		outcome: 'still listed',
		isAccepted: false,
	});
	expect(sent(world, 'DELETE')).toBe(1);
});

test('what is listed with another start is not gone: it may be charged under the same id', async () => {
	await using world = await openRented();
	world.proxy.next(DESTROY, answered({status: 200, body: {success: true}}));
	world.proxy.next(STOP, answered({status: 200, body: {success: true}}));
	world.proxy.next(LIST, begunAgain(world.id, {cur_state: 'running'}), ALWAYS);
	const {instances} = world.client;
	expect(await instances.remove(world.id)).toMatchObject({outcome: 'still listed'});
	expect(await instances.halt(world.id)).toMatchObject({outcome: 'still running'});
});

test('a new instance with the same id is not stopped again, and is as its record says', async () => {
	await using world = await openRented();
	world.proxy.next(STOP, answered({status: 502}));
	world.proxy.next(
		LIST,
		begunAgain(world.id, {cur_state: 'stopped', actual_status: 'exited'}),
		ALWAYS,
	);
	expect(await world.client.instances.halt(world.id)).toMatchObject({outcome: 'stopped'});
	expect(sent(world, 'PUT')).toBe(1);
});

test('what was never seen before is not asked for twice: nobody knows that it is the same', async () => {
	await using world = await openRented();
	world.proxy.next(DESTROY, answered({status: 502}), ALWAYS);
	const removed = await world.openAnother().instances.remove(world.id, {timeoutMs: 5000});
	expect(removed).toMatchObject({outcome: 'still listed', isAccepted: false});
	expect(sent(world, 'DELETE')).toBe(1);
});

test('what nobody hears is given up after three tries', async () => {
	await using world = await openRented();
	world.proxy.next(DESTROY, dropRequest, ALWAYS);
	const removed = await world.client.instances.remove(world.id, {timeoutMs: 5000});
	expect(removed).toMatchObject({outcome: 'still listed', isAccepted: false});
	expect(sent(world, 'DELETE')).toBe(3);
});

test('what the service refuses is refused, and not looked at', async () => {
	await using world = await openRented();
	world.proxy.next(DESTROY, answered({status: 403, body: {error: 'not_authorized', msg: 'no'}}));
	const removed = await world.client.instances.remove(world.id);
	expect(removed).toMatchObject({outcome: 'refused', error: {status: 403}});
	expect(sent(world, 'GET')).toBe(0);
});

test('nothing is said of an instance that cannot be looked at', async () => {
	await using world = await openRented();
	world.proxy.next(LIST, answered({status: 503}), ALWAYS);
	const removed = await world.client.instances.remove(world.id);
	expect(removed).toMatchObject({outcome: 'unknown', isAccepted: true, error: {status: 503}});
});

test('a removal can be given up', async () => {
	await using world = await openRented();
	const stop = new AbortController();
	world.proxy.next(LIST, listing({id: world.id}), ALWAYS);
	const removed = world.client.instances.remove(world.id, {signal: stop.signal});
	stop.abort(new Error('enough'));
	await expect(removed).rejects.toThrow('enough');
});

test('an instance has stopped when the service shows it', async () => {
	await using world = await openRented();
	world.proxy.next(STOP, dropReply);
	const halted = await world.client.instances.halt(world.id);
	expect(halted).toMatchObject({outcome: 'stopped', instance: {cur_state: 'stopped'}});
	expect(sent(world, 'PUT')).toBe(1);
	await world.client.instances.destroy(world.id);
	expect(await world.client.instances.halt(world.id)).toEqual({outcome: 'gone'});
});

test('a stop that is accepted has not happened yet', async () => {
	await using world = await openRented();
	const running = {id: world.id, cur_state: 'running', intended_status: 'stopped'};
	world.proxy.next(LIST, listing(running), ALWAYS);
	const halted = await world.client.instances.halt(world.id);
	expect(halted).toMatchObject({outcome: 'still running', isAccepted: true});
});

test.for([
	[{cur_state: 'stopped', intended_status: 'stopped'}, true],
	[{cur_state: 'stopped', intended_status: 'running', actual_status: 'exited'}, false],
	[{cur_state: 'running', intended_status: 'stopped', actual_status: 'exited'}, false],
	[{actual_status: 'exited'}, true],
	[{actual_status: 'running', intended_status: 'stopped'}, false],
	[{}, false],
] as const)('whether %o has stopped is %s', ([instance, expected]) => {
	expect(hasStopped({id: 1, ...instance})).toBe(expected);
});
