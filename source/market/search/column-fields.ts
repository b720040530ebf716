/** What the field of a search is in columns; `rules/search-fields.ts` is the twin for SQL. */
import type {FieldType} from '../../contract/filter.ts';
import {searchableOffers, type OfferField} from '../../contract/offer-search.ts';
import {HOURS_PER_MONTH} from '../../contract/units.ts';
import {MICROS_PER_DOLLAR} from '../rules/pricing.ts';
import {isDefault, type SearchTerms} from '../rules/search-fields.ts';
import type {NumberColumn, TextColumn} from './column.ts';
import type {NumberName, OfferColumns, TextName} from './offer-columns.ts';

export type ColumnTerms = SearchTerms;

/** Where the values of a field come from. NaN is what is not known. */
export type FieldSource =
	| {readonly number: NumberColumn}
	| {readonly compute: (row: number) => number}
	| {readonly text: TextColumn; readonly type: FieldType; readonly country?: TextColumn};

export function fieldOf(
	{numbers, texts}: OfferColumns,
	field: OfferField,
	terms: ColumnTerms,
): FieldSource {
	if (isText(field)) {
		const type = searchableOffers.fields[field];
		return field === 'geolocation'
			? {text: texts[field], type, country: texts.country}
			: {text: texts[field], type};
	}
	if (field === 'gpu_name') return {text: texts.gpu_key, type: 'name'};
	if (isPlain(field)) return {number: numbers[field]};
	const kept = isDefault(terms) ? keptPrices.get(field) : undefined;
	if (kept !== undefined) return {number: numbers[kept]};
	return {compute: computedFields[field](numbers, terms)};
}

/** Prices on usual terms that are kept with an offer. */
const keptPrices: ReadonlyMap<OfferField, NumberName> = new Map([
	['dph_total', 'default_dph_total'],
	['dlperf_per_dphtotal', 'default_dlperf_per_dph'],
	['flops_per_dphtotal', 'default_flops_per_dph'],
]);

type TextField = Extract<OfferField, TextName>;
type PlainField = Extract<OfferField, NumberName>;
type ComputedField = Exclude<OfferField, TextField | PlainField | 'gpu_name'>;

function isText(field: OfferField): field is TextField {
	const type = searchableOffers.fields[field];
	return type === 'text' || type === 'place';
}

function isPlain(field: Exclude<OfferField, TextField | 'gpu_name'>): field is PlainField {
	return !Object.hasOwn(computedFields, field);
}

type Numbers = OfferColumns['numbers'];

/** The same steps in the same order as the database takes them: its numbers are these, bit for bit. */
const computedFields: Readonly<
	Record<ComputedField, (numbers: Numbers, terms: ColumnTerms) => (row: number) => number>
> = {
	ask_contract_id:
		({id}) =>
		row =>
			id.get(row),
	driver_version:
		({driver_vers: version}) =>
		row =>
			version.get(row),
	datacenter:
		({hosting_type: hosting}) =>
		row => {
			const type = hosting.get(row);
			return Number.isNaN(type) ? type : Number(type === 1);
		},
	duration:
		({end_date: end}, {now}) =>
		row =>
			end.get(row) - now,
	min_bid: numbers => dollars(numbers.min_bid_micros),
	storage_cost: numbers => dollars(numbers.storage_cost_micros),
	inet_up_cost: numbers => dollars(numbers.inet_up_cost_micros),
	inet_down_cost: numbers => dollars(numbers.inet_down_cost_micros),
	storage_total_cost: diskHour,
	dph_base: (numbers, {pricing}) => dollars(baseOf(numbers, pricing)),
	dph_total: totalHour,
	dlperf_per_dphtotal(numbers, terms) {
		const total = totalHour(numbers, terms);
		return row => ratio(numbers.dlperf.get(row), total(row));
	},
	flops_per_dphtotal(numbers, terms) {
		const total = totalHour(numbers, terms);
		return row => ratio(numbers.total_flops.get(row), total(row));
	},
	vram_costperhour(numbers, terms) {
		const total = totalHour(numbers, terms);
		return row => ratio(total(row), numbers.gpu_total_ram.get(row));
	},
};

function baseOf(numbers: Numbers, pricing: ColumnTerms['pricing']): NumberColumn {
	return pricing === 'bid' ? numbers.min_bid_micros : numbers.dph_base_micros;
}

function dollars(column: NumberColumn): (row: number) => number {
	return row => column.get(row) / MICROS_PER_DOLLAR;
}

function diskHour({storage_cost_micros: cost}: Numbers, {diskGb}: ColumnTerms) {
	return (row: number) => ((cost.get(row) / MICROS_PER_DOLLAR) * diskGb) / HOURS_PER_MONTH;
}

function totalHour(numbers: Numbers, terms: ColumnTerms) {
	const base = baseOf(numbers, terms.pricing);
	const disk = diskHour(numbers, terms);
	return (row: number) => base.get(row) / MICROS_PER_DOLLAR + disk(row);
}

function ratio(value: number, by: number): number {
	return by === 0 ? Number.NaN : value / by;
}
