import {expect, test} from 'vitest';
import {realTimers} from '../../../../source/renter/state/timers.ts';
import {openTorch} from './open-rent.ts';

const budget = {
	profile: undefined,
	label: undefined,
	perHour: 1,
	perDay: undefined,
	perMonth: undefined,
	action: 'refuse',
	order: 'cheapest-loss',
} as const;

/** The review is open; then the host raises the price to $2 an hour, which the review reads after 15 s. */
async function openMoved(options: Parameters<typeof openTorch>[0] = {}) {
	const due: Array<() => void> = [];
	const rentty = await openTorch({
		...options,
		after(ms, run) {
			if (ms >= 14_000 && ms <= 15_000) {
				due.push(run);
				return () => undefined;
			}
			return realTimers.after(ms, run);
		},
	});
	await rentty.openForm();
	await rentty.sees('price of 12:41');
	await rentty.review();
	await rentty.market.database.updateTable('offers').set({dph_base_micros: 2_000_000}).execute();
	rentty.pass(15_000);
	return {rentty, read: () => due.splice(0).forEach(run => run())};
}

const MOVED = 'and is now at $2.0';

test('the review costs what it is asked for again, where the price moved while it was open', async () => {
	const {rentty, read} = await openMoved();
	await using _ = rentty;
	read();
	const shown = await rentty.sees(MOVED, 4000);
	expect(/Costs .*all-in/.exec(shown)?.[0]).toContain('$2.0');
});

test('budgets.json holds the price that was agreed to, also where it moved while the review was open', async () => {
	const {rentty, read} = await openMoved({budgets: () => ({budgets: [budget]})});
	await using _ = rentty;
	read();
	await rentty.sees(MOVED, 4000);
	rentty.pass(1000);
	rentty.type('y');
	await rentty.sees(/its key: |Rented: instance|more than budgets.json allows/, 8000);
	expect(await rentty.rentals()).toEqual([]);
});

test('what was rented at a price that moved in the review is said with that price', async () => {
	const {rentty, read} = await openMoved();
	await using _ = rentty;
	read();
	await rentty.sees(MOVED, 4000);
	rentty.pass(1000);
	rentty.type('y');
	await rentty.leaveKey();
	rentty.type('\u001B');
	const shown = await rentty.sees(/Rented: instance \d+/, 8000);
	expect(/Rented: instance [^]*/.exec(shown)?.[0]).not.toMatch(/\$0\.49|instead of|destroys it/);
});

test('a price that was not read for hours is read again before the order is sent', async () => {
	const {rentty} = await openMoved({budgets: () => ({budgets: [budget]})});
	await using _ = rentty;
	// Eight hours of sleep; y comes before the review has read anything.
	rentty.pass(8 * 3_600_000);
	rentty.type('y');
	await rentty.sees(/its key: |Rented: instance \d+|is now at|PRICE MOVED/, 8000);
	expect(await rentty.rentals()).toEqual([]);
});
