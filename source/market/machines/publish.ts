/** Publishing machines with their asks, and withdrawing them. */
import type {Publication} from '../../contract/nouns/hosts.ts';
import type {WorkSignal} from '../base/work-signal.ts';
import {Refusal} from '../base/refusal.ts';
import {
	checkPublication,
	keptMarketFields,
	newMarketFields,
	buildOffer,
} from './publication-rules.ts';
import {lastTestAt} from '../machine-tests/store.ts';
import {trustOf} from '../reliability/rules.ts';
import {planTest} from '../reliability/store.ts';
import {listedAsks} from './listing-rules.ts';
import {afterPublication, testPortOf} from './reach-rules.ts';
import {noteReach} from './reach-store.ts';
import {readPayer} from '../ledger/accounts-store.ts';
import {refreshOffers} from '../lifecycle/claims-store.ts';
import type {Database} from '../database/database.ts';
import {maskOf} from '../base/gpu-mask.ts';
import type {MachineRow} from '../database/instance-tables.ts';
import {areElsewhere, findOfferedGpus, holdersOf, noteGpus} from './gpus-store.ts';
import {listingNamed} from './listings-store.ts';
import {changeMachines, findMachineNamed, offerMachine} from '../lifecycle/machines-store.ts';
import {changeOffer, insertOffers, lastOfferId, offersOn, unlistOffers} from '../offers/store.ts';
import type {NewOffer} from '../database/schema.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {settleMachine} from '../lifecycle/claims.ts';
import {fitDefaultJob} from '../default-jobs/default-jobs.ts';
import {ownMachine} from '../lifecycle/own-machine.ts';
import {noteIncreases} from '../price-increases/price-increases.ts';
import {writing, writingOn} from '../database/writing.ts';
import {DAY} from '../../contract/rules/durations.ts';

type Publishing = {readonly database: Database; readonly workSignal: WorkSignal};

/**
 * Publishes a machine of an account, or changes to it. Rentals stay as they are.
 *
 * @throws Refusal for impossible GPUs, for too many machines, and for an account that can only
 * rent
 */
export async function publishMachine(
	{database, workSignal}: Publishing,
	accountId: number,
	publication: Publication,
	now: number,
): Promise<MachineRow> {
	checkPublication(publication);
	const {name, facts, busy_gpus: busy} = publication;
	const known = await findMachineNamed(database, accountId, name);
	const write = async (transaction: Database, isAlone: boolean) => {
		// It may have been removed meanwhile, or published by another agent.
		const present = await findMachineNamed(transaction, accountId, name);
		if (!isAlone && (present === undefined || present.id !== known?.id)) throw new NeedsNumbers();
		if ((await readPayer(transaction, accountId)).kind === 'renter') {
			throw new Refusal('lacksPermission', 'This account is for renting: it offers no machines.');
		}
		const {name: _, ...kept} = publication;
		const listing = await listingNamed(transaction, {account_id: accountId, name});
		const published = await offerMachine(transaction, {
			account_id: accountId,
			name,
			num_gpus: facts.num_gpus,
			busy_mask: busy.length === 0 ? 0 : maskOf(busy),
			listed: listing?.is_on ?? 1,
			publication: JSON.stringify(kept),
		});
		await refuseTooMany(transaction, 'machine', {accountId, now});
		await claimNames(transaction, published, {uuids: publication.gpu_uuids ?? [], isAlone, now});
		const checks = afterPublication(present, testPortOf(publication), now);
		await noteReach(transaction, published.id, checks);
		// The listing's prices count, not those of the host's configuration.
		const asks = listing === undefined ? publication.asks : listedAsks(listing, publication);
		const discount = listing?.discount;
		const machine = {...published, ...checks};
		await listAsks(transaction, machine, {facts, asks, discount, isAlone}, now);
		await fitDefaultJob(transaction, published.id, now);
		await settleMachine(transaction, published.id, now);
		await noteIncreases(transaction, published.id, now);
		return published;
	};
	const held = {machines: known === undefined ? [] : [known.id]};
	const machine = await writingOn(database, held, async transaction =>
		write(transaction, false),
	).catch(async (error: unknown) => {
		if (!(error instanceof NeedsNumbers)) throw error;
		return writing(database, async transaction => write(transaction, true));
	});
	// An instance may have waited for GPUs that are no longer busy.
	workSignal.send(accountId);
	return machine;
}

