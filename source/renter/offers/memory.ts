/** Stored results, so that a start shows something before the service has replied. */
import {isFieldOf, type FieldType} from '../../contract/grammar/filter.ts';
import {searchableOffers, type OfferSearch} from '../../contract/nouns/offer-search.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {openFileWriter} from '../../client/files/files.ts';
import {readKeptJson} from '../files/kept-file.ts';

/** Most offers, enough to fill a screen; reading more would delay the first frame. */
const MOST_OFFERS = 60;

/** Result of a search, and its time in milliseconds since 1970. */
export type KeptResult = {readonly offers: readonly Offer[]; readonly at: number};

export type Memory = {
	/** Last result of a search; undefined if none is kept. */
	readonly recall: (service: string, search: OfferSearch) => KeptResult | undefined;
	readonly remember: (service: string, search: OfferSearch, result: KeptResult) => Promise<void>;
};

/** Keeps the last list of offers in a file. A missing or broken file is harmless. */
export function openMemory(file: string): Memory {
	const write = openFileWriter(file);
	return {
		recall(service, search) {
			const kept = readKeptJson(file);
			if (!isRecord(kept) || kept['of'] !== searchName(service, search)) return undefined;
			const {at, offers} = kept;
			if (typeof at !== 'number' || !Array.isArray(offers)) return undefined;
			return {at, offers: offers.flatMap(readOffer)};
		},
		async remember(service, search, {offers, at}) {
			const kept = {of: searchName(service, search), at, offers: offers.slice(0, MOST_OFFERS)};
			await write(() => JSON.stringify(kept));
		},
	};
}

function searchName(service: string, search: OfferSearch): string {
	return JSON.stringify([service, search]);
}

/** Types of values that are no text. */
const typeNames: Partial<Record<FieldType, string>> = {
	number: 'number',
	flag: 'number',
	boolean: 'boolean',
};

/** A kept offer: its fields that still have their type. */
function readOffer(kept: unknown): Offer[] {
	if (!isRecord(kept) || typeof kept['id'] !== 'number') return [];
	const offer: Offer = {id: kept['id']};
	for (const field in kept) {
		if (!isFieldOf(searchableOffers.fields, field)) continue;
		const type = searchableOffers.fields[field];
		const expected = typeNames[type] ?? 'string';
		if (typeof kept[field] === expected) Object.assign(offer, {[field]: kept[field]});
	}
	return [offer];
}

/** True if a result comes from an earlier run of the program. */
export function isFromLastTime(at: number): boolean {
	return at !== 0 && at < performance.timeOrigin;
}
