import {expect, test} from 'vitest';
import {DAY_MS} from '../../../source/contract/rules/durations.ts';
import {fieldsOf, isRecord, listOf, parseJson} from '../../../source/contract/grammar/json.ts';
import {answered, dropReply, passOn, rewritten} from '../../helpers/services/faults.ts';
import {createSwiftTime} from '../../helpers/hand-time.ts';
import {rentDirectly} from '../../helpers/market/instances.ts';
import {answeringWith, doubling} from '../../helpers/services/lying-services.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openSafeRental, plainOrder, type SafeRental} from '../../helpers/market/safe-rental.ts';

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
	expect(rented).toMatchObject({outcome: 'created', id: 2, doubles: {certain: [{id: 1}]}});
	expect(await world.client.pendingRents.open()).toEqual([]);
});

test('two whose answer was lost are found by their mark', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, doubling(world.database, dropReply));
	expect(await rent(world)).toMatchObject({
		outcome: 'created',
		id: 1,
		doubles: {certain: [{id: 2}]},
	});
});

test('what is made and refused for too many calls, and repeated, is a double', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, doubling(world.database, answered({status: 429})));
	expect(await rent(world)).toMatchObject({
		outcome: 'created',
		id: 2,
		doubles: {certain: [{id: 1}]},
	});
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

/** A list in which everything carries the mark of the last order, as where a service keeps one environment for all. */
const echoing = ({proxy: {requests}}: SafeRental) =>
	rewritten(body => {
		const {body: order = '{}'} = requests.findLast(({path}) => path.startsWith(RENT.path)) ?? {};
		const {env} = fieldsOf(parseJson(order));
		const {instances, ...rest} = fieldsOf(body);
		const extra_env = Object.entries(fieldsOf(env));
		return {...rest, instances: listOf(instances).map(one => ({...fieldsOf(one), extra_env}))};
	});

test.each([
	['answered', rewritten(body => body)],
	['lost', dropReply],
	['refused for too many calls', answered({status: 429, acts: true})],
])(
	'what was there before is no double, whatever mark it carries, where the order is %s',
	async (_, end) => {
		await using world = await openSafeRental();
		const {id: prod} = await rentDirectly(world.database, {label: 'prod'});
		world.proxy.next(LIST, echoing(world), Infinity);
		world.proxy.next(RENT, end, Infinity);
		const rented = await rent(world);
		expect(rented).toMatchObject({outcome: 'created', id: prod + 1});
		expect(rented).not.toHaveProperty('doubles');
	},
);

test.each([
	['is older than the order', TEST_NOW - 9 * 86_400, true],
	['was listed', TEST_NOW, false],
])('what %s is not its own, also where no list of before was whole', async (_, at, isHidden) => {
	await using world = await openSafeRental();
	const {id} = await rentDirectly(world.database, {label: 'prod', created_at: at});
	world.proxy.next(LIST, without([isHidden ? id : 999]));
	world.proxy.next(LIST, echoing(world), Infinity);
	world.proxy.next(RENT, dropReply);
	const rented = await rent(world);
	expect(rented).toMatchObject({outcome: 'created', id: id + 1});
	expect(rented).not.toHaveProperty('doubles');
});

test.each([-9, 9])(
	'a clock of this machine that is %i days ahead makes nothing older than its order',
	async days => {
		await using world = await openSafeRental();
		const now = () => Date.now() + days * DAY_MS;
		const time = createSwiftTime(now());
		const client = world.openAnother({now, time});
		world.proxy.next(LIST, without([999]), Infinity);
		for (const end of [passOn, dropReply]) {
			world.proxy.next(RENT, end);
			const {offer} = world;
			expect(await client.instances.rent(offer.id, plainOrder)).toMatchObject({outcome: 'created'});
			const [last = 0] = (await world.made()).slice(-1);
			expect(await client.instances.remove(last, {timeoutMs: 1})).toBeDefined();
		}
	},
);
