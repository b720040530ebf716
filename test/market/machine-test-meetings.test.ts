import {expect, test} from 'vitest';
import {createMeetings} from '../../source/market/machine-tests/meetings.ts';
import {testFacts, testPublication} from '../helpers/host/hosts.ts';
import {instanceServer, openTested, sshServer} from '../helpers/market/tested-machine.ts';

const facts = {...testFacts, isolation: 'container', gpu_ram: 1};

test('tests of one moment wait for each other, and for none that has ended; who comes later is not asked', async () => {
	let open = [1, 2, 3].map(id => ({id, started_at: 5}));
	const {arrive, look} = createMeetings(async () => open);
	const done: number[] = [];
	const arriving = [1, 2].map(async id => {
		if (await arrive({id, started_at: 5})) done.push(id);
	});
	expect(await arrive({id: 9, started_at: 7})).toBe(true);
	await look();
	expect(done).toEqual([]);
	open = open.slice(0, 2);
	await look();
	await Promise.all(arriving);
	expect(done).toEqual([1, 2]);
	open = [...open, {id: 4, started_at: 5}];
	expect(await arrive({id: 4, started_at: 5})).toBe(false);
});

/** A market with a tested machine of each of two providers, and their open tests. */
async function openTwo(uuids: readonly [string, string]) {
	const market = await openTested();
	const [own, others] = uuids.map(uuid => testPublication({facts, gpu_uuids: [uuid]}));
	await market.host.publish(own ?? testPublication());
	const machine = await market.stranger.publish(others ?? testPublication());
	await market.host.heartbeat([market.id]);
	await market.stranger.heartbeat([machine.id]);
	return {
		...market,
		other: machine.id,
		due: async (ids: readonly number[], at: number) => {
			await market.database
				.updateTable('machines')
				.set({test_due_at: at})
				.where('id', 'in', ids)
				.execute();
		},
		/** Machine and moment of tests under way. */
		async open() {
			const rows = await market.database
				.selectFrom('machine_tests')
				.select(['machine_id', 'started_at', 'reason'])
				.where('ended_at', 'is', null)
				.orderBy('machine_id')
				.execute();
			return rows.map(({machine_id: id, ...row}) => ({id, ...row}));
		},
	};
}

test('where a test is due, all tested machines of its model are tested at the same moment', async () => {
	await using market = await openTwo(['GPU-1', 'GPU-2']);
	const now = market.clock.now();
	await market.due([market.other], now + 1000);
	await market.provider.machines.test(market.id);
	expect(await market.open()).toMatchObject([{id: market.id, reason: 'asked'}]);
	await market.due([market.id], now);
	await market.test();
	expect(await market.open()).toMatchObject([{id: market.id}, {id: market.other, reason: 'due'}]);
});

test('two machines that say the same name of a GPU are tested at the same moment, at once', async () => {
	await using market = await openTwo(['GPU-1', 'GPU-1']);
	const now = market.clock.now();
	await market.due([market.id], now + 1000);
	await market.test();
	expect(await market.open()).toEqual([
		{id: market.id, started_at: now, reason: 'due'},
		{id: market.other, started_at: now, reason: 'due'},
	]);
});

/** A market with two machines of one provider, whose tests began at one moment; the first one is ready. */
async function openPair() {
	const DAY = 86_400;
	const market = await openTested({patience: {silentAfter: 30 * DAY, lostAfter: 60 * DAY}});
	const {id: other} = await market.host.publish(testPublication({name: 'other', facts}));
	const ids = [market.id, other];
	await market.host.heartbeat(ids);
	await market.database
		.updateTable('machines')
		.set({test_due_at: market.clock.now()})
		.where('id', 'in', ids)
		.execute();
	await market.test();
	const ssh = await sshServer();
	const [first, second] = await Promise.all(
		ids.map(async id => instanceServer((await market.ordered(id)).secret)),
	);
	await market.runs(first?.port ?? 0, ssh.port);
	await market.tells();
	return {
		...market,
		/** The other machine's image is there at last. */
		async secondRuns() {
			await market.runs(second?.port ?? 0, ssh.port, other);
			await market.tells();
		},
		outcomes: async () =>
			Promise.all(ids.map(async id => (await market.last(id))?.outcome ?? 'goes on')),
		async [Symbol.asyncDispose]() {
			await market[Symbol.asyncDispose]();
			for (const server of [ssh, first, second]) await server?.[Symbol.asyncDispose]();
		},
	};
}

test('a machine whose image takes minutes longer is proven with the others, and is not late', async () => {
	await using market = await openPair();
	await market.pass(600);
	await market.test();
	expect(await market.outcomes()).toEqual(['goes on', 'goes on']);
	await market.secondRuns();
	await expect.poll(market.outcomes).toEqual(['passed', 'passed']);
});

test('a machine that never gets ready keeps no other from its proof for long', async () => {
	await using market = await openPair();
	await market.pass(1201);
	await market.test();
	await expect.poll(market.outcomes).toEqual(['passed', 'failed']);
});

test('a machine that is rented when its test is due is tested right after', async () => {
	await using market = await openTested();
	const [offer] = await market.search({num_gpus: {eq: 2}, rentable: {eq: true}});
	const {new_contract: id} = await market.renter.instances.create(offer?.id ?? 0, {
		image: 'ubuntu:24.04',
	});
	await market.database
		.updateTable('machines')
		.set({test_due_at: market.clock.now()})
		.where('id', '=', market.id)
		.execute();
	await market.test();
	expect(await market.last()).toBeUndefined();
	await market.renter.instances.destroy(id);
	await market.pass(301);
	await market.host.heartbeat([market.id]);
	await market.test();
	expect(await market.last()).toMatchObject({reason: 'due', outcome: null});
});
