import {expect, test} from 'vitest';
import {answered} from '../../../helpers/services/faults.ts';
import {openTorch} from './open-rent.ts';

const refusal = (status: number, error: string, says: string) => ({
	status,
	body: {success: false, error, msg: `error ${status}/1: ${says}`, ask_id: 1},
});

test.each([
	[refusal(401, 'auth_error', 'bad key'), 'The key is not accepted any more.'],
	[refusal(404, 'auth_error', 'Invalid user key'), 'The key is not accepted any more.'],
	[refusal(403, 'invalid_args', 'not yours'), 'This key may not create instances'],
	[{status: 429, body: {detail: 'create instance: 1 per 2 s'}}, 'The service wants fewer calls'],
	[
		refusal(400, 'invalid_args', 'disk is too large'),
		'The service refused the request: invalid_args.',
	],
	[refusal(400, 'invalid_price', 'too low'), 'The service refused the bid.'],
	[refusal(400, 'no_ssh_key_for_vm', 'no key'), 'A VM needs a registered SSH key'],
])(
	'a refusal like %j is told with the state of the money, and the form is as it was',
	async (answer, title) => {
		await using rentty = await openTorch();
		await rentty.openForm();
		await rentty.keys('g\t');
		await rentty.fill('b/mine');
		await rentty.toReview();
		await rentty.review();
		rentty.proxy.next({method: 'PUT', path: '/api/v0/asks/'}, answered(answer), 9);
		rentty.agree();
		const told = await rentty.sees(title);
		expect(told).toContain('Nothing was created');
		await rentty.keys('\r');
		await rentty.sees(/PUT asks\/\d+\s+\{"image":"b\/mine"/);
		await rentty.keys('21');
		await rentty.sees(title);
		await rentty.keys('1');
		expect(await rentty.sees('Review and rent')).toContain('b/mine');
		expect(await rentty.rentals()).toEqual([]);
	},
);

test('an offer that is gone is not asked for again, and its form is kept', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('g\t');
	await rentty.fill('b/mine');
	await rentty.toReview();
	await rentty.review();
	const gone = refusal(410, 'no_such_ask', 'no_such_ask');
	rentty.proxy.next({method: 'PUT', path: '/api/v0/asks/'}, answered(gone), 9);
	rentty.agree();
	const told = await rentty.sees('r takes none');
	expect(told).toContain('e allows waiting (cancel: no)');
	await rentty.keys('e');
	expect(await rentty.sees('> cancel')).toContain('b/mine');
	expect(rentty.orders()).toBe(1);
});
