/** Search fields in column storage: the fields of `table-rules.ts` as functions of a row. */
import type {OfferField} from '../../contract/nouns/offer-search.ts';
import {HOURS_PER_MONTH} from '../../contract/nouns/offer-cost.ts';
import {
	sourceOf,
	type Arithmetic,
	type Constant,
	type NumberName,
	type SearchTerms,
	type TextName,
} from './table-rules.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import type {NumberColumn, TextColumn, OfferColumns} from './column.ts';

/** Number of a row. NaN is unknown. */
export type RowNumber = (row: number) => number;

export type FieldSource =
	| {readonly number: NumberColumn}
	| {readonly text: TextColumn}
	| {readonly compute: RowNumber}
	| Constant;

export function fieldSourceOf(
	columns: OfferColumns,
	field: OfferField,
	terms: SearchTerms,
): FieldSource {
	const source = sourceOf(field, terms);
	if (typeof source === 'function') return {compute: source(arithmeticOf(columns), terms)};
	if (typeof source === 'object') return source;
	return isText(columns.texts, source)
		? {text: columns.texts[source]}
		: {number: columns.numbers[source]};
}

function isText(texts: OfferColumns['texts'], name: NumberName | TextName): name is TextName {
	return Object.hasOwn(texts, name);
}

function arithmeticOf({numbers, texts}: OfferColumns): Arithmetic<RowNumber> {
	const column = (name: NumberName): RowNumber => {
		const from = numbers[name];
		return row => from.get(row);
	};
	const dollars = (micros: NumberName): RowNumber => {
		const from = numbers[micros];
		return row => from.get(row) / MICROS_PER_DOLLAR;
	};
	return {
		column,
		dollars,
		diskHour(micros, gb) {
			const month = dollars(micros);
			return row => (month(row) * gb) / HOURS_PER_MONTH;
		},
		sum: (one, other) => row => one(row) + other(row),
		ratio: (value, by) => row => {
			const divisor = by(row);
			return divisor === 0 ? Number.NaN : value(row) / divisor;
		},
		above(name, number) {
			const from = column(name);
			return row => from(row) - number;
		},
		isOne(name) {
			const from = column(name);
			return row => {
				const value = from(row);
				return Number.isNaN(value) ? value : Number(value === 1);
			};
		},
		placeOf(name, wanted) {
			const {codes, texts: all} = texts[name];
			return row => {
				const place = wanted.indexOf(all[codes.get(row)] ?? '');
				return place === -1 ? Number.NaN : place;
			};
		},
	};
}
