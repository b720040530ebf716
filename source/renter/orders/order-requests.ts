import type {Client} from '../../client/client.ts';
import {FilterError, parseFilter, type Filter} from '../../contract/grammar/filter.ts';
import {
	searchableOffers,
	anyOffers,
	DEFAULT_DISK_GB,
	type OfferField,
	type OfferSearch,
} from '../../contract/nouns/offer-search.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import type {TemplateSearch} from '../../contract/nouns/template-search.ts';
import type {Template} from '../../contract/nouns/templates.ts';
import {findUsableKeys, newKeyFile} from '../connect/keys.ts';
import {searchForOffer, readOwnMachines} from '../offers/search.ts';
import {passes, sourcesOf} from '../offers/local-filter.ts';
import {firstRecord} from '../text/unreadable.ts';
import type {Priced, RentFacts} from './rent-facts.ts';

/** The present offer; undefined if it can no longer be rented. */
export async function readOffer(client: Client, id: number): Promise<Priced | undefined> {
	const {offers, unreadable} = await client.offers.search(searchForOffer(id));
	const offer = firstRecord(`find offer ${id}`, offers, unreadable);
	// No disk size is requested: offers with too small a disk would be left out, and seem to be
	// gone.
	return offer === undefined || offer.rentable === false
		? undefined
		: {offer, pricedGb: DEFAULT_DISK_GB};
}

export async function findTemplate(client: Client, hash: string): Promise<Template | undefined> {
	const filter = [{field: 'hash_id', operator: 'eq', value: hash}] as const;
	return theTemplate(client, filter);
}

/** The present version of a template: an edit changes its hash. */
export async function presentTemplate(
	client: Client,
	{id, hash_id: hash}: Template,
): Promise<Template | undefined> {
	if (typeof id !== 'number') return findTemplate(client, hash);
	const filter = [{field: 'id', operator: 'eq', value: id}] as const;
	return theTemplate(client, filter);
}

async function theTemplate(
	client: Client,
	filter: TemplateSearch['filter'],
): Promise<Template | undefined> {
	const {templates, unreadable} = await client.templates.search({filter});
	return firstRecord('find the template', templates, unreadable);
}

/** Searches for the cheapest of the machines that a template requires. */
export function searchForTemplate({extra_filters: filters}: Template, diskGb: number): OfferSearch {
	return {
		...anyOffers,
		filter: [
			...wantedMachines(filters ?? {}),
			{field: 'verified', operator: 'eq', value: true},
			{field: 'rentable', operator: 'eq', value: true},
		],
		order: [['dph_total', 'asc']],
		limit: 1,
		diskGb,
	};
}

/**
 * Filter for the machines that a template requires. Unknown conditions are dropped: the service
 * ignores them, too.
 */
function wantedMachines(filters: Readonly<Record<string, unknown>>): Filter<OfferField> {
	try {
		return parseFilter({fields: searchableOffers.fields}, filters);
	} catch (error) {
		if (error instanceof FilterError) return [];
		throw error;
	}
}

type Proposal = {
	readonly template: Template;
	readonly why: NonNullable<RentFacts['proposed']>;
};

/**
 * The template for a user who chose none: the last used, else a recommended one that fits the
 * offer.
 */
export async function proposeTemplate(
	client: Client,
	{offer, lastUsed}: {readonly offer: Offer; readonly lastUsed: string | undefined},
): Promise<Proposal | undefined> {
	const last = lastUsed === undefined ? undefined : await findTemplate(client, lastUsed);
	if (last !== undefined) return {template: last, why: 'last used'};
	const {templates} = await client.templates.search({
		filter: [{field: 'recommended', operator: 'eq', value: true}],
	});
	const template = templates.find(one => fits(one, offer));
	return template && {template, why: 'recommended'};
}

/** True unless a known fact of an offer contradicts a template. */
function fits({extra_filters: filters, recommended_disk_space: disk}: Template, offer: Offer) {
	const known = wantedMachines(filters ?? {}).filter(({field}) =>
		sourcesOf(field).every(source => (offer[source] ?? undefined) !== undefined),
	);
	const hasEnoughDisk = typeof offer.disk_space !== 'number' || (disk ?? 0) <= offer.disk_space;
	return hasEnoughDisk && passes(known, offer);
}

type Environment = Parameters<typeof findUsableKeys>[0];
type Around = Pick<
	RentFacts,
	'account' | 'sshKeys' | 'localKeys' | 'newKeyFile' | 'volumes' | 'own'
>;

/** Reads facts beside the offer. Facts that the key may not read stay unknown. */
export async function readAround(
	{environment}: {readonly environment: Environment},
	client: Client,
	{withVolumes, withMachines}: {readonly withVolumes: boolean; readonly withMachines?: boolean},
): Promise<Around> {
	const [account, sshKeys, localKeys, file, volumes, own] = await Promise.all([
		unlessRefused(client.account.current()),
		unlessRefused(client.sshKeys.list()),
		findUsableKeys(environment),
		newKeyFile(environment),
		withVolumes ? unlessRefused(client.volumes.list()) : undefined,
		withMachines === true ? readOwnMachines(client) : undefined,
	]);
	const isEmptyOnlyToUs = sshKeys?.keys.length === 0 && sshKeys.unreadable.count > 0;
	return {
		account,
		// An empty list proves nothing if keys in it could not be read.
		sshKeys: isEmptyOnlyToUs ? undefined : sshKeys?.keys,
		localKeys,
		newKeyFile: file,
		// An unreadable volume may be the one to mount.
		volumes: volumes?.unreadable.count === 0 ? volumes.volumes : undefined,
		own,
	};
}

async function unlessRefused<Value>(question: Promise<Value>): Promise<Value | undefined> {
	try {
		return await question;
	} catch {
		// A missing fact is shown next to its field, and stops no rental.
		return undefined;
	}
}
