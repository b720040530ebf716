import {readFileSync, renameSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {
	answered,
	createGate,
	delayed,
	dropReply,
	passOn,
	silent,
} from '../../helpers/services/faults.ts';
import type {Fault} from '../../helpers/services/faults.ts';
import {openSafeRental, plainOrder} from '../../helpers/market/safe-rental.ts';

const RENT = {method: 'PUT', path: '/api/v0/asks/'};
const LIST = {method: 'GET', path: /^\/api\/v[01]\/instances\//};

test('a pending rent stays open where nobody can look, and the next start settles it', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, dropReply);
	world.proxy.next(LIST, passOn);
	world.proxy.next(LIST, answered({status: 503}), 1000);
	const rented = await world.client.instances.rent(world.offer.id, plainOrder);
	expect(rented).toMatchObject({outcome: 'unknown', candidates: []});
	world.proxy.calm();
	const next = world.openAnother();
	const [open] = await next.pendingRents.open();
	if (open === undefined) throw new Error('there is no open pending rent');
	const [id] = await world.made();
	expect(await next.pendingRents.settle(open)).toMatchObject({outcome: 'created', id});
	expect(await next.pendingRents.open()).toEqual([]);
});

test('a pending rent survives the end of the program while its answer is awaited', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, silent(undefined, true));
	const ended = new AbortController();
	const rent = world.client.instances.rent(world.offer.id, plainOrder, {signal: ended.signal});
	await expect.poll(world.made).not.toEqual([]);
	ended.abort(new Error('the program ended'));
	await expect(rent).rejects.toThrow('the program ended');
	const next = world.openAnother();
	const [open] = await next.pendingRents.open();
	expect(open).toMatchObject({offerId: world.offer.id, state: {kind: 'sent'}});
	if (open === undefined) throw new Error('there is no open pending rent');
	expect(await next.pendingRents.settle(open)).toMatchObject({outcome: 'created'});
});

/** Rents, and ends as soon as the order is on its way. */
async function endWhenSent(world: Awaited<ReturnType<typeof openSafeRental>>): Promise<void> {
	const ended = new AbortController();
	const {signal} = ended;
	const rent = world.client.instances.rent(world.offer.id, plainOrder, {signal});
	const isSent = () => world.proxy.requests.some(({method}) => method === 'PUT');
	await expect.poll(isSent).toBe(true);
	ended.abort(new Error('the program ended'));
	await expect(rent).rejects.toThrow('the program ended');
}

test('a pending rent whose program ended before the service heard of it comes to nothing', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, silent());
	await endWhenSent(world);
	world.time.pass(24 * 3600 * 1000);
	const next = world.openAnother();
	const [open] = await next.pendingRents.open();
	if (open === undefined) throw new Error('there is no open pending rent');
	expect(await next.pendingRents.settle(open)).toMatchObject({
		outcome: 'not created',
		why: 'not found',
	});
});

test('an instance that is made late is known as soon as it is listed', async () => {
	await using world = await openSafeRental();
	const gate = createGate();
	world.proxy.next(RENT, delayed(gate.opened, 'request'));
	const impatient = world.openAnother({timeoutMs: 1000});
	const rented = await impatient.instances.rent(world.offer.id, plainOrder);
	expect(rented).toMatchObject({outcome: 'not created', why: 'not found'});
	gate.open();
	await expect.poll(world.made).not.toEqual([]);
	const [id] = await world.made();
	const late = await world.client.pendingRents.review(
		(await world.client.instances.list()).instances,
	);
	expect(late).toMatchObject([{offerId: world.offer.id, state: {kind: 'created', id}}]);
	expect(
		await world.client.pendingRents.review((await world.client.instances.list()).instances),
	).toEqual([]);
});

test('pending rents of another key or profile are left alone', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, silent(undefined, true));
	await endWhenSent(world);
	expect(await world.openAnother({profile: 'other'}).pendingRents.open()).toEqual([]);
	expect(await world.openAnother({profile: undefined}).pendingRents.open()).toEqual([]);
	expect(await world.openAnother({}).pendingRents.open()).toHaveLength(1);
});

/** A service that does not show what instances are given to know. */
const withoutEnv: Fault = async ({forward, response}) => {
	const body: unknown = JSON.parse((await forward()).body.toString('utf8'));
	const hidden = JSON.stringify(body, (name, value: unknown) =>
		name === 'extra_env' ? [] : value,
	);
	response.writeHead(200, {'content-type': 'application/json'}).end(hidden);
};

test('where a service shows no environment, what is new since before is the instance', async () => {
	await using world = await openSafeRental();
	const {offer} = world;
	world.proxy.next(LIST, withoutEnv, 1000);
	world.proxy.next(RENT, dropReply);
	const wanted = {id: offer.id, machine_id: offer.machine_id, num_gpus: offer.num_gpus};
	const rented = await world.client.instances.rent(wanted, plainOrder);
	const [id] = await world.made();
	expect(rented).toMatchObject({outcome: 'created', id, pending: {state: {proof: 'comparison'}}});
});

test('where nothing tells two pending rents apart, nothing is said that is not known', async () => {
	await using world = await openSafeRental();
	world.proxy.next(LIST, withoutEnv, 1000);
	const other = createGate();
	world.proxy.next(RENT, async ({forward, response}) => {
		await forward();
		await other.opened;
		response.destroy();
	});
	world.proxy.next(RENT, ({response}) => {
		other.open();
		response.destroy();
	});
	const rent = async () => world.client.instances.rent(world.offer.id, plainOrder);
	const both = await Promise.all([rent(), rent()]);
	const candidates = await world.made();
	expect(candidates).toHaveLength(1);
	expect(both).toMatchObject([
		{outcome: 'unknown', candidates},
		{outcome: 'unknown', candidates},
	]);
});

test('a pending rent that another living program sends is left to it', async () => {
	await using world = await openSafeRental();
	const tired = new AbortController();
	world.proxy.next(RENT, async ({forward}) => {
		await forward();
		tired.abort(new Error('no patience left'));
	});
	const {signal} = tired;
	await expect(world.client.instances.rent(world.offer.id, plainOrder, {signal})).rejects.toThrow(
		'no patience left',
	);
	const text = readFileSync(world.pendingRentsFile, 'utf8');
	const other = text.replace(`"owner":${process.pid}`, `"owner":${process.ppid}`);
	expect(other).not.toBe(text);
	writeFileSync(world.pendingRentsFile, other);
	expect(await world.client.pendingRents.open()).toEqual([]);
	world.time.pass(6 * 60 * 1000);
	expect(await world.client.pendingRents.open()).toHaveLength(1);
});

test('an instance is known although its pending rent can no longer be written', async () => {
	await using world = await openSafeRental();
	const troubles: unknown[] = [];
	const client = world.openAnother({
		journalFile: undefined,
		onTrouble: error => troubles.push(error),
	});
	world.proxy.next(RENT, async exchange => {
		const folder = dirname(world.pendingRentsFile);
		renameSync(folder, `${folder}.away`);
		writeFileSync(folder, 'in the way');
		await passOn(exchange);
	});
	const rented = await client.instances.rent(world.offer.id, plainOrder);
	expect(rented).toMatchObject({outcome: 'created', id: (await world.made())[0]});
	expect(troubles).toHaveLength(1);
});
