import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {drainMachine} from '../../../source/commands/host/drain.ts';
import {openRentedMarket} from '../../helpers/host/hosts.ts';

/** A machine of which something is rented, and its provider. */
async function openWorld() {
	const market = await openRentedMarket();
	const client = openClient({url: market.url, key: market.hostKey, paceScale: 0});
	const lines: string[] = [];
	const say = (line: string) => lines.push(line);
	async function drain(given: {waits?: boolean; window?: {start: number; hours: number}} = {}) {
		const machine = await client.machines.show(market.machine.id);
		if (machine === undefined) throw new Error('there is no machine');
		const {waits = false, window} = given;
		const told = window && {...window, reason: 'new disks'};
		await drainMachine({client, machine, window: told, waits, say, everyMs: 5});
	}
	return {
		...market,
		lines,
		drain,
		async [Symbol.asyncDispose]() {
			await client.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('a machine that is drained is rented by nobody, and what is rented goes on', async () => {
	await using world = await openWorld();
	await world.drain();
	expect(world.lines.at(-1)).toBe('One rental goes on.');
	expect(await world.search({machine_id: {eq: world.machine.id}, rentable: {}})).toEqual([]);
	expect(await world.renter.instances.show(world.instance.id)).toMatchObject({
		intended_status: 'running',
	});
});

test('its renters are told of its end where there is one, and are waited for where that is wanted', async () => {
	await using world = await openWorld();
	const start = Math.ceil(world.clock.now()) + 7200;
	const waiting = world.drain({waits: true, window: {start, hours: 3}});
	await expect.poll(() => world.lines).toContain('One rental goes on.');
	const windows = await world.database.selectFrom('maintenance').selectAll().execute();
	expect(windows).toMatchObject([{start_at: start, end_at: start + 3 * 3600, reason: 'new disks'}]);
	await world.renter.instances.remove(world.instance.id);
	await waiting;
	expect(world.lines).toEqual([
		`Machine ${world.machine.id} takes no more rents. rentty host price lists it again.`,
		`Its renters are notified that it ends ${new Date(start * 1000).toISOString()}.`,
		'One rental goes on.',
		'Nothing is rented of it: it can be turned off.',
	]);
});
