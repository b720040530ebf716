import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {mergeByTime, openLogTimes, timeIn} from '../../../source/renter/text/log-times.ts';

const noon = Date.UTC(2026, 10, 23, 12);

test.each([
	['2026-11-23T12:00:00Z begin', noon],
	['2026-11-23 12:00:00,250 INFO begin', noon + 250],
	['[rank0] 2026/11/23 12:00:00.5 begin', noon + 500],
	['\u001B[32m2026-11-23 13:00:00+01:00\u001B[0m begin', noon],
	['INFO 2026-13-99 12:00:00 begin', undefined],
	['step 3 loss 2.1', undefined],
])('a line begins with a time as loggers write it: %j', (line, at) => {
	expect(timeIn(line)).toBe(at);
});

test('a traceback stays behind its line, a banner before it, and a log without times is of its reading', () => {
	const read = openLogTimes();
	const first = '2026-11-23T12:00:00Z failed';
	expect(read(['banner', first, 'Traceback'], 0)).toEqual([noon, noon, noon]);
	expect(read(['  in train.py', '2026-11-23T11:00:00Z an older time'], 0)).toEqual([noon, noon]);
	expect(openLogTimes()(['a', 'b'], 7)).toEqual([7, 7]);
});

function lines(times: readonly number[], of: string) {
	return times.map((at, n) => ({at, of, n}));
}

test('two logs become one in the order of times, and each keeps its own', () => {
	const log = fc.array(fc.nat({max: 20})).map(times => times.toSorted((a, b) => a - b));
	fc.assert(
		fc.property(log, log, (a, b) => {
			const [first, second] = [lines(a, 'a'), lines(b, 'b')];
			const merged = mergeByTime(first, second);
			expect(merged.map(({at}) => at)).toEqual([...a, ...b].toSorted((x, y) => x - y));
			expect(merged.filter(({of}) => of === 'a')).toEqual(first);
			expect(merged.filter(({of}) => of === 'b')).toEqual(second);
		}),
	);
});
