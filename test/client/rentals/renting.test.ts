import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {expect, test} from 'vitest';
import {ApiError} from '../../../source/client/exchange/errors.ts';
import {
	answered,
	cutReply,
	dropReply,
	dropRequest,
	html,
	redirected,
	silent,
	typed,
	type Fault,
} from '../../helpers/services/faults.ts';
import {openSafeRental, plainOrder} from '../../helpers/market/safe-rental.ts';

const RENT = {method: 'PUT', path: '/api/v0/asks/'};
const LIST = {method: 'GET', path: /^\/api\/v[01]\/instances\//};

test('an offer is rented once, and the pending rent says which instance it is', async () => {
	await using world = await openSafeRental();
	const rented = await world.client.instances.rent(world.offer.id, plainOrder);
	const [id] = await world.made();
	expect(rented).toMatchObject({outcome: 'created', id, pending: {state: {proof: 'answer'}}});
	expect(await world.client.pendingRents.open()).toEqual([]);
	expect(await world.client.pendingRents.all()).toMatchObject([{label: 'trainer', state: {id}}]);
});

test.each([400, 403, 404, 409, 410, 418, 422, 429])(
	'a refusal by %d is no proof that nothing was made: the instance is looked for by its mark',
	async status => {
		await using world = await openSafeRental();
		world.proxy.next(RENT, answered({status, body: {error: 'refused'}, acts: true}), 1);
		const rented = await world.client.instances.rent(world.offer.id, plainOrder);
		const [id] = await world.made();
		expect(rented).toMatchObject({outcome: 'created', id});
		world.proxy.next(RENT, answered({status, body: {error: 'refused'}}), 1);
		const second = world.client.instances.rent(world.offer.id, plainOrder);
		await expect(second).rejects.toMatchObject({name: 'ApiError'});
		expect(await world.made()).toHaveLength(1);
	},
);

test('a file of rents that was cut off anywhere refuses one rent, and is kept', async () => {
	await using world = await openSafeRental();
	await world.client.instances.rent(world.offer.id, plainOrder);
	const whole = readFileSync(world.pendingRentsFile, 'utf8');
	const puts = () => world.proxy.requests.filter(({method}) => method === 'PUT').length;
	const cuts = [0, 1, Math.floor(whole.length / 2), whole.length - 1];
	for (const length of cuts) {
		writeFileSync(world.pendingRentsFile, whole.slice(0, length));
		const sent = puts();
		await expect(world.client.instances.rent(world.offer.id, plainOrder)).rejects.toThrow(
			/could not be read, and is kept as .*unreadable.*, so nothing was sent: rentty ps shows/,
		);
		expect(puts()).toBe(sent);
	}
	const kept = readdirSync(dirname(world.pendingRentsFile)).filter(name =>
		name.includes('unreadable'),
	);
	expect(kept).toHaveLength(cuts.length);
});

const faultsAfterTheDeed: ReadonlyArray<readonly [name: string, fault: Fault]> = [
	['the connection breaks', dropReply],
	['the reply breaks off at once', cutReply(0)],
	['the reply breaks off in the middle', cutReply(20)],
	['the service fails', answered({status: 500, acts: true})],
	['something in between fails', answered({status: 502, acts: true})],
	['something in between has waited for too long', answered({status: 504, acts: true})],
	['something in between says that it was too slow', answered({status: 408, acts: true})],
	['a page for people comes', html({acts: true})],
	['an empty success comes', answered({status: 200, body: {}, acts: true})],
	['another shape comes', answered({status: 200, body: {success: true}, acts: true})],
	['a success comes that is none', answered({status: 200, body: {success: false}, acts: true})],
	['another place is named', answered({status: 303, headers: {location: '/x'}, acts: true})],
	['nothing comes in time', silent(undefined, true)],
];

test.for(faultsAfterTheDeed)('an instance is found where %s', async ([, fault]) => {
	await using world = await openSafeRental();
	const doubts: number[] = [];
	// One of them is silence.
	const client = world.openAnother({timeoutMs: 1000});
	world.proxy.next(RENT, fault);
	const rented = await client.instances.rent(world.offer.id, plainOrder, {
		onDoubt: pending => doubts.push(pending.offerId),
	});
	const [id, ...others] = await world.made();
	expect(rented).toMatchObject({outcome: 'created', id, pending: {state: {proof: 'mark'}}});
	expect(others).toEqual([]);
	expect(doubts).toEqual([world.offer.id]);
	expect(world.proxy.requests.filter(({method}) => method === 'PUT')).toHaveLength(1);
});

const faultsBefore: ReadonlyArray<readonly [name: string, fault: Fault]> = [
	['the connection breaks', dropRequest],
	['something in between fails', answered({status: 503})],
	['a page for people comes', html()],
	['another place is named', redirected('http://127.0.0.1:1/')],
];

test.for(faultsBefore)('nothing is found, and nothing sent again, where %s', async ([, fault]) => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, fault);
	const rented = await world.client.instances.rent(world.offer.id, plainOrder);
	expect(rented).toMatchObject({outcome: 'not created', why: 'not found'});
	expect(world.time.pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(30_000);
	expect(world.proxy.requests.filter(({method}) => method === 'PUT')).toHaveLength(1);
	expect(await world.made()).toEqual([]);
	expect(await world.client.pendingRents.open()).toEqual([]);
});

