import {expect, test} from 'vitest';
import {createOwnHosts} from '../../../source/market/hosts/own-hosts.ts';
import {usualPatience} from '../../../source/market/lifecycle/contact-rules.ts';
import {
	openHostMarket,
	readMachine,
	testPublication,
	type HostMarket,
} from '../../helpers/host/hosts.ts';
import {readInstance} from '../../helpers/market/instances.ts';

/** A market with hosts of made-up machines that run in its own process. */
async function openWithOwnHosts(machines: Parameters<typeof createOwnHosts>[0]) {
	const ownHosts = createOwnHosts(machines);
	const market = await openHostMarket({offers: 20, patience: {...usualPatience, ownHosts}});
	return {...market, ownHosts};
}

/** Offers that can be rented at once, with their machines. */
async function offersOf(market: HostMarket) {
	const found = await market.search({rentable: {eq: true}, limit: 1000});
	const byMachine = new Map(found.map(offer => [offer.machine_id, offer]));
	return [...byMachine.values()].map(({id, machine_id: machineId}) => ({id, machineId}));
}

/** Rents an offer unless it cannot start at once. */
async function rent(market: HostMarket, offerId = 0) {
	const body = JSON.stringify({image: 'ubuntu:24.04', cancel_unavail: true});
	return market.call(`/api/v0/asks/${offerId}/`, {method: 'PUT', body});
}

test("a rent before the first heartbeat of the market's own hosts waits for it", async () => {
	await using market = await openWithOwnHosts('all');
	const [offer] = await offersOf(market);
	const {status} = await rent(market, offer?.id);
	expect(status).toBe(200);
	await market.host.heartbeat([offer?.machineId ?? 0]);
	const {work} = await market.host.takeWork({after: 0});
	expect(work).toMatchObject([{instance_id: 1, wanted: 'running'}]);
	expect(await readInstance(market.database, 1)).toMatchObject({
		contact: 'heard',
		current: 'running',
		actual: null,
	});
});

test("the market's own hosts are not silent while the process is starved, and can be rented", async () => {
	await using market = await openWithOwnHosts('all');
	const [first, second] = await offersOf(market);
	const machines = (await market.host.list()).map(({id}) => id);
	await rent(market, first?.id);
	await market.host.heartbeat(machines);
	// No heartbeat comes through.
	await market.pass(3600);
	expect((await rent(market, second?.id)).status).toBe(200);
	await market.host.heartbeat(machines);
	await market.pass(1);
	expect(await readInstance(market.database, 1)).toMatchObject({contact: 'heard', actual: null});
});

test('a machine that later heartbeats of its own host leave out is silent', async () => {
	await using market = await openWithOwnHosts('all');
	const [silent = 0, ...others] = (await market.host.list()).map(({id}) => id);
	await market.host.heartbeat([silent, ...others]);
	const contacts = async () => [
		(await readMachine(market.database, silent))?.contact,
		(await readMachine(market.database, others[0] ?? 0))?.contact,
	];
	await market.pass(44);
	await market.host.heartbeat(others);
	await market.pass(10);
	expect(await contacts()).toEqual(['heard', 'heard']);
	await market.host.heartbeat(others);
	await market.pass(1);
	expect(await contacts()).toEqual(['silent', 'heard']);
});

test('machines that are all silent are known by a heartbeat that names none', async () => {
	await using market = await openWithOwnHosts('made-up');
	const machines = (await market.host.list()).map(({id}) => id);
	await market.host.heartbeat(machines);
	await market.pass(60);
	await market.host.heartbeat([]);
	await market.pass(1);
	expect(await readMachine(market.database, machines[0] ?? 0)).toMatchObject({contact: 'silent'});
});

test('hosts that could not be opened are not waited for', async () => {
	await using market = await openWithOwnHosts('all');
	market.ownHosts.giveUp();
	const [offer] = await offersOf(market);
	expect((await rent(market, offer?.id)).status).toBe(410);
});

test('other hosts of a market with made-up offers are silent by the clock', async () => {
	await using market = await openWithOwnHosts('made-up');
	const {id, asks} = await market.stranger.publish(testPublication());
	expect((await rent(market, asks[0]?.id)).status).toBe(410);
	await market.stranger.heartbeat([id]);
	await market.pass(45);
	expect(await readMachine(market.database, id)).toMatchObject({contact: 'silent'});
});
