import {expect, test} from 'vitest';
import {openClient} from '../../../../source/client/client.ts';
import {
	openFleetConsole,
	soonDead,
	type FleetConsole,
} from '../../../helpers/console/fleet-console.ts';
import {
	hearMachines,
	keepHeard,
	openTestMarketFile,
	rentDirectly,
} from '../../../helpers/market/instances.ts';
import {TEST_NOW} from '../../../helpers/market/market.ts';

/** A market with a dead instance at a price, of whose GPUs there is another offer on another machine. */
async function openDead(perHour: number, label = 'worker') {
	const market = await openTestMarketFile({offers: 200});
	const {database} = market;
	await hearMachines(database);
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const {offers} = await client.offers.search({
		filter: [{field: 'rentable', operator: 'eq', value: true}],
		limit: 200,
	});
	await client.close();
	const offer = offers.find(one =>
		offers.some(
			other =>
				other.gpu_name === one.gpu_name &&
				other.num_gpus === one.num_gpus &&
				other.machine_id !== one.machine_id,
		),
	);
	if (offer === undefined) throw new Error('no offer has an equal');
	const dead = await rentDirectly(database, {
		ask_id: offer.id,
		label,
		actual: 'exited',
		reported: 'exited',
		contact: 'heard',
		gpu_micros: perHour * 1_000_000,
		created_at: TEST_NOW - 3600,
	});
	await keepHeard(database);
	return {...market, dead, [Symbol.asyncDispose]: market[Symbol.asyncDispose]};
}

/** Looks until the instance is proven to be dead, and opens the sweep. */
async function openSweep(rentty: FleetConsole): Promise<string> {
	await rentty.pass(10);
	await rentty.sees('x dead');
	rentty.type('X');
	return rentty.reads('SWEEP: DESTROY INSTANCE');
}

test('a sweep says what each row costs, and with r rents an equal in its place', async () => {
	await using market = await openDead(50, 'worker [lease1 i1800 ts]');
	await using rentty = await openFleetConsole(market, {settings: soonDead()});
	const asked = await openSweep(rentty);
	expect(asked).toMatch(/worker {2}.* {2}\$50\.0\d\/h/);
	expect(asked).toContain('[ ] r: rent an equal one in the place of each, at most as dear');
	rentty.type('r');
	await rentty.sees(/\[x\] r:/);
	await rentty.sees(/1 like these once each is proven to be gone, together at\s+most\s+\$50\.0/);
	await rentty.enter('worker');
	rentty.type('\r');
	await rentty.sees('Destroying 1 in 5 s');
	await rentty.pass(6);
	await rentty.sees(/Instance \d+ is gone\. In its place instance \d+ is\s+rented for \$/);
	const left = await rentty.listed();
	expect(left).toHaveLength(1);
	expect(left).not.toContain(market.dead.id);
	const rows = await market.database.selectFrom('instances').selectAll().orderBy('id').execute();
	expect(rows.map(({image, disk_gb: disk}) => [image, disk])).toEqual([
		['ubuntu:24.04', 16],
		['ubuntu:24.04', 16],
	]);
	expect(rows[1]?.machine_id).not.toBe(market.dead.machine_id);
	// It ends as the one before would have.
	expect(rows[1]?.label).toBe('[lease1 i1800 ts]');
});

test('where every equal is dearer, nothing is rented', async () => {
	await using market = await openDead(0.0001, 'rig');
	await using rentty = await openFleetConsole(market, {settings: soonDead()});
	// The letter belongs to the label that is to be typed.
	expect(await openSweep(rentty)).toContain('[ ] Ctrl-R: rent an equal one');
	rentty.type('\u0012');
	await rentty.sees(/\[x\] Ctrl-R:/);
	await rentty.enter('rig');
	rentty.type('\r');
	await rentty.sees('Destroying 1 in 5 s');
	await rentty.pass(6);
	await rentty.sees(/is gone\. Nothing was\s+rented in its place: the next one is \+/);
	expect(await rentty.listed()).toEqual([]);
});
