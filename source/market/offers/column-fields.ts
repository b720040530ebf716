/** Search fields in column storage: the fields of `table-rules.ts` as functions of a row. */
import type {FieldType} from '../../contract/grammar/filter.ts';
import {searchableOffers, type OfferField} from '../../contract/nouns/offer-search.ts';
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

/** Source of a field's values. NaN is unknown. */
export type FieldSource =
	| {readonly number: NumberColumn}
	| {readonly compute: (row: number) => number}
	| Constant
	| {readonly text: TextColumn; readonly type: FieldType; readonly country?: TextColumn};

export function fieldOf(
	{numbers, texts}: OfferColumns,
	field: OfferField,
	terms: SearchTerms,
): FieldSource {
	const source = sourceOf(field, terms);
	if (typeof source === 'function') return {compute: source(arithmeticOf({numbers, texts}), terms)};
	if (typeof source === 'object') return source;
	if (!isText(texts, source)) return {number: numbers[source]};
	const type = searchableOffers.fields[field];
	const text = {text: texts[source], type};
	return type === 'place' ? {...text, country: texts.country} : text;
}

function isText(texts: OfferColumns['texts'], name: NumberName | TextName): name is TextName {
	return Object.hasOwn(texts, name);
}

function arithmeticOf({
	numbers,
	texts,
}: Pick<OfferColumns, 'numbers' | 'texts'>): Arithmetic<(row: number) => number> {
	return {
		column(name) {
			const column = numbers[name];
			return row => column.get(row);
		},
		dollars(micros) {
			const column = numbers[micros];
			return row => column.get(row) / MICROS_PER_DOLLAR;
		},
		diskHour(micros, gb) {
			const column = numbers[micros];
			return row => ((column.get(row) / MICROS_PER_DOLLAR) * gb) / HOURS_PER_MONTH;
		},
		sum: (one, other) => row => one(row) + other(row),
		ratio: (value, by) => row => {
			const divisor = by(row);
			return divisor === 0 ? Number.NaN : value(row) / divisor;
		},
		above(name, number) {
			const column = numbers[name];
			return row => column.get(row) - number;
		},
		isOne(name) {
			const column = numbers[name];
			return row => {
				const value = column.get(row);
				return Number.isNaN(value) ? value : Number(value === 1);
			};
		},
		placeOf(name, wanted) {
			const column = texts[name];
			const places = new Map(wanted.map((text, place) => [column.codeOf(text), place]));
			return row => places.get(column.codes.get(row)) ?? Number.NaN;
		},
	};
}
