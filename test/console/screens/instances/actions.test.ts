import {expect, test} from 'vitest';
import {openClient} from '../../../../source/client/client.ts';
import {openTestConsole} from '../../../helpers/console.ts';
import {openFleetMarket} from '../../../helpers/fleet.ts';
import type {FleetMarket} from '../../../helpers/fleet.ts';

/** The list of instances, with a clock for it that is moved by hand. */
async function openFleet(market: FleetMarket) {
	let passed = 0;
	const plans = new Set<() => void>();
	const rentty = openTestConsole({
		service: market,
		now: () => new Date(new Date(2026, 10, 21, 12, 41, 7).getTime() + passed),
		after(ms, run) {
			// What is due at once is not waited for; the rest is done when the test says so.
			if (ms === 0) setImmediate(run);
			else plans.add(run);
			return () => plans.delete(run);
		},
	});
	const client = openClient({url: market.url, key: market.key});
	rentty.type('2');
	await rentty.sees(/ of 4\b/);
	return {
		...rentty,
		/** Long enough to have read a question. */
		read: () => (passed += 1000),
		/** Does what is planned for later. */
		later() {
			const due = [...plans];
			plans.clear();
			for (const run of due) run();
		},
		listed: async () => (await client.instances.page()).instances.map(({id}) => id),
		async [Symbol.asyncDispose]() {
			await client.close();
			await rentty[Symbol.asyncDispose]();
		},
	};
}

test('what never ran is destroyed after a y, and said to be gone when it is', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleet(market);
	rentty.type('x');
	const asked = await rentty.sees('DESTROY INSTANCE');
	expect(asked).toContain('never ran');
	expect(asked).toMatch(/Ends all charges: up to \$0\.\d\d\/h/);
	rentty.read();
	rentty.type('y');
	await rentty.sees(`${market.stuck.id} is gone. What is left costs $0.24/h.`);
	expect(await rentty.listed()).not.toContain(market.stuck.id);
});

test('what ran is not destroyed by a y: its label has to be typed', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleet(market);
	rentty.type('jj');
	await rentty.sees('3 of 4');
	rentty.type('x');
	await rentty.sees('has data');
	rentty.read();
	rentty.type('y');
	rentty.type('\r');
	await rentty.sees(/ of 4\b/);
	expect(await rentty.listed()).toContain(market.running.id);
});

test('a sweep can be taken back, and then nothing was sent', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleet(market);
	rentty.type('X');
	await rentty.sees('DESTROY INSTANCE');
	rentty.read();
	rentty.type('y');
	await rentty.sees('Destroying 1 in 5 s');
	rentty.type('u');
	await rentty.sees('Taken back');
	rentty.later();
	rentty.type('u');
	await rentty.sees('nothing waits to be sent');
	expect(await rentty.listed()).toContain(market.stuck.id);
});

test('a sweep destroys what is stuck and leaves the others alone', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleet(market);
	rentty.type('X');
	await rentty.sees('DESTROY INSTANCE');
	rentty.read();
	rentty.type('y');
	await rentty.sees('Destroying 1 in 5 s');
	rentty.later();
	await rentty.sees('is gone');
	expect(await rentty.listed()).toHaveLength(3);
});

test('a loading instance that begins to run while its question is open is asked about again', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleet(market);
	rentty.type('x');
	await rentty.sees('never ran');
	await market.database
		.updateTable('instances')
		.set({actual: 'running', reported: 'running', running_since: market.stuck.created_at})
		.where('id', '=', market.stuck.id)
		.execute();
	rentty.later();
	await rentty.sees('train-c was loading and is now running');
	rentty.read();
	rentty.type('y');
	rentty.type('\r');
	await rentty.sees(/ of 4\b/);
	expect(await rentty.listed()).toContain(market.stuck.id);
});

test('stopping says what it goes on costing, and what was stopped can be started', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleet(market);
	rentty.type('/');
	await rentty.sees('filter> _');
	rentty.type('train-a');
	rentty.type('\r');
	await rentty.sees('1 of 4 instances');
	rentty.type('S');
	await rentty.sees(/Its disk still costs \$0\.\d{4}\/h/);
	rentty.read();
	rentty.type('y');
	await rentty.sees('= stopped');
	rentty.type('S');
	await rentty.sees('START INSTANCE');
});

test('of several marked ones each result is named', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleet(market);
	rentty.type(' ');
	rentty.type('j');
	rentty.type(' ');
	await rentty.sees('2 marked');
	rentty.type('x');
	await rentty.sees('DESTROY 2 INSTANCES');
	await market.database.deleteFrom('api_keys').execute();
	rentty.read();
	for (const letter of 'destroy 2') rentty.type(letter);
	rentty.type('\r');
	const said = await rentty.sees('was not destroyed');
	expect(said).toContain('401');
});

test('a label is changed, and one with escape sequences never reaches the terminal', async () => {
	await using market = await openFleetMarket();
	const evil = '\u001B]0;owned\u0007\u001B[2Jtrain\u009B31m';
	await market.database
		.updateTable('instances')
		.set({label: evil, message: evil})
		.where('id', '=', market.stuck.id)
		.execute();
	await using rentty = await openFleet(market);
	rentty.type('x');
	await rentty.sees('DESTROY INSTANCE');
	rentty.read();
	rentty.type('n');
	await rentty.sees(/ of 4\b/);
	rentty.type('\r');
	await rentty.sees('Instances > ');
	for (const _ of [1, 2]) rentty.type(']');
	await rentty.sees('[JSON]');
	expect(rentty.written()).not.toContain('\u001B]0;owned');
	expect(rentty.written()).not.toContain('\u009B');
	expect(rentty.written()).not.toContain('\u001B[2Jtrain');
	rentty.type('e');
	await rentty.sees('label>');
	rentty.type('\u0015');
	for (const letter of 'new-name') rentty.type(letter);
	rentty.type('\r');
	await rentty.sees('is labelled "new-name"');
});
