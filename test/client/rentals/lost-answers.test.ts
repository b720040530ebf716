import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {steps, type Step} from '../../helpers/market/random-rentals.ts';
import {playRentals} from '../../helpers/market/rental-run.ts';
import {openSafeRental} from '../../helpers/market/safe-rental.ts';
import {runs} from '../../helpers/property.ts';

const plain = {
	which: 0,
	label: '',
	fault: 'none',
	repeats: 1,
	lookFault: 'none',
	badLooks: 0,
} as const;

/** Sequences that were once judged wrongly. */
const found: Array<[readonly Step[]]> = [
	[
		[
			{...plain, does: 'rent'},
			{...plain, does: 'destroy'},
			{...plain, does: 'destroy', fault: 'too many', repeats: 3},
		],
	],
];

test('whatever the network does, what is known of instances is what there is', async () => {
	await using world = await openSafeRental();
	const offers = await world.database
		.selectFrom('offers')
		.innerJoin('machines', 'machines.id', 'offers.machine_id')
		.select(['offers.id', 'offers.machine_id'])
		.where('rentable', '=', 1)
		.where('vms_enabled', '=', 0)
		.orderBy('offers.id')
		.execute();
	const machines = Map.groupBy(offers, ({machine_id}) => machine_id);
	const chosen = [...machines.values()].flatMap(([offer]) => offer?.id ?? []).slice(0, 3);
	expect(chosen).toHaveLength(3);
	await fc.assert(
		fc.asyncProperty(steps, async sequence => playRentals(world, chosen, sequence)),
		{numRuns: runs(150), examples: found},
	);
});
