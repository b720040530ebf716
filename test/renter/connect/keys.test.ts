import {expect, test} from 'vitest';
import {isRegistered} from '../../../source/renter/connect/keys.ts';

test.each([
	[{}, true],
	[{deleted_at: null}, true],
	[{deleted_at: ''}, true],
	[{deleted_at: 0}, true],
	[{deleted_at: '2026-11-21T12:00:00Z'}, false],
	[{deleted_at: 1_795_000_000}, false],
])('a key with %j is registered: %s', (key, expected) => {
	expect(isRegistered(key)).toBe(expected);
});
