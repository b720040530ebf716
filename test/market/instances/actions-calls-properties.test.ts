import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {overlaps} from '../../../source/market/lifecycle/claims.ts';
import type {InstanceRow} from '../../../source/market/database/instance-tables.ts';
import {findMachine} from '../../../source/market/lifecycle/machines-store.ts';
import type {OfferRow} from '../../../source/market/database/schema.ts';
import {hearMachines} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openSharedMachine, type SharedMachine} from '../../helpers/market/shared-machine.ts';
import {runs} from '../../helpers/property.ts';

/** Instances that want the same GPUs, at fixed prices and with bids. */
const wanted = [
	{gpus: [0]},
	{gpus: [0, 1]},
	{gpus: [0], bid: 0.3},
	{gpus: [1], bid: 0.4},
	{gpus: [2, 3], bid: 0.5},
	{gpus: [0, 1, 2, 3], bid: 0.6},
] as const;

const which = fc.nat(wanted.length - 1);
const some = fc.uniqueArray(which, {minLength: 1});
const state = fc.constantFrom('running', 'stopped');

/** An action, on instances by their place above. */
const action = fc.oneof(
	fc.record({kind: fc.constant('move' as const), which, state}),
	fc.record({kind: fc.constant('move many' as const), some, state}),
	fc.record({kind: fc.constant('bid' as const), which, price: fc.constantFrom(0.2, 0.45, 2, null)}),
	fc.record({kind: fc.constantFrom('reboot' as const, 'recycle' as const), which}),
	fc.record({kind: fc.constant('destroy' as const), which}),
	fc.record({kind: fc.constant('destroy many' as const), some}),
	fc.record({kind: fc.constant('be heard' as const)}),
	fc.record({kind: fc.constant('pass' as const), seconds: fc.constantFrom(1, 20, 50)}),
);

type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

async function perform(machine: SharedMachine, ids: readonly number[], done: Action) {
	const idOf = (place: number) => ids[place] ?? 0;
	switch (done.kind) {
		case 'move':
			return machine.act('PUT', `${idOf(done.which)}/`, {state: done.state});
		case 'move many':
			return machine.act('PUT', '', {state: done.state, ids: done.some.map(idOf)});
		case 'bid':
			return machine.act('PUT', `bid_price/${idOf(done.which)}/`, {price: done.price});
		case 'reboot':
		case 'recycle':
			return machine.act('PUT', `${done.kind}/${idOf(done.which)}/`, {});
		case 'destroy':
			return machine.act('DELETE', `${idOf(done.which)}/`, {});
		case 'destroy many':
			return machine.act('DELETE', '', {instance_ids: done.some.map(idOf)});
		case 'pass':
			await machine.pass(done.seconds);
			return undefined;
		case 'be heard':
			await hearMachines(machine.database, machine.clock.now());
			return undefined;
	}
}

/** What must hold whatever was done. */
async function check({database, machineId}: SharedMachine, now: number): Promise<void> {
	const rows = await database.selectFrom('instances').selectAll().orderBy('id').execute();
	const machine = await findMachine(database, machineId);
	const offers = await database
		.selectFrom('offers')
		.selectAll()
		.where('machine_id', '=', machineId)
		.execute();
	const holders = rows.filter(({current}) => current === 'running');
	for (const row of rows) checkRow(row, now);
	for (const [index, holder] of holders.entries()) {
		expect(sharing(holder, holders.slice(index + 1))).toEqual([]);
	}
	if (machine?.contact === 'heard') checkWaiting(rows, holders);
	for (const offer of offers) checkOffer(offer, sharing(offer, holders));
}

type WithGpus = {readonly gpu_mask: number};

/** Those that have a GPU of these. */
function sharing({gpu_mask: mask}: WithGpus, rows: readonly InstanceRow[]) {
	return rows.filter(({gpu_mask}) => overlaps(gpu_mask, mask));
}

function checkRow(row: InstanceRow, now: number): void {
	const waits = row.intended === 'running' && row.current === 'stopped';
	expect(row.waiting_since !== null).toBe(waits);
	expect(row.destroyed_at !== null).toBe(row.current === 'unloaded');
	expect(row.billed_until).toBeLessThanOrEqual(now);
}

/** Nobody waits for GPUs that nobody stronger has. */
function checkWaiting(rows: readonly InstanceRow[], holders: readonly InstanceRow[]): void {
	for (const row of rows.filter(({waiting_since}) => waiting_since !== null)) {
		const stronger = sharing(row, holders).filter(
			({is_bid, gpu_micros}) => is_bid === 0 || (row.is_bid === 1 && gpu_micros >= row.gpu_micros),
		);
		expect(stronger).not.toEqual([]);
	}
}

function checkOffer(offer: OfferRow, holders: readonly InstanceRow[]): void {
	const isFree = holders.every(({is_bid}) => is_bid === 1);
	expect(offer).toMatchObject({rented: holders.length > 0 ? 1 : 0, rentable: isFree ? 1 : 0});
	for (const {gpu_micros} of holders.filter(({is_bid}) => is_bid === 1)) {
		expect(offer.min_bid_micros).toBeGreaterThan(gpu_micros);
	}
}

test('whatever renters do, every GPU has one holder, and nobody waits in vain', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(action, {minLength: 1, maxLength: 12}), async actions => {
			await using machine = await openSharedMachine();
			const ids: number[] = [];
			for (const instance of wanted) ids.push(await machine.halt(instance));
			await machine.rent({gpus: [0], destroyed_at: TEST_NOW, current: 'unloaded'});
			for (const done of actions) {
				const reply = await perform(machine, ids, done);
				expect([200, 400, 404, undefined]).toContain(reply?.status);
				await check(machine, machine.clock.now());
			}
			expect(machine.log).toEqual([]);
		}),
		{numRuns: runs(20)},
	);
});
