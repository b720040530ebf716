/** Offer record for callers, made from an offer's row. */
import type {Scalar} from '../../contract/grammar/filter.ts';
import {lower} from '../../contract/grammar/filter-match.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import type {OfferTableColumn, OfferFacts} from '../database/schema.ts';
import {timeLeft} from '../base/contract-end.ts';
import {
	constantFields,
	flagNames,
	plainNames,
	vericodes,
	type FlagName,
	type PlainName,
} from './table-rules.ts';
import {
	gbHour,
	priceColumns,
	pricesOf,
	type OfferPrices,
	type PriceTerms,
} from './pricing-rules.ts';

export type OfferView = PriceTerms & {readonly now: number};

export type OfferRecorder = {
	/** Columns that rows must have. */
	readonly columns: readonly OfferTableColumn[];
	readonly record: (row: RecordedRow) => Offer;
};

export type RecordedRow = {readonly id: number; readonly driver_vers: number | null} & OfferFacts;

/** Makes records with the named fields, or all. Unknown names are ignored. */
export function offerRecorder(
	fields: readonly string[] | undefined,
	view: OfferView,
): OfferRecorder {
	const names = fields && new Set(['id', ...fields]);
	const own = [...readers].filter(([name]) => names?.has(name) ?? true);
	const priced = priceNames.filter(name => names?.has(name) ?? true);
	const columns = [
		...own.flatMap(([, {needs}]) => needs),
		...(priced.length > 0 ? priceColumns : []),
	];
	// Copying an object with all fields is faster than adding fields one by one.
	const blank = Object.fromEntries(
		[...own.map(([name]) => name), ...priced].map(name => [name, null]),
	);
	return {
		columns: [...new Set(columns)],
		record: row => {
			const record: {id: number; [field: string]: unknown} = {...blank, id: row.id};
			for (const [name, {read}] of own) record[name] = read(row, view);
			if (priced.length === 0) return record;
			const prices = pricesOf(row, view);
			for (const name of priced) record[name] = prices[name];
			return record;
		},
	};
}

type Reader = {
	readonly needs: readonly OfferTableColumn[];
	readonly read: (row: RecordedRow, view: OfferView) => unknown;
};

export const priceNames = [
	'dph_base',
	'dph_total',
	'dph_total_adj',
	'min_bid',
	'is_bid',
	'storage_cost',
	'storage_total_cost',
	'vram_costperhour',
	'dlperf_per_dphtotal',
	'flops_per_dphtotal',
	'inet_up_cost',
	'inet_down_cost',
	'internet_up_cost_per_tb',
	'internet_down_cost_per_tb',
	'credit_discount_max',
	'discount_rate',
	'discounted_hourly',
	'discounted_dph_total',
	'search',
	'instance',
] as const satisfies ReadonlyArray<keyof OfferPrices>;

const derived: Readonly<Record<string, Reader>> = {
	ask_contract_id: {needs: ['id'], read: row => row.id},
	gpu_ids: {needs: ['gpu_ids'], read: ({gpu_ids}) => (gpu_ids === null ? null : readJson(gpu_ids))},
	// Left out if unknown, as for most hosts.
	isolation: {needs: ['isolation'], read: row => row.isolation ?? undefined},
	measured: {
		needs: ['measured'],
		read: ({measured}) => (measured === null ? undefined : readJson(measured)),
	},
	avail_vol_dph: {needs: ['avail_vol_micros'], read: row => gbHour(row.avail_vol_micros)},
	reliability2: {needs: ['reliability'], read: row => row.reliability},
	vericode: {needs: ['verification'], read: row => vericodeOf(row.verification)},
	duration: {
		needs: ['end_date'],
		read: ({end_date}, {now}) => timeLeft(end_date, now),
	},
	// Texts about the time left; existing services leave them empty, too.
	time_remaining: {needs: [], read: () => ''},
	time_remaining_isbid: {needs: [], read: () => ''},
};

/** Constant fields that clients expect. */
export const constants: Readonly<Record<string, Scalar>> = {...constantFields, rn: 1};

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
	...plainNames.map(name => [name, columnReader(name)] as const),
	...flagNames.map(name => [name, flagReader(name)] as const),
	...Object.entries(derived),
	...Object.entries(constants).map(
		([name, value]) => [name, {needs: [], read: () => value}] as const,
	),
]);

export const factNames: readonly string[] = [...readers.keys()];

function vericodeOf(verification: string | null): number | null {
	const code = verification === null ? -1 : vericodes.indexOf(lower(verification));
	return code === -1 ? null : code;
}

function columnReader(name: PlainName): Reader {
	return {needs: [name], read: row => row[name]};
}

function flagReader(name: FlagName): Reader {
	return {needs: [name], read: row => (row[name] === null ? null : row[name] === 1)};
}

function readJson(text: string): unknown {
	return JSON.parse(text);
}
