import {expect, test} from 'vitest';
import {commandsOf} from '../helpers/commands.ts';
import {openFleetMarket} from '../helpers/fleet.ts';
import {openOtherIds, idsOf, writesOf} from '../helpers/lying-services.ts';

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
