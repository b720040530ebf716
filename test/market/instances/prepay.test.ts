import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	depositFor,
	discountAfter,
	keptAtEnd,
	HOURS_PER_MONTH,
} from '../../../source/contract/nouns/offer-cost.ts';
import {dollarsAhead, openPrepaid} from '../../helpers/market/prepaid.ts';
import {allFaults} from '../../helpers/market/ledger.ts';
import {contract} from '../../../source/contract/index.ts';
import {refusal, TEST_NOW, wholeReply} from '../../helpers/market/market.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

test.each([
	[576, 0.4, 1, 0.2],
	[720 * 3 * 0.7, 0.4, 3, 0.3],
	[720 * 0.546 * (1 - (0.1 * 0.546) / 1.546), 0.1, 0.546, 0.0353],
])('%d dollars at most %d off pay for %d months at %d off', (amount, most, months, rate) => {
	const deposited = depositFor(amount, 1, most);
	expect(deposited.months).toBeCloseTo(months, 6);
	expect(deposited.rate).toBeCloseTo(rate, 4);
});

test('the price of months that are paid ahead pays for just as many', () => {
	const shares = fc.integer({min: 0, max: 100}).map(share => share / 100);
	const months = fc.double({min: 0.001, max: 36, noNaN: true});
	fc.assert(
		fc.property(months, shares, fc.integer({min: 1, max: 1e8}), (wanted, most, hourly) => {
			fc.pre(most < 1);
			const price = hourly * HOURS_PER_MONTH * wanted * (1 - discountAfter(wanted, most));
			expect(depositFor(price, hourly, most).months / wanted).toBeCloseTo(1, 6);
		}),
	);
});

test('a month paid ahead costs 20 % less, and comes back less 1.05 times its discount', async () => {
	await using world = await openPrepaid();
	expect(await world.prepay(576)).toMatchObject({
		status: 200,
		body: {success: true, timescale: 1, discount_rate: 0.2},
	});
	expect(await world.credit()).toBe(1000 - 576);
	await world.run(15 * DAY);
	expect(await world.deposit()).toEqual({
		success: true,
		refundable_deposit: 212.4,
		total_discount: 72,
		discount_months: 1,
	});
	expect(await world.shown()).toMatchObject({credit_balance: 288, credit_discount: 0.2});
	expect(await world.credit()).toBe(1000 - 576);
	await world.destroy();
	expect(await world.credit()).toBeCloseTo(1000 - 576 + 212.4, 9);
	expect(await allFaults(world.database)).toEqual([]);
	// All of it is posted when the day is over, and still adds up.
	await world.pass(2 * DAY);
	expect(await allFaults(world.database)).toEqual([]);
	expect(await world.earned()).toBeCloseTo(288 + 75.6, 9);
});

test('an early end returns no more than is left, where rounding took a micro-dollar more than the plain price', () => {
	expect([keptAtEnd(4_039_984, -2), keptAtEnd(1, 100), keptAtEnd(500, 100)]).toEqual([0, 1, 105]);
});

test('months of a discount are whole ones, as they are documented', async () => {
	await using world = await openPrepaid();
	await world.prepay(300);
	expect(await world.deposited()).toMatchObject({discount_months: 0});
	await world.prepay(500);
	expect(await world.deposited()).toMatchObject({discount_months: 1});
});

test('no bill charges again what a deposit has paid', async () => {
	await using world = await openPrepaid();
	await world.prepay(8);
	await world.run(6 * 3600);
	const since = `sdate=${TEST_NOW - 1}&edate=${TEST_NOW + DAY}&inc_charges=true`;
	const {body} = await world.call(`/api/v0/users/me/invoices/?${since}`);
	const {invoices, current} = wholeReply(contract.billing.userInvoices, body);
	const paid = invoices.filter(({type}) => type === 'payment').map(({amount}) => Number(amount));
	const charged = invoices.filter(({type}) => type === 'charge').map(({amount}) => Number(amount));
	expect(paid).toContain(-8);
	expect(charged.reduce((sum, amount) => sum + amount, 0)).toBe(0);
	expect(current).toMatchObject({charges: 0, credit: 992});
	const said = invoices.map(({description}) => description);
	expect(said).toContainEqual(expect.stringMatching(/computing, \$5\.\d+ of it paid ahead$/));
});

