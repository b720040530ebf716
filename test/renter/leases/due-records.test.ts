import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createTurns} from '../../../source/renter/leases/guard.ts';
import {runs} from '../../helpers/property.ts';

test('however many are due, so many are read at a time, and each has its turn', () => {
	const due = fc.uniqueArray(fc.nat(1000), {minLength: 1, maxLength: 60});
	fc.assert(
		fc.property(due, fc.integer({min: 1, max: 20}), (ids, most) => {
			const inTurn = createTurns(most);
			const rounds = Array.from({length: Math.ceil(ids.length / most)}, () => inTurn(ids));
			for (const turn of rounds) expect(turn.length).toBeLessThanOrEqual(most);
			expect(rounds.flat()).toEqual(ids);
			expect(inTurn(ids)).toEqual(ids.slice(0, most));
		}),
		{numRuns: runs(300)},
	);
});

test('where all of a turn are gone, the others are not kept waiting', () => {
	const inTurn = createTurns(2);
	expect([inTurn([1, 2, 3]), inTurn([1, 2]), inTurn([4])]).toEqual([[1, 2], [1, 2], [4]]);
});
