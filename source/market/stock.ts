/** What a market has of its own making: offers of hosts that are simulated, and templates. */
import type {SeedListing} from './seed/offers.ts';
import {soleAccount} from './store/accounts.ts';
import type {Database} from './store/database.ts';
import {hasMadeUpMachines, insertMadeUpMachines} from './store/machines.ts';
import {insertOffers, renewOffers} from './store/offers.ts';
import {insertTemplate} from './store/templates.ts';

/** No account has this number. */
const MARKET_ITSELF = 0;

/** Makes up offers, once; when the database is opened again, those whose time is up begin anew. */
export async function stock(
	database: Database,
	{offers = 0, seed = 1}: {readonly offers?: number; readonly seed?: number},
	now: number,
): Promise<void> {
	if (offers === 0) return;
	if (await hasMadeUpMachines(database)) return renewOffers(database, now);
	const {makeListings} = await import('./seed/offers.ts');
	const {id: accountId} = await soleAccount(database, 'host', now);
	await database.transaction().execute(async transaction => {
		// Another process may have been faster.
		if (await hasMadeUpMachines(transaction)) return;
		for (const listings of batches(makeListings({seed, count: offers, epoch: now}), BATCH)) {
			await insertListings(transaction, accountId, listings);
		}
		await recommend(transaction, now);
	});
}

/** How many machines are made at once: all of them may be more than fit into memory. */
const BATCH = 100;

function* batches<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[]> {
	let batch: Item[] = [];
	for (const item of items) {
		batch.push(item);
		if (batch.length < size) continue;
		yield batch;
		batch = [];
	}
	yield batch;
}

/** Puts machines that were made up, and their offers, under the account of their hosts. */
async function insertListings(
	database: Database,
	accountId: number,
	listings: readonly SeedListing[],
): Promise<void> {
	const machines = listings.map(({machine}) => ({
		...machine,
		account_id: accountId,
		name: `simulated ${machine.id}`,
	}));
	await insertMadeUpMachines(database, machines);
	await insertOffers(
		database,
		listings.flatMap(({offers}) => offers),
	);
}

/** Puts templates beside the offers that were made up. Their creator is the market itself. */
async function recommend(database: Database, now: number) {
	const {makeTemplates} = await import('./seed/templates.ts');
	const {templateText} = await import('./rules/template-record.ts');
	for (const template of makeTemplates()) {
		const text = templateText(template, MARKET_ITSELF);
		await insertTemplate(database, {...text, creatorId: MARKET_ITSELF, recommended: 1, now});
	}
}
