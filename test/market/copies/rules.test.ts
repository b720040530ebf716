import {expect, test} from 'vitest';
import {busyUntil, LINE_SLACK_SECONDS, lineSeconds} from '../../../source/market/copies/rules.ts';

test.each([
	[0, 0, 0],
	[1, 0, Infinity],
	[125_000_000, 1000, 1],
	[1_250_000_000, 10_000, 1],
	[1_250_000_000, 1e9, 1],
	[1_250_000_000, null, 1],
])('%i bytes keep a line of %s Mb/s busy for %d seconds', (bytes, mbps, seconds) => {
	expect(lineSeconds(bytes, mbps)).toBe(seconds);
});

test('however often bytes are counted, they are no more than a line carries in the time and a little more', () => {
	const created_at = 1000;
	let [bytes_at, total] = [0, 0];
	for (let now = created_at; now <= created_at + 600; now += 1) {
		for (const seconds of [1000, 50, 5, 0.5]) {
			const until = busyUntil({created_at, bytes_at}, seconds, now);
			if (until === undefined) continue;
			[bytes_at, total] = [until, total + seconds];
		}
	}
	expect(total).toBeLessThanOrEqual(600 + LINE_SLACK_SECONDS);
	expect(total).toBeGreaterThan(590);
});

test('a line that was idle is not busy afterwards for longer than since it was counted', () => {
	const idle = busyUntil({created_at: 0, bytes_at: 0}, 1, 5000);
	expect(idle).toBe(5000 - LINE_SLACK_SECONDS);
	expect(
		busyUntil({created_at: 0, bytes_at: idle ?? 0}, LINE_SLACK_SECONDS + 11, 5010),
	).toBeUndefined();
	expect(busyUntil({created_at: 0, bytes_at: idle ?? 0}, LINE_SLACK_SECONDS + 10, 5010)).toBe(5010);
});
