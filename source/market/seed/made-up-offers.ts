/** Made-up content of a market: offers of simulated hosts, and templates. */
import type {SeedListing} from './offers.ts';
import {soleAccount} from '../ledger/accounts-store.ts';
import type {Database} from '../database/database.ts';
import {
	hasMadeUpMachines,
	insertMadeUpMachines,
	lastMadeUpMachine,
} from '../lifecycle/machines-store.ts';
import {
	createSearchIndexes,
	dropSearchIndexes,
	insertOffers,
	lastOfferId,
	renewOffers,
} from '../offers/store.ts';
import {insertTemplate} from '../templates/store.ts';
import type {NewOffer} from '../database/schema.ts';
import {forgetMoment, readMoment, writeMoment} from '../database/moments.ts';
import {writing} from '../database/writing.ts';

/** Creator of the market's own templates, which is no account. */
const MARKET_ITSELF = 0;

/**
 * Makes up offers once, and renews expired ones at each start. An interrupted run is continued at the
 * next start.
 */
export async function makeUpOffers(
	database: Database,
	{offers = 0, seed = 1}: {readonly offers?: number; readonly seed?: number},
	now: number,
): Promise<void> {
	if (offers === 0) return;
	const epoch = await beginMaking(database, now);
	if (epoch === undefined) {
		return writing(database, async transaction => renewOffers(transaction, now));
	}
	const {makeListings} = await import('./offers.ts');
	const {id: accountId} = await soleAccount(database, 'host', now);
	for (const listings of batches(makeListings({seed, count: offers, epoch}), BATCH)) {
		await writing(database, async transaction => {
			await insertListings(transaction, accountId, await missing(transaction, listings));
		});
	}
	await writing(database, async transaction => {
		// Another process may have begun already.
		if ((await readMoment(transaction, MAKING)) === -Infinity) return;
		await createSearchIndexes(transaction);
		await recommend(transaction, now);
		await forgetMoment(transaction, MAKING);
	});
}

/** The time as of which offers are made; undefined if all exist. */
async function beginMaking(database: Database, now: number): Promise<number | undefined> {
	return writing(database, async transaction => {
		const begun = await readMoment(transaction, MAKING);
		if (begun > -Infinity) return begun;
		if (await hasMadeUpMachines(transaction)) return undefined;
		await writeMoment(transaction, MAKING, now);
		await dropSearchIndexes(transaction);
		return now;
	});
}

/** Name of the moment of an unfinished run. */
const MAKING = 'making offers';

/** Machines per transaction: a single transaction could exceed the database's log. */
const BATCH = 1000;

/** Machines not made by an interrupted run, by their ascending ids. */
async function missing(
	database: Database,
	listings: readonly SeedListing[],
): Promise<readonly SeedListing[]> {
	const [machineId, offerId] = [await lastMadeUpMachine(database), await lastOfferId(database)];
	return listings.filter(
		({machine, offers: [first]}) => machine.id > machineId && (first?.id ?? 0) > offerId,
	);
}

function* batches<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[]> {
	let batch: Item[] = [];
	for (const item of items) {
		batch.push(item);
		if (batch.length < size) continue;
		yield batch;
		batch = [];
	}
	if (batch.length > 0) yield batch;
}

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
		listings.flatMap(({offers}) => offers.map(offer => withVolumeSpace(offer, offers.at(-1)))),
	);
}

/** Offer with its machine's whole disk as volume space, by the largest offer, the last one. */
function withVolumeSpace(offer: NewOffer, largest = offer): NewOffer {
	return {
		...offer,
		avail_vol_ask_id: largest.id,
		avail_vol_micros: largest.storage_cost_micros,
		avail_vol_size: largest.disk_space,
	};
}

async function recommend(database: Database, now: number) {
	const {makeTemplates} = await import('./templates.ts');
	const {templateText} = await import('../templates/record-rules.ts');
	for (const template of makeTemplates()) {
		const text = templateText(template, MARKET_ITSELF);
		await insertTemplate(database, {...text, creatorId: MARKET_ITSELF, recommended: 1, now});
	}
}
