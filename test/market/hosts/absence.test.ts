import {expect, test} from 'vitest';
import {limitBills, silentMachines} from '../../../source/market/lifecycle/machines-store.ts';
import {
	openHostMarket,
	readMachine,
	testPublication,
	type HostMarket,
} from '../../helpers/host/hosts.ts';

/** Statuses of rents that cancel where they cannot start, and that do not, and the words of searches. */
async function rentalOf(market: HostMarket, id: number) {
	const rent = async (cancel_unavail: boolean) => {
		const body = JSON.stringify({image: 'ubuntu:24.04', cancel_unavail});
		return (await market.call(`/api/v0/asks/${id}/`, {method: 'PUT', body})).status;
	};
	const found = await market.search({id: {eq: id}, rentable: {in: [true, false]}});
	const free = await market.search({id: {eq: id}, rentable: {eq: true}});
	return [found[0]?.rentable, free.length, await rent(true), await rent(false)];
}

test('a machine that is silent for five minutes cannot be rented until it is heard', async () => {
	await using market = await openHostMarket();
	const machine = await market.host.publish(testPublication());
	const [offer] = machine.asks;
	await market.host.heartbeat([machine.id]);
	await market.pass(299);
	expect(await readMachine(market.database, machine.id)).toMatchObject({absent: 0});
	await market.pass(1);
	expect(await readMachine(market.database, machine.id)).toMatchObject({
		contact: 'silent',
		absent: 1,
	});
	expect(await rentalOf(market, offer?.id ?? 0)).toEqual([false, 0, 410, 410]);
	await market.pass(300);
	expect(await rentalOf(market, offer?.id ?? 0)).toEqual([false, 0, 410, 410]);
	await market.host.publish(testPublication());
	expect(await rentalOf(market, offer?.id ?? 0)).toEqual([false, 0, 410, 410]);
	await market.host.heartbeat([machine.id]);
	expect(await rentalOf(market, offer?.id ?? 0)).toEqual([true, 1, 200, 404]);
});

test('a machine that says that it goes cannot be rented until it is back', async () => {
	await using market = await openHostMarket();
	const machine = await market.host.publish(testPublication());
	await market.host.heartbeat([machine.id]);
	await market.host.disconnect([machine.id]);
	const [offer] = machine.asks;
	expect(await rentalOf(market, offer?.id ?? 0)).toEqual([false, 0, 410, 410]);
	await market.host.heartbeat([machine.id]);
	expect(await rentalOf(market, offer?.id ?? 0)).toEqual([true, 1, 200, 404]);
});

test('a rent learns of the silence before the sweep does, and a machine never heard is offered', async () => {
	await using market = await openHostMarket();
	const machine = await market.host.publish(testPublication());
	const [offer] = machine.asks;
	await market.pass(1e6);
	expect((await market.search({id: {eq: offer?.id ?? 0}}))[0]).toMatchObject({rentable: true});
	await market.host.heartbeat([machine.id]);
	await market.pass(290);
	market.clock.pass(10);
	expect(await rentalOf(market, offer?.id ?? 0)).toEqual([true, 1, 410, 410]);
});

test('of machines that nobody can call silent yet, those alone are read whose bills have no limit', async () => {
	await using market = await openHostMarket();
	const machine = await market.host.publish(testPublication());
	await market.host.heartbeat([machine.id]);
	const now = market.clock.now() + 100;
	const justOpened = {silentSince: -Infinity, absentSince: -Infinity, lostSince: -Infinity};
	const silence = {unlimitedSince: now - 45, ...justOpened};
	const read = async (since = silence) => {
		const found = silentMachines(market.database, since).map(async one => one.execute());
		return (await Promise.all(found)).flat().map(({id}) => id);
	};
	expect(await read()).toEqual([machine.id]);
	await limitBills(market.database, [machine.id], {compute: 45, disk: 600});
	expect(await read()).toEqual([]);
	expect(await read({...silence, silentSince: now - 45})).toEqual([machine.id]);
});
