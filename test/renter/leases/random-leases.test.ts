import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {endlessLease, writeLabel} from '../../../source/renter/words/lease.ts';
import {openLeadership} from '../../../source/renter/leases/guard-status.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openLeaseWorld} from '../../helpers/fleet/lease-world.ts';
import {runs} from '../../helpers/property.ts';

const chance = <Value>(usual: Value, seldom: fc.Arbitrary<Value>) =>
	fc.oneof({weight: 8, arbitrary: fc.constant(usual)}, seldom);

/** What happens before each look of both guards, in seconds. */
const steps = fc.array(
	fc.record({
		passed: fc.integer({min: 1, max: 60}),
		/** Guards that are killed, and begin anew at the next look. */
		killed: chance<readonly number[]>([], fc.subarray([0, 1])),
		/** Guards that are frozen: they do not look. */
		frozen: chance<readonly number[]>([], fc.subarray([0, 1])),
		/** What becomes of lists and acts. */
		answers: chance(
			'fine',
			fc.constantFrom('list lost', 'list cut', 'act lost', 'act refused', 'date wrong'),
		),
		/** For how long the guards' machine sleeps. */
		slept: chance(0, fc.integer({min: 1000, max: 9000})),
	}),
	{minLength: 5, maxLength: 30},
);

test('random lives of two guards end nothing early, nothing twice, and what has no lease never', async () => {
	using folder = openFolder();
	let run = 0;
	const check = fc.asyncProperty(steps, fc.boolean(), async (sequence, isKept) => {
		run += 1;
		const world = openLeaseWorld({
			file: `${folder.path}/guard-${run}.json`,
			endsAfter: 300,
			labels: {
				leased: lease => writeLabel('a', {...lease, isKept}) ?? '',
				without: () => 'b',
			},
		});
		let [quiet, refused] = [0, 0];
		for (const step of sequence) {
			await world.live(step);
			if (step.answers === 'act refused') refused += 1;
			const isQuiet =
				step.answers === 'fine' &&
				step.slept === 0 &&
				step.killed.length === 0 &&
				step.frozen.length === 0;
			// What a guard first sees when it is over may be anybody's label: it is told, and stays.
			quiet = isQuiet && world.isSeen() && world.seconds() >= 300 ? quiet + step.passed : 0;
			// A guard takes over after ninety seconds of silence, and looks twice then; what was refused waits.
			const pause = Math.min(900, 30 * 2 ** refused);
			if (quiet > 300 + pause && !world.isGone('leased')) return false;
		}
		return world.problems().length === 0;
	});
	await fc.assert(check, {numRuns: runs(500)});
});

test('the lease of the sequences ends where nothing disturbs it', async () => {
	using folder = openFolder();
	const file = `${folder.path}/guard.json`;
	const labels = {
		leased: () => writeLabel('a', {...endlessLease, endsAt: 1_764_000_300}) ?? '',
		without: () => '',
	};
	const world = openLeaseWorld({file, endsAfter: 300, labels});
	const calm = {killed: [], frozen: [], answers: 'fine', slept: 0} as const;
	for (let look = 0; look < 14; look++) await world.live({...calm, passed: 30});
	expect([world.isGone('leased'), world.isGone('without')]).toEqual([true, false]);
	expect(await openLeadership({file, steady: () => 0}).lead()).toBe(false);
});
