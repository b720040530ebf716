import {expect, test} from 'vitest';
import {
	ApiError,
	NetworkError,
	RequestError,
	TimeoutError,
} from '../../../source/client/exchange/errors.ts';
import {CommandError, exitCodeOf, exitCodeOfAll} from '../../../source/commands/base/failure.ts';
import {UsageError} from '../../../source/renter/text/usage-error.ts';

const refused = (status: number) =>
	new ApiError('rent', {status, code: undefined, serverSays: undefined});

test.for([
	[refused(401), 3],
	[refused(403), 3],
	[refused(404), 4],
	[refused(410), 4],
	[refused(429), 5],
	[refused(500), 1],
	[new TimeoutError('rent', 10), 6],
	[new NetworkError('rent', new Error('broken')), 1],
	[new RequestError('rent', 'it is none'), 2],
	[new UsageError('no'), 2],
	[new CommandError(8, 'too dear'), 8],
	['thrown by mistake', 1],
] as const)('%s ends with %i', ([error, code]) => {
	expect(exitCodeOf(error)).toBe(code);
});

test('where some of it failed the code is 7, and where all failed alike it is theirs', () => {
	expect(exitCodeOfAll([])).toBe(0);
	expect(exitCodeOfAll([0, 0])).toBe(0);
	expect(exitCodeOfAll([0, 3])).toBe(7);
	expect(exitCodeOfAll([4, 4])).toBe(4);
	expect(exitCodeOfAll([3, 6])).toBe(3);
});