test('what the service refuses is its refusal, and the pending rent is settled', async () => {
	await using world = await openSafeRental();
	const rent = world.client.instances.rent(world.offer.id, {...plainOrder, price: 0.0001});
	await expect(rent).rejects.toThrow(ApiError);
	await expect(world.client.instances.rent(999_999_999, plainOrder)).rejects.toThrow(/404/);
	expect(await world.client.pendingRents.all()).toMatchObject([
		{state: {kind: 'not created', why: 'refused'}},
		{state: {kind: 'not created', why: 'refused'}},
	]);
	expect(world.time.pauses).toEqual([]);
});

/** Something in between does not wait for the first answer. */
const twice: Fault = async exchange => {
	await exchange.forward();
	const {status, body} = await exchange.forward();
	exchange.response.writeHead(status, {'content-type': 'application/json'}).end(body);
};

test('an offer that is taken by the same request, sent twice in between, is ours', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, twice);
	const rented = await world.client.instances.rent(world.offer.id, plainOrder);
	expect(rented).toMatchObject({outcome: 'created', id: (await world.made())[0]});
});

test('a pending rent that nobody could hear was never sent', async () => {
	await using world = await openSafeRental();
	// The list before is still heard.
	const deaf: Fault = async ({forward, response}) => {
		const {body} = await forward();
		response.writeHead(200, {'content-type': 'application/json', connection: 'close'}).end(body);
		await world.proxy.close();
	};
	world.proxy.next(LIST, deaf);
	const rented = await world.client.instances.rent(world.offer.id, plainOrder);
	expect(rented).toMatchObject({outcome: 'not created', why: 'never sent'});
	expect(await world.made()).toEqual([]);
});

test('nothing is sent where there is no list from before to compare with', async () => {
	await using world = await openSafeRental();
	world.proxy.next(LIST, answered({status: 500}), 9);
	await expect(world.client.instances.rent(world.offer.id, plainOrder)).rejects.toThrow(/500/);
	expect(await world.client.pendingRents.all()).toEqual([]);
	expect(await world.made()).toEqual([]);
});

test('two pending rents for one offer are not taken for each other', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, dropReply, 2);
	const rent = async () => world.client.instances.rent(world.offer.id, plainOrder);
	const both = await Promise.all([rent(), rent()]);
	const [id, ...others] = await world.made();
	expect(others).toEqual([]);
	expect(both.map(({outcome}) => outcome).toSorted()).toEqual(['created', 'not created']);
	expect(both.filter(rented => rented.outcome === 'created')).toMatchObject([{id}]);
});

test('nothing is sent that could not be noted before', async () => {
	await using world = await openSafeRental();
	const client = world.openAnother({pendingRentsFile: '/dev/null/wishes.json'});
	const rent = client.instances.rent(world.offer.id, plainOrder);
	await expect(rent).rejects.toThrow(/cannot be written .* nothing was sent/);
	expect(await world.made()).toEqual([]);
});

test('neither the key nor what is in the environment is written down', async () => {
	await using world = await openSafeRental();
	const env = [['PASSWORD', 'hunter2']] as const;
	await world.client.instances.rent(world.offer.id, {...plainOrder, env});
	for (const file of [world.pendingRentsFile, world.journalFile]) {
		const text = readFileSync(file, 'utf8');
		expect(text).not.toContain('hunter2');
		expect(text).not.toContain(world.key);
	}
});

test('a reply by another name is read all the same', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, typed('text/plain'));
	const rented = await world.client.instances.rent(world.offer.id, plainOrder);
	expect(rented).toMatchObject({outcome: 'created', id: (await world.made())[0]});
});

test('an agreed order is kept with the pending rent, for every program that looks at the instance later', async () => {
	await using world = await openSafeRental();
	const agreed = {gpuName: 'RTX 4090', gpus: 1, diskGb: 16, perHour: 0.31, ports: ['22/tcp']};
	world.proxy.next(RENT, dropReply);
	const rented = await world.client.instances.rent(world.offer.id, plainOrder, {agreed});
	expect(rented.pending.agreed).toEqual(agreed);
	expect(await world.openAnother().pendingRents.all()).toMatchObject([{agreed}]);
});
