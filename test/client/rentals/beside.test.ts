/** Rents that are held to a limit at the moment when they would be sent. */
import {expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {readBudgets} from '../../../source/renter/leases/budgets.ts';
import {refusingOver} from '../../../source/renter/orders/limits-beside.ts';
import {dropRequest, passOn} from '../../helpers/services/faults.ts';
import {openSafeRental, plainOrder} from '../../helpers/market/safe-rental.ts';

const RENT = {method: 'PUT', path: '/api/v0/asks/'};

/** Two machines' offers, and a limit for all that is less than both cost. */
async function openTwo(isByFile = false) {
	const world = await openSafeRental();
	const {offers} = await world.client.offers.search({limit: 60});
	const [first] = offers;
	const second = offers.find(({machine_id: machine}) => machine !== first?.machine_id);
	if (first === undefined || second === undefined) throw new Error('two machines are offered');
	const perHour = 1;
	const spend = {askOverPerHour: null, fleetMaxPerHour: 1.5 * perHour};
	const [budget] = readBudgets(JSON.stringify([{perHour: 1.5 * perHour}]));
	const limits = isByFile
		? {spend: undefined, file: {budgets: budget === undefined ? [] : [budget]}, profile: 'test'}
		: {spend, file: {budgets: []}, profile: 'test'};
	const rent = async (client: Client, offer: typeof first) =>
		client.instances.rent(offer, plainOrder, {
			agreed: {perHour},
			mayRent: refusingOver(limits, {perHour, label: ''}),
		});
	const sent = () => world.proxy.requests.filter(({method}) => method === 'PUT').length;
	return Object.assign(world, {first, second, rent, sent});
}

test.each([
	['a limit', false],
	['a budget of budgets.json', true],
])(
	'of two rents at once that pass %s together, one is made, and the other never sent',
	async (_, isByFile) => {
		await using world = await openTwo(isByFile);
		const {client, first, second} = world;
		const other = world.openAnother();
		const results = await Promise.allSettled([
			world.rent(client, first),
			world.rent(other, second),
		]);
		expect(results.map(({status}) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
		expect([(await world.made()).length, world.sent()]).toEqual([1, 1]);
		const refused = results.find(result => result.status === 'rejected');
		expect(refused?.reason).toMatchObject({name: 'OverBudgetError'});
		const all = await client.pendingRents.all();
		const states = all.map(({state}) => ('why' in state ? state.why : state.kind));
		expect(states.toSorted()).toEqual(['created', 'never sent']);
		// The one that was made is open for whoever did not rent it, until it was told.
		const open = await client.pendingRents.open();
		expect(open.filter(({state}) => state.kind !== 'created')).toEqual([]);
	},
);

test('a rent that is under way counts at its most', async () => {
	await using world = await openTwo();
	const {client, first, second} = world;
	const {promise, resolve} = Promise.withResolvers<void>();
	world.proxy.next(RENT, async exchange => {
		await promise;
		await passOn(exchange);
	});
	const slow = world.rent(client, first);
	await expect.poll(world.sent).toBe(1);
	await expect(world.rent(world.openAnother(), second)).rejects.toThrow('over your budget');
	resolve();
	expect((await slow).outcome).toBe('created');
	expect(world.sent()).toBe(1);
});

test('a rent of another profile, and one that came to nothing, do not count', async () => {
	await using world = await openTwo();
	const {client, first, second} = world;
	world.proxy.next(RENT, dropRequest, 1);
	expect((await world.rent(client, first)).outcome).toBe('not created');
	expect((await world.rent(client, first)).outcome).toBe('created');
	const stranger = world.openAnother({profile: 'other', key: await world.createKey('stranger')});
	expect((await world.rent(stranger, second)).outcome).toBe('created');
});
