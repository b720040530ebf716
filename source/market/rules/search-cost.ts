/** Which searches an index answers at once, and which have to look at every offer. */
import {DEFAULT_DISK_GB, type OfferField, type OfferSearch} from '../../contract/offer-search.ts';

/** What the indexes hold beside the key that they sort by: `migrations/0002-offers.ts`. */
const tested: ReadonlySet<OfferField> = new Set([
	'rentable',
	'verified',
	'num_gpus',
	'end_date',
	'gpu_name',
]);

/** Fields of which one value is that of few offers. */
const narrow: ReadonlySet<OfferField> = new Set(['id', 'ask_contract_id', 'machine_id']);

function isNarrow({filter}: OfferSearch): boolean {
	return filter.some(({field, operator}) => operator === 'eq' && narrow.has(field));
}

/**
 * Whether an index has the offers in the order that is asked for, with all that is tested: then it
 * is read from its beginning until there are enough.
 */
export function followsIndex(search: OfferSearch): boolean {
	const {filter, leastReliability} = search;
	if (isNarrow(search) || leastReliability !== undefined || !isIndexed(search)) return false;
	return filter.every(
		({field, operator}) => tested.has(field) && (field !== 'gpu_name' || operator === 'eq'),
	);
}

function isIndexed({order: [first], pricing, diskGb}: OfferSearch): boolean {
	const [field] = first ?? ['score'];
	if (diskGb !== undefined && diskGb !== DEFAULT_DISK_GB) return false;
	if (field === 'score') return true;
	return pricing !== 'bid' && (field === 'dph_total' || field === 'dlperf_per_dphtotal');
}
