import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {ApiError, isKeyRefused, refusesKey} from '../../../source/client/exchange/errors.ts';
import {exitCodeOf, exitCodes} from '../../../source/commands/base/failure.ts';
import {isTaken} from '../../../source/renter/orders/agreed-order.ts';
import {keyRefusals} from '../../helpers/services/key-refusals.ts';

const refused = (status: number, code?: string, serverSays?: string) =>
	new ApiError('rent an offer', {status, code, serverSays});

test.each(keyRefusals)('%i %s "%s" refuses the key', (status, code, says) => {
	const error = refused(status, code, says);
	expect(isKeyRefused(error)).toBe(true);
	expect(error.why).toContain('the key is not accepted');
	expect(exitCodeOf(error)).toBe(exitCodes.notAccepted);
	expect(isTaken(error)).toBe(false);
});

/** Refusals that existing services are seen to send, and that say nothing of the key in use. */
const others: ReadonlyArray<readonly [status: number, code: string | undefined, says: string]> = [
	[
		400,
		'invalid_args',
		'error 400/3467: args invalid, `id` is required and must be a valid offer ID',
	],
	[400, 'no_ssh_key_for_vm', 'VM request, no SSH key registered'],
	[400, 'no_ssh_key', 'No ssh key provided'],
	[403, 'invalid_args', 'error 403/3586: hosts can rent only their own machines'],
	[403, 'not_authorized', 'not authorized to view logs for this instance'],
	[403, undefined, 'You do not have permission to delete this API Key.'],
	[404, 'invalid_args', 'error 404/3603: no_such_ask Instance type by id 7 is not available.'],
	[404, 'no_such_instance', 'Instance 7 not found.'],
	[404, 'not_found', 'Instance not found'],
	[404, 'invalid_id', 'Invalid instance id.'],
	[404, 'no_such_ssh_key', 'There is no such SSH key'],
	[404, undefined, 'API Key not found.'],
	[404, 'no_such_volume', 'Volume with that ID does not exist.'],
	[410, 'no_such_ask', 'error 410/3907: no_such_ask Instance type 7 is no longer available.'],
	[429, undefined, 'API requests too frequent: endpoint threshold=4.5'],
	[500, 'internal_error', 'Invalid user key'],
	[200, 'auth_error', 'Invalid user key'],
];

test.each(others)('%i %s "%s" does not refuse the key', (status, code, says) => {
	const error = refused(status, code, says);
	expect(isKeyRefused(error)).toBe(false);
	expect(error.why).not.toContain('key is not accepted');
});

test('whatever else a service says, 401 refuses the key, and no status but 403 and 404 may', () => {
	const word = fc.option(fc.oneof(fc.string(), fc.constant('auth_error')), {nil: undefined});
	const says = fc.option(fc.oneof(fc.string(), fc.constant('Invalid user key')), {nil: undefined});
	fc.assert(
		fc.property(fc.integer({min: 100, max: 599}), word, says, (status, code, serverSays) => {
			const isRefused = refusesKey({status, code, serverSays});
			const mayBe = status === 403 || status === 404;
			const mustBe = status === 401 || (mayBe && code === 'auth_error');
			expect(isRefused || !mustBe).toBe(true);
			expect(!isRefused || mustBe || mayBe).toBe(true);
		}),
	);
});

test('what is no answer of a service refuses no key', () => {
	for (const thrown of [
		new Error('Invalid user key'),
		'Invalid user key',
		undefined,
		{status: 401},
	]) {
		expect(isKeyRefused(thrown)).toBe(false);
	}
});