/**
 * Thrown to repeat the write with an exclusive lock, which new ids of offers and other machines
 * need.
 */
class NeedsNumbers extends Error {}

type Claim = {readonly uuids: readonly string[]; readonly isAlone: boolean; readonly now: number};

/**
 * Records the permanent identifiers of a machine's GPUs. GPUs of another machine that is silent or
 * removed move
 * to this one, and the other is no longer offered.
 *
 * @throws Refusal for GPUs that another machine of the account offers
 */
async function claimNames(
	database: Database,
	machine: MachineRow,
	{uuids, isAlone, now}: Claim,
): Promise<void> {
	const names = [...new Set(uuids)].toSorted();
	if ((await findOfferedGpus(database, machine.id)).join() === names.join()) return;
	// Two machines of an account may claim the same GPUs at once.
	if (!isAlone) throw new NeedsNumbers();
	const others = await holdersOf(database, machine, names);
	const other = others.find(({contact, removed_at: end}) => contact === 'heard' && end === null);
	if (other !== undefined) {
		const {uuid, name, id} = other;
		throw new Refusal(
			'badArguments',
			`The GPU ${uuid} is offered already, as machine ${id}, ${name}. End its agent, or offer it there.`,
		);
	}
	for (const {id} of others) {
		await noteGpus(database, {...machine, id}, []);
		await changeMachines(database, [id], {listed: 0});
		await unlistOffers(database, id);
		await refreshOffers(database, id, now);
	}
	await noteGpus(database, machine, names);
	if (await areElsewhere(database, machine, names)) {
		// At most once a day: otherwise claimed GPU names could keep another provider's machine in
		// tests all day.
		const last = (await lastTestAt(database, machine.id)) ?? -Infinity;
		const due = Math.min(Math.max(now, last + DAY), machine.test_due_at ?? Infinity);
		await planTest(database, machine.id, due);
	}
}

type NewAsks = Pick<Publication, 'facts' | 'asks'> & {
	/** Highest discount for paying ahead; undefined if unchanged. */
	readonly discount?: number | undefined;
	/** @default true */
	readonly isAlone?: boolean;
};

/** Writes asks as offers. A known ask, by its GPUs, keeps its id. */
export async function listAsks(
	database: Database,
	machine: MachineRow,
	{facts, asks, discount, isAlone = true}: NewAsks,
	now: number,
): Promise<void> {
	const offers = await offersOn(database, machine.id);
	const known = new Map(offers.map(row => [row.gpu_mask, row]));
	const sibling = offers.find(({listed}) => listed === 1) ?? offers[0];
	const terms = {
		...trustOf(machine),
		...(discount !== undefined && {credit_discount_max: discount}),
	};
	const lastId = await lastOfferId(database);
	const added: NewOffer[] = [];
	const kept: number[] = [];
	for (const ask of asks) {
		const before = known.get(maskOf(ask.gpu_ids));
		if (before === undefined) {
			const part = {machineId: machine.id, gpus: ask.gpu_ids.length, now};
			const ofMarket = {...newMarketFields(part, sibling), ...terms};
			added.push(buildOffer({id: lastId + added.length + 1, machine, facts, ask, ofMarket, now}));
		} else {
			const ofMarket = {...keptMarketFields(before, now), ...terms};
			await changeOffer(database, buildOffer({id: before.id, machine, facts, ask, ofMarket, now}));
			kept.push(before.id);
		}
	}
	if (added.length > 0 && !isAlone) throw new NeedsNumbers();
	await unlistOffers(database, machine.id, kept);
	await insertOffers(database, added);
}

/**
 * Withdraws a machine, whose rentals go on until their renters end them.
 *
 * @throws Refusal if the account has no such machine
 */
export async function withdrawMachine(
	database: Database,
	machine: {readonly id: number; readonly accountId: number},
	now: number,
): Promise<void> {
	await writingOn(database, {machines: [machine.id]}, async transaction => {
		await ownMachine(transaction, machine);
		await changeMachines(transaction, [machine.id], {listed: 0});
		await unlistOffers(transaction, machine.id);
		await refreshOffers(transaction, machine.id, now);
	});
}
