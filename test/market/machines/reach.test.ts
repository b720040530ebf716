import {expect, test} from 'vitest';
import {openOwnHost} from '../../../source/commands/host/own-host.ts';
import {openReachabilityPort} from '../../../source/host/machine/reachability-port.ts';
import {createReachChecks} from '../../../source/market/machines/reach.ts';
import {storedTestPort} from '../../../source/market/machines/reach-rules.ts';
import {afterRead} from '../../helpers/market/after-read.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openHostMarket, readMachine, testFacts, testPublication} from '../../helpers/host/hosts.ts';
import {noProcesses} from '../../helpers/host/local-host.ts';
import {TEST_NOW, type TestMarketOptions} from '../../helpers/market/market.ts';
import {freePorts, HERE} from '../../helpers/market/relay.ts';

const DAY = 86_400;

/** A market with a machine that says how it is reached. */
async function openWorld(options: TestMarketOptions = {}) {
	const market = await openHostMarket({
		...options,
		patience: {silentAfter: 30 * DAY, lostAfter: 60 * DAY},
	});
	const facts = {...testFacts, public_ipaddr: HERE, static_ip: true};

	async function publish(reach: {port: number; word: string} | undefined, name = 'rig') {
		const {id} = await market.host.publish(
			testPublication({name, facts, ...(reach !== undefined && {reach})}),
		);
		await market.host.heartbeat([id]);
		return id;
	}

	/** What offers of the whole machine say. */
	async function said(id: number) {
		const offers = await market.search({
			machine_id: {eq: id},
			num_gpus: {eq: 2},
			rentable: {},
			verified: {},
			direct_port_count: {},
		});
		return offers.map(({direct_port_count: ports, static_ip: isStatic}) => [ports, isStatic]);
	}

	async function later(seconds: number) {
		await market.pass(seconds);
		await market.checkReach();
	}

	return {...market, publish, said, later};
}

test('offers say how many ports renters reach, as the market has seen, and whether the address lasts', async () => {
	await using market = await openWorld();
	const first = await freePorts(3);
	const range = {address: HERE, portRange: {first, last: first + 2}};
	let door = await openReachabilityPort(range);
	expect(door?.reach.port).toBe(first + 2);
	const id = await market.publish(door?.reach);
	await market.checkReach();
	expect(await market.said(id)).toEqual([[100, false]]);
	await market.later(DAY);
	expect(await market.said(id)).toEqual([[100, true]]);
	// One miss is none yet.
	await door?.close();
	await market.later(600);
	expect(await market.said(id)).toEqual([[100, true]]);
	await market.later(30);
	expect(await market.said(id)).toEqual([[0, false]]);
	// A new start of the agent has another word, and is looked at soon.
	door = await openReachabilityPort(range);
	await market.publish(door?.reach);
	await market.later(60);
	expect(await market.said(id)).toEqual([[100, false]]);
	// Whoever had a door, and has none any longer, is not believed.
	await market.publish(undefined);
	expect(await market.said(id)).toEqual([[0, false]]);
	await door?.close();
});

test.each([
	['in a network of its own believes', '127.0.0.1', [100, true]],
	['for everybody does not believe', '0.0.0.0', [0, false]],
])('a market %s a host that has no door to look at', async (_, address, said) => {
	await using market = await openWorld({address});
	const id = await market.publish(undefined);
	await market.checkReach();
	expect(await market.said(id)).toEqual([said]);
});

test('a door that comes while its machine is believed without one is looked at', async () => {
	await using market = await openWorld();
	const {database, clock} = market;
	const id = await market.publish(undefined);
	const reach = {port: 41_000, word: 'a'.repeat(32)};
	const checks = createReachChecks({
		database: afterRead(database, {of: 'reach_due_at', act: async () => market.publish(reach)}),
		clock,
		log: () => undefined,
		changes: {leads: async () => true},
		targets: 'any',
	});
	await checks.step();
	expect(await readMachine(database, id)).toMatchObject({reach_due_at: TEST_NOW});
});

test('a market for everybody connects to no address inside, and offers no ports there', async () => {
	await using market = await openWorld({address: '0.0.0.0'});
	const door = await openReachabilityPort({address: HERE});
	const id = await market.publish(door?.reach);
	await market.checkReach();
	expect(await market.said(id)).toEqual([[0, false]]);
	await door?.close();
});

test('a machine that is published without end is looked at once a minute', async () => {
	await using market = await openWorld();
	const door = await openReachabilityPort({address: HERE});
	const port = door?.reach.port ?? 0;
	const id = await market.publish(door?.reach);
	await market.checkReach();
	const row = async () =>
		market.database
			.selectFrom('machines')
			.select(['reach_checked_at as at', 'reached'])
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
	const before = await row();
	expect(before.reached).toBe(1);
	for (let round = 0; round < 10; round += 1) {
		await market.publish({port, word: String(round).repeat(32)});
		await market.later(5);
		expect(await row()).toEqual(before);
	}
	await market.later(10);
	expect((await row()).at).toBe((before.at ?? 0) + 60);
	await door?.close();
});

test.skipIf(noProcesses !== undefined)(
	'the agent of this machine is reached at a port of its range, which no instance gets',
	async () => {
		using folder = openFolder();
		await using market = await openHostMarket();
		const first = await freePorts(4);
		const host = await openOwnHost({
			url: market.url,
			key: market.hostKey,
			folder: folder.path,
			reach: {address: HERE, portRange: {first, last: first + 3}},
			name: 'own',
			prices: {perGpuHour: 0, storage: 0},
			runtime: 'process',
			endsOnClose: true,
		});
		await market.checkReach();
		const [machine] = await market.database
			.selectFrom('machines')
			.select(['reached', 'publication'])
			.where('id', '=', host.machineId)
			.execute();
		expect(machine?.reached).toBe(1);
		expect(storedTestPort(machine?.publication ?? null)).toMatchObject({
			address: HERE,
			port: first + 3,
		});
		expect(host.listed).toMatchObject({direct_port_count: 3});
		await host.close();
	},
);
