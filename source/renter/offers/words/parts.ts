/** The conditions of a line one by one: those written, and those that hold by default. */
import type {Condition} from '../../../contract/filter.ts';
import type {OfferField} from '../../../contract/offer-search.ts';
import type {ParsedLine} from './parse.ts';
import {conditionsOfClause, defaultConditions, defaultsLeft, type DefaultFlag} from './request.ts';

/** Something that can be left out of a search. */
export type Part = {
	readonly label: string;
	readonly conditions: ReadonlyArray<Condition<OfferField>>;
	/** Position in the line, or the default that it is. */
	readonly at: {readonly start: number; readonly end: number} | {readonly flag: DefaultFlag};
};

export function partsOf({words}: ParsedLine): readonly Part[] {
	const clauses = words.flatMap(word => word.clauses);
	return [
		...words
			.map(({text, start, end, clauses: meant}) => ({
				label: text,
				conditions: meant.flatMap(conditionsOfClause),
				at: {start, end},
			}))
			.filter(({conditions}) => conditions.length > 0),
		...defaultsLeft(clauses).map(flag => ({
			label: flag,
			conditions: defaultConditions([flag]),
			at: {flag},
		})),
	];
}

/** The line without some of its parts. A default is left out by saying so. */
export function lineWithout(line: string, parts: readonly Part[]): string {
	const spans = parts.flatMap(({at}) => ('start' in at ? [at] : []));
	const flags = parts.flatMap(({at}) => ('flag' in at ? [`${at.flag}=any`] : []));
	const rest = spans
		.toSorted((a, b) => b.start - a.start)
		.reduce((text, {start, end}) => `${text.slice(0, start)} ${text.slice(end)}`, line);
	return [rest.trim().replaceAll(/ {2,}/g, ' '), ...flags].filter(text => text !== '').join(' ');
}
