import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {createChargeReader} from '../../../source/commands/leases/budget-file.ts';
import {noneUnreadable} from '../../../source/contract/grammar/unreadable.ts';
import {commandsOf} from '../../helpers/commands/commands.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openRentable} from '../../helpers/market/rentable.ts';

/** A fleet whose one instance boots: its disk is charged, and its GPUs are as soon as it runs. */
async function openBooting() {
	const market = await openRentable();
	await market.rent({image: 'ubuntu:24.04', disk: 10});
	const folder = openFolder();
	const settings = join(folder.path, 'rentty');
	mkdirSync(settings);
	const [other] = await market.database
		.selectFrom('offers')
		.select(['id', 'dph_base_micros'])
		.where('rentable', '=', 1)
		.where('machine_id', '!=', market.offer.machine_id)
		.orderBy('dph_base_micros')
		.execute();
	const run = commandsOf(market, {folder: folder.path});
	const list = async () => run('ps');
	const rent = async () => run('rent', `${other?.id}`, '--image', 'a/b', '--spend', '99', '--yes');
	return {
		list,
		rent,
		/** Puts a folder in place of the file: a user who is root may read all files. */
		makeUnreadable() {
			rmSync(join(settings, 'budgets.json'));
			mkdirSync(join(settings, 'budgets.json'));
		},
		/** Rents another offer under a budget for an hour, in dollars. */
		async rentUnder(perHour: number) {
			writeFileSync(join(settings, 'budgets.json'), JSON.stringify([{perHour}]));
			return rent();
		},
		/** Lists what is rented under a file of budgets. */
		async listUnder(budgets: string) {
			writeFileSync(join(settings, 'budgets.json'), budgets);
			return list();
		},
		booting: market.offer.dph_base_micros / 1e6,
		price: (other?.dph_base_micros ?? 0) / 1e6,
		async [Symbol.asyncDispose]() {
			folder[Symbol.dispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('a rent that may pass a budget is refused, with its cost at least and at most', async () => {
	await using fleet = await openBooting();
	const {booting, price} = fleet;
	const limit = price + booting / 2 + 0.02;
	const refused = await fleet.rentUnder(limit);
	expect(refused).toMatchObject({code: 8, out: ''});
	expect(refused.err).toMatch(
		/^rentty: With this it costs at least \$\d+\.\d\d, at most \$\d+\.\d\d, of \$[\d.]+ an hour, more than budgets\.json allows\. Nothing was rented\.\n$/,
	);
	const certain = await fleet.rentUnder(price / 2);
	expect(certain.err).toMatch(/^rentty: With this it costs at least /);
	expect(await fleet.rentUnder(price + booting + 1)).toMatchObject({code: 0});
});

test('ps says which budget is passed, and that nobody stops what one is to stop', async () => {
	await using fleet = await openBooting();
	expect((await fleet.listUnder('[{"perHour": 99}]')).err).not.toContain('budgets.json');
	const over = await fleet.listUnder('[{"perHour": 0.0001}]');
	expect(over.err).toMatch(
		/budgets\.json: what is rented costs at least \$\d+\.\d\d, at most \$\d+\.\d\d, of \$0\.0001 an hour\.$/m,
	);
	expect((await fleet.listUnder('[{"perHour": 0.0001, "action": "stop"}]')).err).toContain(
		'No guard runs here to stop any: rentty guard run.',
	);
	expect((await fleet.listUnder('[{"perHour": 0.0001, "label": "other"}]')).err).toBe('');
	const cut = await fleet.listUnder('[{"perHour": 0.0001,]');
	expect(cut).toMatchObject({code: 0});
	expect(cut.err).toContain('budgets.json cannot be read: expected a list');
});

test('budgets that cannot be read, or were cut off, are said by ps, and refuse each rent', async () => {
	await using fleet = await openBooting();
	const cut = await fleet.listUnder('');
	expect(cut.err).toContain('budgets.json cannot be read: expected a list');
	fleet.makeUnreadable();
	const listed = await fleet.list();
	expect(listed.code).toBe(0);
	expect(listed.err).toMatch(
		/budgets\.json cannot be read: .* is no file: remove it\. Nothing can/,
	);
	const refused = await fleet.rent();
	expect(refused).toMatchObject({code: 2, out: ''});
	expect(refused.err).toMatch(
		/^rentty: \S+budgets\.json cannot be read \(.* is no file: remove it\)/m,
	);
});

test('a guard asks at once what a new day was charged, and knows nothing of it if that fails', async () => {
	const midnight = Date.UTC(2026, 10, 22);
	let now = midnight - 60_000;
	let isRefused = false;
	const record = {amount: -6.2, start: midnight / 1000 - 3600, end: undefined};
	const billing = {
		async invoices() {
			if (isRefused) throw new Error('refused');
			return {records: [record], next: undefined, unreadable: noneUnreadable};
		},
	};
	const {signal} = new AbortController();
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only bills and clock are read
	const client = {billing, clock: {now: () => now}} as unknown as Client;
	const charged = createChargeReader({signal}, client);
	expect(await charged()).toEqual({day: 6.2, month: 6.2});
	now = midnight + 20_000;
	expect(await charged()).toEqual({day: 0, month: 6.2});
	now += 24 * 3_600_000;
	isRefused = true;
	expect(await charged()).toEqual({day: undefined, month: undefined});
});
