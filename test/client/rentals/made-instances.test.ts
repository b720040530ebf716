import {expect, test} from 'vitest';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {answered, dropReply, rewritten} from '../../helpers/faults.ts';
import {rentDirectly} from '../../helpers/instances.ts';
import {answeringWith, doubling} from '../../helpers/lying-services.ts';
import {TEST_NOW} from '../../helpers/market.ts';
import {openSafeRental, plainOrder, type SafeRental} from '../../helpers/safe-rental.ts';

const RENT = {method: 'PUT', path: '/api/v0/asks/'};
const LIST = {method: 'GET', path: /^\/api\/v[01]\/instances\//};

const rent = async ({client, offer}: SafeRental) => client.instances.rent(offer.id, plainOrder);

/** The list without some instances, and with a total that says so. */
const without = (ids: readonly number[]) =>
	rewritten(body => {
		const {instances} = isRecord(body) ? body : {};
		const left = (Array.isArray(instances) ? instances : []).filter(
			(one: unknown) => !(isRecord(one) && ids.includes(Number(one['id']))),
		);
		return {instances: left, total_instances: left.length + ids.length};
	});

test('an answer that names an instance which was there before makes nothing known', async () => {
	await using world = await openSafeRental();
	const {id: prod} = await rentDirectly(world.database, {label: 'prod'});
	world.proxy.next(RENT, answeringWith(prod));
	const rented = await rent(world);
	const [, made] = await world.made();
	expect(rented).toMatchObject({outcome: 'unknown', candidates: [made]});
	expect(rented).toHaveProperty(
		'error.why',
		`the service answered with instance ${prod}, which was there before`,
	);
	expect(await world.client.pendingRents.settle(rented.pending)).toMatchObject({
		outcome: 'created',
		id: made,
	});
});

test.each([
	['which is older than this order', {created_at: TEST_NOW - 3600}, true],
	['which carries the mark of another order', {settings: {env: [['RENTTY_WISH', 'theirs']]}}, true],
	['but it is 2 that carries the mark of this order', {}, false],
] as const)(
	'an instance that no list showed before is not believed to be made: %s',
	async (why, given, isAlone) => {
		await using world = await openSafeRental();
		const {id} = await rentDirectly(world.database, {...given});
		world.proxy.next(LIST, without([id]));
		world.proxy.next(RENT, answeringWith(id, !isAlone));
		const rented = await rent(world);
		expect(rented).toMatchObject({outcome: 'unknown', candidates: isAlone ? [] : [2]});
		expect(rented).toHaveProperty('error.why', `the service answered with instance ${id}, ${why}`);
	},
);

test('a new instance that no list shows so far is believed', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, async exchange => {
		world.proxy.next(LIST, without([]), 1);
		await rewritten(body => body)(exchange);
	});
	expect(await rent(world)).toMatchObject({outcome: 'created', id: 1});
});

test('two that are made of one order are told as the one and its double', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, doubling(world.database));
	const rented = await rent(world);
	expect(rented).toMatchObject({outcome: 'created', id: 2, doubles: [{id: 1}]});
	expect(await world.client.pendingRents.open()).toEqual([]);
});

test('two whose answer was lost are found by their mark', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, doubling(world.database, dropReply));
	expect(await rent(world)).toMatchObject({outcome: 'created', id: 1, doubles: [{id: 2}]});
});

test('what is made and refused for too many calls, and repeated, is a double', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, doubling(world.database, answered({status: 429})));
	expect(await rent(world)).toMatchObject({outcome: 'created', id: 2, doubles: [{id: 1}]});
});

test('what is made and refused for too many calls each time is found', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, answered({status: 429, acts: true}), 9);
	expect(await rent(world)).toMatchObject({
		outcome: 'created',
		id: 1,
		pending: {state: {proof: 'mark'}},
	});
	expect(await world.made()).toEqual([1]);
});
