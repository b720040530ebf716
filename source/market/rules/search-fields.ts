/** What a field of an offer search is in the database. Prices have their formulas in `pricing.ts`. */
import {sql, type RawBuilder} from 'kysely';
import {searchableOffers, DEFAULT_DISK_GB, type OfferField} from '../../contract/offer-search.ts';
import type {OfferColumn} from '../store/schema.ts';
import type {PriceTerms} from './pricing.ts';

export type SearchTerms = PriceTerms & {readonly now: number};

/** Its value in the form in which values of its type are compared. */
export function fieldSql(field: OfferField, terms: SearchTerms): RawBuilder<unknown> {
	if (isDerived(field)) return derived[field](terms);
	const type = searchableOffers.fields[field];
	return type === 'text' || type === 'place' ? sql`lower(${column(field)})` : column(field);
}

/** The two letters with which places are compared. */
export const countrySql = column('country');

/** What searches never show: offers that are not sold, or no longer. */
export function isSoldSql({pricing, now}: SearchTerms): ReadonlyArray<RawBuilder<unknown>> {
	const sold = [sql`listed = 1`, sql`(end_date is null or end_date > ${now})`];
	return pricing === 'bid' ? [...sold, sql`min_bid_micros is not null`] : sold;
}

/** The last key of every order, which settles what the others leave open. */
export function tieSql(
	firstField: OfferField | undefined,
	terms: SearchTerms,
): RawBuilder<unknown> {
	const hasIndex =
		firstField === undefined ||
		firstField === 'score' ||
		(isDefault(terms) && (firstField === 'dph_total' || firstField === 'dlperf_per_dphtotal'));
	// SQLite takes `id` for a reason to walk an index that sorts by something else, row by row.
	return hasIndex ? sql`id` : sql`id + 0`;
}

const derived = {
	ask_contract_id: () => column('id'),
	datacenter: () => sql`case when hosting_type = 1 then 1 when hosting_type is not null then 0 end`,
	gpu_name: () => column('gpu_key'),
	driver_version: () => column('driver_vers'),
	duration: ({now}) => sql`(end_date - ${now})`,
	min_bid: () => dollars('min_bid_micros'),
	storage_cost: () => dollars('storage_cost_micros'),
	inet_up_cost: () => dollars('inet_up_cost_micros'),
	inet_down_cost: () => dollars('inet_down_cost_micros'),
	storage_total_cost: ({diskGb}) => diskHour(diskGb),
	dph_base: ({pricing}) => base(pricing),
	dph_total: total,
	dlperf_per_dphtotal: terms =>
		isDefault(terms)
			? column('default_dlperf_per_dph')
			: sql`(dlperf / nullif(${total(terms)}, 0))`,
	flops_per_dphtotal: terms =>
		isDefault(terms)
			? column('default_flops_per_dph')
			: sql`(total_flops / nullif(${total(terms)}, 0))`,
	vram_costperhour: terms => sql`(${total(terms)} / nullif(gpu_total_ram, 0))`,
} as const satisfies Partial<Record<OfferField, (terms: SearchTerms) => RawBuilder<unknown>>>;

function isDerived(field: OfferField): field is keyof typeof derived {
	return Object.hasOwn(derived, field);
}

function total(terms: SearchTerms): RawBuilder<unknown> {
	if (isDefault(terms)) return column('default_dph_total');
	return sql`(${base(terms.pricing)} + ${diskHour(terms.diskGb)})`;
}

/** Prices on these terms are kept with the offer, where indexes find them. */
export function isDefault({pricing, diskGb}: SearchTerms): boolean {
	return pricing !== 'bid' && diskGb === DEFAULT_DISK_GB;
}

function base(pricing: SearchTerms['pricing']): RawBuilder<unknown> {
	return dollars(pricing === 'bid' ? 'min_bid_micros' : 'dph_base_micros');
}

function diskHour(diskGb: number): RawBuilder<unknown> {
	return sql`(${dollars('storage_cost_micros')} * ${diskGb} / 720.0)`;
}

function dollars(micros: OfferColumn & `${string}_micros`): RawBuilder<unknown> {
	return sql`(cast(${column(micros)} as double precision) / 1000000.0)`;
}

function column(name: OfferColumn): RawBuilder<unknown> {
	return sql.raw(name);
}
