import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {settingsWithIds} from '../../../helpers/settings-store.ts';
import {openTestMarketFile} from '../../../helpers/market/instances.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {waitFor} from '../../../helpers/wait-for.ts';

const now = () => new Date(2026, 10, 21, 12, 30);

/** A list at half past twelve, of which the offer at the cursor was rented twenty minutes ago. */
async function openRented() {
	const market = await openTestMarketFile({offers: 60});
	const folder = mkdtempSync(join(tmpdir(), 'rentty-journal-'));
	const journalFile = join(folder, 'journal');
	const service = {...market, journalFile};
	const rentty = openTestConsole({service, now, settings: settingsWithIds()});
	await rentty.sees('1 of ');
	const id = Number(/\d{8}/.exec(await rentty.shown())?.[0]);
	const at = new Date(now().getTime() - 20 * 60_000).toISOString();
	const lines = [
		{kind: 'wish', request: 'a', at, action: 'instances.create', target: id},
		{kind: 'answer', request: 'a', at, outcome: 'done', instance: 7},
	];
	const write = (...more: readonly object[]) =>
		writeFileSync(
			journalFile,
			[...lines, ...more].map(line => `${JSON.stringify(line)}\n`).join(''),
		);
	write();
	return {
		market,
		rentty,
		id,
		at,
		write,
		/** Asks again until the list is so: a key during a search that is under way joins it, and begins none. */
		async lists(what: RegExp) {
			await waitFor(async () => {
				rentty.type('R');
				const listed = async () => expect(await rentty.shown()).toMatch(what);
				await vi.waitFor(listed, {timeout: 5000, interval: 10});
			});
		},
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
			rmSync(folder, {recursive: true});
		},
	};
}

test('an offer that one has rented oneself is called so, and not gone to somebody else', async () => {
	await using world = await openRented();
	const {rentty, market, id} = world;
	await market.database.updateTable('offers').set({rentable: 0}).where('id', '=', id).execute();
	rentty.type('\r');
	await rentty.sees(new RegExp(`Offers > ${id}.* yours, rented 20 min ago`));
});

test('the list leaves out what one has rented, also where the service still lists it', async () => {
	await using world = await openRented();
	const {rentty, id, at, write} = world;
	await world.lists(/1 of 34/);
	expect(await rentty.shown()).not.toContain(String(id));
	write(
		{kind: 'wish', request: 'b', at, action: 'instances.destroy', target: 7},
		{kind: 'answer', request: 'b', at, outcome: 'gone'},
	);
	await world.lists(/ of 35/);
});
