import {expect, test} from 'vitest';
import {openClient} from '../../../../source/client/client.ts';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';

async function openFleet() {
	const market = await openFleetMarket();
	const rentty = await openFleetConsole(market);
	return {
		...rentty,
		market,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('what went while a detail was looked at is not in the list behind it, nor counted', async () => {
	await using fleet = await openFleet();
	fleet.type('jj');
	await fleet.sees('3 of 4');
	expect(await fleet.shown()).toContain('* running');
	fleet.type('\r');
	await fleet.sees('[Connect]');
	const client = openClient({url: fleet.market.url, key: fleet.market.key, paceScale: 0});
	await client.instances.destroy(fleet.market.running.id);
	await client.close();
	for (let look = 0; look < 4; look++) {
		// oxlint-disable-next-line no-await-in-loop -- each look is proof beside the one before
		await fleet.pass(10);
	}
	await fleet.sees(/is gone/);
	fleet.type('s');
	await fleet.sees('it is gone');
	fleet.type('\u001B');
	const back = await fleet.sees(/3 instances.*[^]*of 3/);
	expect(back).not.toContain('train-a');
	expect(back).not.toContain('* running');
	fleet.type('F');
	await fleet.sees('3 instances, <');
});

test('what was seen last is drawn as what was, where nothing is heard or asked any more', async () => {
	await using fleet = await openFleet();
	await fleet.sees('* running');
	fleet.type('p');
	await fleet.sees('paused from');
	await fleet.pass(31);
	expect(await fleet.sees('* was running')).not.toContain('* running');
	fleet.type('p');
	await fleet.sees('* running');
	await fleet.market.database.updateTable('api_keys').set({deleted_at: 1}).execute();
	for (let look = 0; look < 4; look++) {
		// oxlint-disable-next-line no-await-in-loop -- each look fails after the one before
		await fleet.pass(10);
	}
	expect(await fleet.sees('* was running')).not.toMatch(/\* running|\. provisioning/);
	await fleet.market.database.updateTable('api_keys').set({deleted_at: null}).execute();
	fleet.type('R');
	expect(await fleet.sees('* running')).not.toContain('? was');
});
