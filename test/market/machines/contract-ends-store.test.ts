import {expect, test} from 'vitest';
import {contractEnd} from '../../../source/market/base/contract-end.ts';
import {renewOffers} from '../../../source/market/offers/store.ts';
import {insertVolume} from '../../helpers/market/billing.ts';
import {
	openHostMarket,
	testAsk,
	testPublication,
	type HostMarket,
} from '../../helpers/host/hosts.ts';
import {openTestMarketFile, readInstance, rentDirectly} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import type {Ask} from '../../../source/contract/nouns/hosts.ts';

const DAY = 86_400;
const offered = {end_date: TEST_NOW + 10 * DAY, storage_cost: 0.15};

/** A market with a machine that is offered as a whole, an instance of it and a volume on it. */
async function openContracts(ask: Partial<Ask> = offered) {
	const market = await openHostMarket();
	const publish = async (changes: Partial<Ask>) =>
		market.host.publish(testPublication({asks: [testAsk({...ask, ...changes})]}));
	const machine = await publish({});
	await market.host.heartbeat([machine.id]);
	const {new_contract: id} = await market.renter.instances.create(machine.asks[0]?.id ?? 0, {
		image: 'ubuntu:24.04',
	});
	const {machine_id, ask_id} = await readInstance(market.database, id);
	await insertVolume(market.database, {machine_id, ask_id, size_gb: 5, storage_micros: 150_000});
	const {end_date: end} = await readInstance(market.database, id);
	await market.database.updateTable('volumes').set({end_date: end}).execute();
	/** Days after TEST_NOW at which the instance and the volume end. */
	const ends = async () => {
		const [volume] = (await market.renter.volumes.list()).volumes;
		const instance = await market.renter.instances.show(id);
		return [instance?.end_date, volume?.end_date].map(at => ((at ?? 0) - TEST_NOW) / DAY);
	};
	return {...market, id, machine, publish, ends};
}

test('an instance is rented until the end of its offer, and for 90 days where that has none', () => {
	expect(contractEnd(TEST_NOW + 5, TEST_NOW)).toBe(TEST_NOW + 5);
	expect(contractEnd(null, TEST_NOW)).toBe(TEST_NOW + 90 * DAY);
});

test.each<readonly [what: string, ask: Partial<Ask>, days: readonly [number, number]]>([
	['for longer', {end_date: TEST_NOW + 30 * DAY}, [30, 30]],
	['for longer and less', {end_date: TEST_NOW + 30 * DAY, dph_base: 0.3}, [30, 30]],
	['without an end', {end_date: null}, [90, 90]],
	['not as long', {end_date: TEST_NOW + 2 * DAY}, [10, 10]],
	['for longer and more', {end_date: TEST_NOW + 30 * DAY, dph_base: 0.5}, [10, 30]],
	['with dearer disk', {end_date: TEST_NOW + 30 * DAY, storage_cost: 0.2}, [10, 10]],
	['with dearer traffic', {end_date: TEST_NOW + 30 * DAY, inet_up_cost: 0.2}, [10, 30]],
])('what is rented of an offer that is made %s ends when it should', async (_, ask, days) => {
	await using market = await openContracts();
	await market.publish(ask);
	await market.sweep();
	expect(await market.ends()).toEqual(days);
});

test('a machine that is offered no longer leaves the end of what is rented of it', async () => {
	await using market = await openContracts({end_date: null});
	expect(await market.ends()).toEqual([90, 90]);
	await market.host.withdraw(market.machine.id);
	await market.pass(5 * DAY);
	expect(await market.ends()).toEqual([90, 90]);
});

test('what is rented without an end has 89 days left at least, for as long as it is offered', async () => {
	await using market = await openContracts({end_date: null});
	await market.pass(0.75 * DAY);
	expect(await market.ends()).toEqual([90, 90]);
	await market.pass(0.5 * DAY);
	expect(await market.ends()).toEqual([91.25, 91.25]);
	await market.pass(400 * DAY);
	expect(await market.ends()).toEqual([491.25, 491.25]);
	expect(await stateOf(market)).toBe('running');
});

async function stateOf({renter, id}: HostMarket & {readonly id: number}) {
	return (await renter.instances.show(id))?.intended_status;
}

test('what is rented of a made-up offer that begins anew goes on with it', async () => {
	await using market = await openTestMarketFile({offers: 5});
	const {database} = market;
	const {id, end_date: end} = await rentDirectly(database);
	const later = end + 3 * DAY;
	await renewOffers(database, later);
	market.clock.pass(later - TEST_NOW);
	await market.sweep();
	const row = await readInstance(database, id);
	expect(row.end_date).toBeGreaterThan(later);
	expect(row.intended).toBe('running');
});
