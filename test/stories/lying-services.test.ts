import {expect, test} from 'vitest';
import {commands as table} from '../../source/commands/index.ts';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {openFleetMarket} from '../helpers/fleet/fleet.ts';
import {openFaultProxy} from '../helpers/services/fault-proxy.ts';
import {type Fault, rewritten} from '../helpers/services/faults.ts';
import {fieldsOf, listOf} from '../../source/contract/grammar/json.ts';
import {
	answeringWith,
	doubling,
	idsOf,
	lyingNames,
	openLying,
	openOtherIds,
	writesOf,
} from '../helpers/services/lying-services.ts';

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

test.each([
	['4090', {gpu_name: 'GTX 1080'}],
	['1x', {num_gpus: 8}],
	['<2', {dph_base: 2.5, dph_total: 2.5}],
])(
	'what is rented by the words %s is not something else that a service found',
	async (words, other) => {
		await using market = await openFleetMarket();
		await using proxy = await openFaultProxy(market.url);
		const run = commandsOf({...market, url: proxy.url});
		const order = ['--image', 'ubuntu:24.04', '--disk', '16', yes];
		expect(await run('rent', words, ...order)).toMatchObject({code: 0});
		const found = rewritten(body => {
			const {offers, ...rest} = fieldsOf(body);
			return {...rest, offers: listOf(offers).map(offer => ({...fieldsOf(offer), ...other}))};
		});
		proxy.next({path: '/api/v0/bundles/'}, found, Infinity);
		const before = proxy.requests.length;
		const ran = await run('rent', words, ...order);
		expect(ran).toMatchObject({code: 4, out: ''});
		expect(ran.err).toMatch(/\d+ offers? that the service found (?:is|are) not what was asked for/);
		expect(writesOf(proxy.requests.slice(before))).toEqual([]);
	},
);

test.each(['1970-01-01T00:00:00Z', '5200-01-01T00:00:00Z'])(
	'no lease is written that nobody could read, by a clock of %s',
	async date => {
		await using market = await openFleetMarket();
		await using proxy = await openFaultProxy(market.url);
		const run = commandsOf({...market, url: proxy.url});
		const id = String(market.running.id);
		const told: Fault = async ({forward: act, response}) => {
			const {status, body} = await act();
			const headers = {'content-type': 'application/json', date: new Date(date).toUTCString()};
			response.writeHead(status, headers).end(body);
		};
		proxy.next({path: '/api/'}, told, Infinity);
		const ran = await run('lease', id, '--for', '2h');
		expect(ran).toMatchObject({code: 2});
		expect(ran.err).toContain(
			'Its end is no time that a label can say: the clock of the service may be wrong',
		);
		expect(writesOf(proxy.requests)).toEqual([]);
	},
);

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
	expect(ran).toMatchObject({code: 9, out: `${double + 1}\n`});
	expect(ran.err).toMatch(
		new RegExp(
			`The service made ${double} of the same order, which costs \\$[\\d.]+/h more: rentty destroy ${double} ends it\\.`,
		),
	);
});

/** What each command changes, as words of its command line. */
const changes: Readonly<Record<string, ReadonlyArray<readonly string[]>>> = {
	rent: [['OFFER', '--image', 'ubuntu:24.04', '--for', '6h', yes]],
	cp: [['ID:/x', 'OTHER:/y']],
	volumes: [['clone', '12', yes]],
	stop: [['ID', '--no-wait', yes]],
	start: [['ID', yes]],
	destroy: [['ID', '--no-wait', yes]],
	lease: [
		['ID', '--for', '5h'],
		['ID', '--extend', '1h'],
		['ID', '--keep'],
		['ID', '--none'],
	],
	prepay: [['ID', '5', yes]],
	increases: [
		['accept', '3', yes],
		['reject', '3', yes],
	],
	jobs: [
		['add', 'ID', 'stop', '--daily', '22:00', yes],
		['remove', '3', yes],
	],
	sweep: [[yes, '--every', '0.01']],
	keys: [['remove', '9', yes]],
};

/** Commands that change nothing at a service, or run until they are ended: those have tests of their own. */
const others =
	/^(?:offers|watch|templates|ps|ssh|exec|logs|run|guard|alerts|doctor|mcp|practice|completions|man|upgrade)$/;

test('every command is known as one that changes something at a service, or as one that does not', () => {
	const unknown = table.filter(({name}) => !(name in changes) && !others.test(name));
	expect(unknown.map(({name}) => name)).toEqual([]);
});

test.for(lyingNames)(
	'no command writes to the service %s about what its words do not name',
	async name => {
		await using service = await openLying(name);
		const run = commandsOf(service);
		const idOf = async (...words: readonly string[]) =>
			String(jsonOf(await run(words[0] ?? '', ...words.slice(1), '--json'))[0]?.['id']);
		const [id, offer] = [await idOf('ps'), await idOf('offers', 'any', '--limit', '1')];
		const named = new Map([
			['ID', id],
			['OTHER', id],
			['OFFER', offer],
		]);
		for (const [command, lines] of Object.entries(changes)) {
			for (const line of lines) {
				const words = line.map(word => word.replace(/^[A-Z]+/, found => named.get(found) ?? found));
				const before = service.requests.length;
				await run(command, ...words);
				const written = writesOf(service.requests.slice(before));
				const given = words.flatMap(word =>
					[...word.matchAll(/\d+/g)].map(([found]) => Number(found)),
				);
				// A sweep names what a list proves to be lost, and a clone goes where the cheapest room is.
				if (command === 'sweep' || command === 'volumes') continue;
				for (const one of written) {
					expect([command, ...given]).toEqual(expect.arrayContaining([...idsOf(one)]));
				}
			}
		}
		const clones = service.requests.filter(({path}) => path === '/api/v0/volumes/copy/');
		expect(clones.filter(({body}) => !body.includes('"most_storage_cost":'))).toEqual([]);
	},
);
