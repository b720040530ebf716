import {expect, test} from 'vitest';
import {fuzz} from './fuzz/fuzz.ts';

test('2,000 hostile requests get no 500, and others are answered beside them', async () => {
	const {statuses, failures, log, waits, refused} = await fuzz({requests: 2000, seed: 7});
	expect([failures, log, refused]).toEqual([[], [], []]);
	expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(2000);
	// A request that is half right is answered: what is refused at the door finds nothing.
	expect(statuses[200]).toBeGreaterThan(200);
	expect(waits.length).toBeGreaterThan(10);
});
