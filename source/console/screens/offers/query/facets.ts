/** Facets: values that offers of a list share, each with the key that adds it to the words. */
import {countryOf} from '../../../../contract/grammar/filter-match.ts';
import type {Value} from '../../../../renter/words/clauses.ts';
import {findOfferWord, type OfferWord} from '../../../../renter/offers/words/fields.ts';
import {type ParsedLine, valuesIn} from '../../../../renter/offers/words/parse.ts';
import {countriesOf, regionNames} from '../../../../renter/words/values.ts';
import type {Offer} from '../../../../contract/nouns/offers.ts';
import {count} from '../../../../renter/text/format.ts';
import {fit, printable, widthOf} from '../../../../renter/text/text-width.ts';
import type {Theme} from '../../../ui/theme.ts';

type Choice = {
	readonly key: string;
	readonly value: Value;
	readonly label: string;
	/** Offers of the list that have it. */
	readonly offers: number;
};

export type Facet = {
	readonly title: string;
	readonly field: OfferWord;
	readonly choices: readonly Choice[];
};

/** Letters in their order, without those that have a meaning on the words. */
const LETTERS = 'abcdefghijlmnopqrstuvwyz';
const MOST_GPUS = 12;
const MOST_PLACES = LETTERS.length - MOST_GPUS;
const TITLE_WIDTH = 8;

/** The facets of a list, the most frequent values first; none if there is nothing to choose from. */
export function facetsOf(offers: readonly Offer[]): readonly Facet[] {
	const gpus = tally(offers, ({gpu_name: name}) => (typeof name === 'string' ? [name] : []));
	const numbers = tally(offers, ({num_gpus: number}) => (isOneDigit(number) ? [number] : []));
	const countries = tally(offers, ({geolocation}) => codesOf(countryOf(geolocation ?? '')));
	return [
		{
			title: 'GPU',
			field: findOfferWord('gpu_name'),
			choices: lettered(gpus.slice(0, MOST_GPUS), 0),
		},
		{
			title: 'QTY',
			field: findOfferWord('num_gpus'),
			choices: numbers
				.toSorted((a, b) => Number(a.value) - Number(b.value))
				.map(found => ({...found, key: String(found.value), label: `${found.value}x`})),
		},
		{
			title: 'WHERE',
			field: findOfferWord('geolocation'),
			choices: lettered(countries.slice(0, MOST_PLACES), Math.min(MOST_GPUS, gpus.length)),
		},
	].filter(({choices}) => choices.length > 0);
}

function isOneDigit(number: unknown): number is number {
	return typeof number === 'number' && Number.isInteger(number) && number > 0 && number < 10;
}

/** A country, and the regions that it lies in. */
function codesOf(country: string | null): readonly string[] {
	if (country === null) return [];
	const code = country.toUpperCase();
	return [code, ...regionNames.filter(region => countriesOf(region).includes(code))];
}

type Found = {readonly value: Value; readonly offers: number};

function tally(
	offers: readonly Offer[],
	valuesOf: (offer: Offer) => readonly Value[],
): readonly Found[] {
	const counts = new Map<Value, number>();
	for (const value of offers.flatMap(valuesOf)) counts.set(value, (counts.get(value) ?? 0) + 1);
	return [...counts]
		.map(([value, number]) => ({value, offers: number}))
		.toSorted((a, b) => b.offers - a.offers || String(a.value).localeCompare(String(b.value)));
}

function lettered(found: readonly Found[], first: number): readonly Choice[] {
	return found.map(({value, offers}, at) => ({
		key: LETTERS.charAt(first + at),
		value,
		label: printable(String(value)),
		offers,
	}));
}

export function choiceFor(facets: readonly Facet[], key: string) {
	return facets
		.flatMap(({field, choices}) => choices.map(choice => ({field, ...choice})))
		.find(choice => choice.key === key);
}

type FacetsLayout = {readonly theme: Theme; readonly width: number};

/** A line for each facet; values in the words already are in brackets. */
export function facetLines(
	facets: readonly Facet[],
	parsed: ParsedLine,
	{theme, width}: FacetsLayout,
): readonly string[] {
	return facets.map(({title, field, choices}) => {
		const chosen = new Set(valuesIn(parsed, field));
		let room = width - TITLE_WIDTH;
		const drawn: string[] = [];
		for (const {key, value, label, offers} of choices) {
			const isChosen = chosen.has(value);
			const text = `${key} ${label} ${count(offers)}`;
			const framed = isChosen ? `[${text}]` : ` ${text} `;
			room -= widthOf(framed) + 1;
			if (room < 0) break;
			drawn.push(isChosen ? theme.style('chosen', framed) : framed);
		}
		return theme.style('heading', fit(` ${title}`, TITLE_WIDTH)) + drawn.join(' ');
	});
}
