/** Listing machines on their providers' terms. Rentals keep their own. */
import type {MachineTerms} from '../../contract/nouns/machines.ts';
import {Refusal} from '../base/refusal.ts';
import {openEnd} from '../base/contract-end.ts';
import {listedAsks, listingOf, presentListing, publishedOf} from './listing-rules.ts';
import {refreshOffers} from '../lifecycle/claims-store.ts';
import {lengthenContracts, dueListings, findListing, writeListing} from './listings-store.ts';
import type {Database} from '../database/database.ts';
import type {MachineRow} from '../database/instance-tables.ts';
import type {ListingRow} from '../database/provider-tables.ts';
import {instancesOn} from '../lifecycle/instances-store.ts';
import {changeMachines, findMachine} from '../lifecycle/machines-store.ts';
import {offersOn, unlistOffers} from '../offers/store.ts';
import {writing} from '../database/writing.ts';
import {settleMachine} from '../lifecycle/claims.ts';
import {ownMachine, type NamedMachine} from '../lifecycle/own-machine.ts';
import {noteIncreases} from '../price-increases/price-increases.ts';
import {listAsks} from './publish.ts';
import {formatInstanceName, notifyAccount} from '../notifications/notify-renter.ts';

/**
 * Lists a machine of an account, or changes its terms, and returns the number of extended
 * rentals.
 *
 * @throws Refusal for a machine that is not the account's, or impossible terms
 */
export async function offerMachineOn(
	database: Database,
	accountId: number,
	terms: MachineTerms,
	now: number,
): Promise<number> {
	return writing(database, async transaction => {
		const machine = await ownMachine(transaction, {id: terms.machine, accountId});
		const before = await findListingTerms(transaction, machine, now);
		return putOnList(transaction, machine, listingOf(terms, before, now), now);
	});
}

/** Renews a machine's offers, and returns the number of extended rentals. */
export async function putOnList(
	database: Database,
	machine: MachineRow,
	listing: ListingRow,
	now: number,
): Promise<number> {
	const published = publishedOf(machine, await offersOn(database, machine.id));
	if (published === undefined) throw new Refusal('badArguments', 'Its host has published nothing.');
	if (listing.min_chunk > Math.max(1, machine.num_gpus)) {
		throw new Refusal('badArguments', `The machine has ${machine.num_gpus} GPUs.`);
	}
	await writeListing(database, listing);
	await changeMachines(database, [machine.id], {listed: 1});
	const {facts} = published;
	const asks = listedAsks(listing, published);
	await listAsks(database, machine, {facts, asks, discount: listing.discount}, now);
	await settleMachine(database, machine.id, now);
	await noteIncreases(database, machine.id, now);
	return extendRentals(database, machine.id, now);
}

/** Extends rentals to the ends of their offers, and returns their number. */
async function extendRentals(database: Database, machineId: number, now: number): Promise<number> {
	const before = new Map(
		(await instancesOn(database, machineId)).map(row => [row.id, row.end_date]),
	);
	await lengthenContracts(database, openEnd(now));
	const extended = (await instancesOn(database, machineId)).filter(
		({id, end_date: end}) => end > (before.get(id) ?? end),
	);
	for (const row of extended) {
		await notifyAccount(database, row.account_id, {
			kind: 'client:contract_extended',
			subject: `${formatInstanceName(row)} can be kept for longer`,
			message: `Its machine is offered until ${new Date(row.end_date * 1000).toISOString()}.`,
			at: now,
		});
	}
	return extended.length;
}

/** Unlists a machine, whose rentals go on, until its provider lists it again. */
export async function unlistMachine(
	database: Database,
	named: NamedMachine,
	now: number,
): Promise<void> {
	await writing(database, async transaction => {
		const machine = await ownMachine(transaction, named);
		const terms = await findListingTerms(transaction, machine, now);
		if (terms !== undefined) await takeOffList(transaction, terms, now);
	});
}

async function takeOffList(database: Database, listing: ListingRow, now: number): Promise<void> {
	if (listing.is_on === 1) await writeListing(database, {...listing, is_on: 0, since: now});
	await changeMachines(database, [listing.machine_id], {listed: 0});
	await unlistOffers(database, listing.machine_id);
	await refreshOffers(database, listing.machine_id, now);
	await noteIncreases(database, listing.machine_id, now);
}

/** Terms of a machine's listing, or of its offers without a listing. */
export async function findListingTerms(
	database: Database,
	machine: MachineRow,
	now: number,
): Promise<ListingRow | undefined> {
	const listing = await findListing(database, machine.id);
	return listing ?? presentListing(machine, await offersOn(database, machine.id), now);
}

/**
 * Sets the least bid of a machine's offers. Running instances keep running.
 *
 * @throws Refusal for an unlisted machine
 */
export async function setPriceFloor(
	database: Database,
	named: NamedMachine,
	{price, now}: {readonly price: number; readonly now: number},
): Promise<void> {
	await writing(database, async transaction => {
		const machine = await ownMachine(transaction, named);
		if (machine.listed === 0) throw new Refusal('badArguments', 'The machine is not listed.');
		const before = await findListingTerms(transaction, machine, now);
		const terms: MachineTerms = {machine: machine.id, price_min_bid: price};
		await putOnList(transaction, machine, listingOf(terms, before, now), now);
	});
}

/** Ends expired listings, and extends those whose duration is renewed each day. */
export async function keepListings(database: Database, now: number): Promise<void> {
	for (const {machine_id: id} of await dueListings(database, now).execute()) {
		await writing(database, async transaction => {
			const [listing, machine] = [
				await findListing(transaction, id),
				await findMachine(transaction, id),
			];
			if (listing?.is_on !== 1 || machine === undefined) return;
			const {rolling_seconds: rolling, end_date: end} = listing;
			if (rolling !== null) {
				await putOnList(transaction, machine, {...listing, end_date: now + rolling}, now);
			} else if (end !== null && end <= now) {
				await takeOffList(transaction, listing, now);
			}
		});
	}
}