test('an empty deposit leaves the plain price, which the credit pays', async () => {
	await using world = await openPrepaid();
	await world.prepay(8);
	const rate = Number((await world.shown())['credit_discount']);
	await world.run(30 * HOUR);
	const plainHours = 30 - 8 / (1 - rate);
	expect(await world.shown()).toMatchObject({credit_balance: null, credit_discount: null});
	expect(await world.credit()).toBeCloseTo(1000 - 8 - plainHours, 4);
	expect(await allFaults(world.database)).toEqual([]);
});

test('however often it is charged, a deposit lasts to the same micro-dollar', async () => {
	const credits = await Promise.all(
		[1, 7, 41].map(async steps => {
			await using world = await openPrepaid();
			await world.prepay(8);
			await world.run(30 * HOUR, steps);
			await world.deposit();
			return await world.credit();
		}),
	);
	expect(new Set(credits).size).toBe(1);
});

test.each([0, -1, -500])(
	'what is paid ahead goes on with a credit of %d, is charged, and stops with its deposit',
	async credit => {
		await using world = await openPrepaid();
		await world.prepay(8);
		await world.setCredit(credit);
		await world.run(6 * HOUR);
		expect((await world.row()).current).toBe('running');
		await world.run(4 * HOUR, 48);
		const {current, deposit_micros: left} = await world.row();
		expect([current, left]).toEqual(['stopped', 0]);
		expect(await world.credit()).toBeGreaterThan(credit - 0.1);
	},
);

test('a second payment adds to what is left, at the discount of both', async () => {
	await using world = await openPrepaid();
	await world.prepay(100);
	await world.run(10 * HOUR);
	const left = dollarsAhead(await world.row());
	const {months, rate} = depositFor((left + 476) * 1e6, 1e6, 0.4);
	expect((await world.prepay(476)).body).toEqual({
		success: true,
		timescale: months,
		discount_rate: rate,
	});
	expect(dollarsAhead(await world.row())).toBeCloseTo(left + 476, 9);
});

test('a deposit leaves nothing in the books, also where its fee is charged to an account in debt', async () => {
	await using world = await openPrepaid();
	await world.prepay(584);
	await world.run(10 * 86_400, 20);
	await world.setCredit(-445);
	expect(await world.destroy()).toMatchObject({status: 200});
	const faults = (await allFaults(world.database)).map(({what}) => what);
	expect(faults.filter(what => what.startsWith('deposits'))).toEqual([]);
});

test('nothing is kept where the machine is lost', async () => {
	await using world = await openPrepaid();
	await world.prepay(576);
	await world.run(DAY);
	const left = dollarsAhead(await world.row());
	expect(await world.deposit()).not.toMatchObject({refundable_deposit: left});
	await world.lose();
	expect(await world.deposit()).toMatchObject({refundable_deposit: left});
	await world.destroy();
	expect(await world.credit()).toBeCloseTo(1000 - 576 + left, 9);
});

test.each([
	['more than its credit', {credit: 5}, 6, 'insufficient_credit', /has 5\.00 dollars of credit/],
	[
		'more than until its end',
		{},
		900,
		'invalid_args',
		/more than instance \d+ can use until its end/,
	],
	['without a discount', {most: 0}, 5, 'invalid_args', /no discount for paying in advance/],
	['for a bid', {bid: 0.5}, 5, 'invalid_args', /is bid for/],
	['less than a micro-dollar', {}, 1e-9, 'invalid_args', /that can be paid/],
	['nothing', {}, 0, 'invalid_args', /must be more than 0/],
])('paying ahead %s is refused', async (_, world, amount, error, msg) => {
	await using prepaid = await openPrepaid(world);
	const before = await prepaid.row();
	expect(await prepaid.prepay(amount)).toMatchObject({
		status: 400,
		body: refusal(error, expect.stringMatching(msg)),
	});
	expect(await prepaid.row()).toEqual(before);
});

test('invoices name what was paid ahead and what came back, and come to the credit', async () => {
	await using world = await openPrepaid();
	await world.prepay(576);
	await world.run(2 * DAY);
	await world.destroy();
	const {rows, sum} = await world.invoices();
	expect(rows).toEqual(expect.arrayContaining(['credit', 'reserved', 'refund', 'charge']));
	expect(sum).toBeCloseTo(await world.credit(), 9);
});
