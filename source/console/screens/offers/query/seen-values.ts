/** Values that offers were seen to have, as they are written in a line of words. */
import type {WordField} from '../../../../renter/offers/words/fields.ts';
import type {Offer} from '../../../../contract/offers.ts';
import {countryOf} from '../../../../contract/filter-match.ts';
import {printable} from '../../../../renter/text/text-width.ts';

/** More than anybody goes through with Tab. */
const MOST_VALUES = 40;

export function seenValues(offers: Iterable<Offer>, field: WordField): readonly string[] {
	const values = new Set<string>();
	for (const offer of offers) {
		const value = writtenValue(offer[field.field], field);
		if (value !== undefined) values.add(value);
	}
	const sorted = field.type === 'number' ? byNumber(values) : [...values].toSorted();
	return sorted.slice(0, MOST_VALUES);
}

function byNumber(values: ReadonlySet<string>): readonly string[] {
	return [...values].toSorted((a, b) => Number(a) - Number(b));
}

function writtenValue(value: unknown, {type, unit}: WordField): string | undefined {
	if (typeof value === 'number') {
		if (unit === 'memory') return String(Math.round(value / 1024));
		return unit === 'none' ? String(value) : undefined;
	}
	if (typeof value !== 'string' || value === '') return undefined;
	return type === 'place' ? countryOf(value)?.toUpperCase() : printable(value);
}
