import {expect, test} from 'vitest';
import {openFleetConsole} from '../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../helpers/fleet/fleet.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';

test('letters leave those actions that have them, and what is left is chosen', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	await rentty.sees('1 of 4');
	rentty.type('a');
	await rentty.sees('type to find: _');
	rentty.type('label');
	const found = await rentty.sees(/find: label_[^]*> /);
	expect(found).not.toContain('sweep');
	rentty.type('xyz');
	await rentty.sees('No action here is called so.');
	rentty.type('\u0015');
	await rentty.sees('sweep');
	rentty.type('order of trouble q');
	await rentty.sees('order of trouble q_');
	rentty.type('\u001B');
	await rentty.sees(/Enter detail/);
	expect(await rentty.listed()).toHaveLength(4);
});

test.each(['a', ':'])(
	'what is chosen after %s acts on the instance that was under the cursor when it was pressed',
	async key => {
		await using market = await openFleetMarket();
		const {database, stuck, fresh} = market;
		const runs = {actual: 'running', reported: 'running', running_since: TEST_NOW - 100} as const;
		const all = [stuck.id, fresh.id];
		await database.updateTable('instances').set(runs).where('id', 'in', all).execute();
		await using rentty = await openFleetConsole(market, {columns: 120});
		await rentty.sees(/> vllm-2/);
		rentty.type(key);
		await rentty.sees(/type to find: _|: command/);
		// While the user looks for the action, another instance becomes the first.
		const dear = {gpu_micros: 90_000_000};
		await database.updateTable('instances').set(dear).where('id', '=', stuck.id).execute();
		await rentty.pass(11);
		await rentty.sees(/\$90\.\d+\/h/);
		rentty.type('detail');
		await rentty.sees(/> (Enter .*)?open detail/);
		rentty.type('\r');
		expect(await rentty.sees('[Connect]')).toMatch(/Instances > \d+ vllm-2/);
	},
);
