import {expect, test} from 'vitest';
import {commandsOf} from '../helpers/commands.ts';
import {openFleetMarket} from '../helpers/fleet.ts';
import {openFaultProxy} from '../helpers/fault-proxy.ts';
import {answeringWith, doubling, idsOf, openOtherIds, writesOf} from '../helpers/lying-services.ts';

/** Instances in a row, and a proxy in front of their market that answers about the next one. */
async function openWorld() {
	const market = await openFleetMarket();
	const proxy = await openOtherIds(market.url);
	return {
		...market,
		proxy,
		run: commandsOf({...market, url: proxy.url}),
		async [Symbol.asyncDispose]() {
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

const yes = '--yes';

/** Commands that name one instance. */
const commands: ReadonlyArray<readonly [command: string, ...words: string[]]> = [
	['lease', 'ID'],
	['lease', 'ID', '--for', '5h'],
	['lease', 'ID', '--none'],
	['jobs', 'add', 'ID', 'stop', '--daily', '22:00', yes],
	['prepay', 'ID'],
	['prepay', 'ID', '5', yes],
	['ssh', 'ID', '--print'],
	['cp', 'ID:/x', './x', '--print'],
	['cp', 'ID:/x', 'ID:/y'],
	['logs', 'ID'],
];

test.each(commands)(
	'%s believes no record of another instance: %s %s %s',
	async (command, ...words) => {
		await using world = await openWorld();
		const id = String(world.running.id);
		const ran = await world.run(command, ...words.map(word => word.replace('ID', id)));
		expect(ran).toMatchObject({code: 1, out: ''});
		expect(ran.err).toContain(
			`the service answered about ${world.running.id + 1}, and ${id} was asked for`,
		);
		expect(writesOf(world.proxy.requests)).toEqual([]);
	},
);

test.each([['stop'], ['start'], ['destroy']])(
	'%s reaches nothing but what is named',
	async command => {
		await using world = await openWorld();
		const {id} = world.running;
		await world.run(command, String(id), yes);
		expect(writesOf(world.proxy.requests).flatMap(idsOf)).toEqual(
			writesOf(world.proxy.requests).map(() => id),
		);
	},
);

test('an offer that is rented by its number is that one, whatever a search for it answers', async () => {
	await using world = await openWorld();
	const [offer] = await world.database
		.selectFrom('offers')
		.selectAll()
		.where('rentable', '=', 1)
		.execute();
	const ran = await world.run('rent', String(offer?.id), '--image', 'ubuntu:24.04', yes);
	expect(ran).toMatchObject({code: 1, out: ''});
	expect(ran.err).toContain(`${offer?.id} was asked for, so its answer is not used`);
	expect(writesOf(world.proxy.requests)).toEqual([]);
});

test('--exact destroys nothing where the service answers with an instance that was there before', async () => {
	await using market = await openFleetMarket();
	await using proxy = await openFaultProxy(market.url);
	const run = commandsOf({...market, url: proxy.url});
	proxy.next({method: 'PUT', path: '/api/v0/asks/'}, answeringWith(market.running.id));
	const ran = await run('rent', 'any', '--image', 'ubuntu:24.04', '--disk', '16', '--exact', yes);
	expect(ran).toMatchObject({code: 6, out: ''});
	expect(ran.err).toContain(
		`The service answered with instance ${market.running.id}, which was there before. ${market.fresh.id + 1} may be it. Nothing was destroyed.`,
	);
	expect(writesOf(proxy.requests).map(({method}) => method)).toEqual(['PUT']);
});

test('a second instance of one order is told with what it costs', async () => {
	await using market = await openFleetMarket();
	await using proxy = await openFaultProxy(market.url);
	const run = commandsOf({...market, url: proxy.url});
	const offers = await market.database
		.selectFrom('offers')
		.select('id')
		.where('rentable', '=', 1)
		.execute();
	const last = String(offers.at(-1)?.id);
	proxy.next({method: 'PUT', path: '/api/v0/asks/'}, doubling(market.database));
	const ran = await run('rent', last, '--image', 'ubuntu:24.04', '--disk', '16', yes);
	const double = market.fresh.id + 1;
	expect(ran).toMatchObject({code: 0, out: `${double + 1}\n`});
	expect(ran.err).toMatch(
		new RegExp(
			`The service made ${double} of the same order, which costs \\$[\\d.]+/h more: rentty destroy ${double} ends it\\.`,
		),
	);
});
