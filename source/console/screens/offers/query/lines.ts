/** The lines of the query: what is in force, what is typed, what it means, what is wrong with it. */
import {printClauses, type OfferClause} from '../../../../renter/offers/words/fields.ts';
import type {Filter} from '../../../../contract/grammar/filter.ts';
import type {OfferField} from '../../../../contract/nouns/offer-search.ts';
import {type ParsedLine, partsOf} from '../../../../renter/offers/words/parse.ts';
import {defaultsLeft} from '../../../../renter/offers/words/request.ts';
import {spread} from '../../../ui/chrome.ts';
import {printable, widthOf} from '../../../../renter/text/text-width.ts';
import type {Theme} from '../../../ui/theme.ts';
import type {Asked} from '../query-state.ts';
import type {QueryEdit} from './edit.ts';
import {PROMPT, rowOf, saidLine} from '../../../list/query-lines.ts';

type Look = {
	readonly theme: Theme;
	readonly width: number;
	readonly gpus: readonly string[];
	/** Conditions that are tested here and not by the service. */
	readonly here?: Filter<OfferField>;
};

/** The words in force in their normal form, and what holds without being written. */
export function askedLine({parsed}: Asked, {width, gpus}: Look): string {
	const clauses = clausesOf(parsed);
	return withDefaults(PROMPT + printable(printClauses(clauses, gpus)), clauses, width);
}

function clausesOf({words}: ParsedLine): readonly OfferClause[] {
	return words.flatMap(({clauses}) => clauses);
}

/**
 * Adds the default conditions to the end of the line, in fewer words where there is little room.
 */
function withDefaults(text: string, clauses: readonly OfferClause[], width: number): string {
	const flags = defaultsLeft(clauses);
	if (flags.length === 0) return spread(width, text, '+ defaults: none');
	const usual = `+ defaults: ${flags.join(' ')}`;
	const isRoomy = widthOf(text) + usual.length < width;
	return spread(width, text, isRoomy ? usual : flags.map(flag => `+${flag}`).join(' '));
}

/** Under the line: chips, candidates, what is wrong, or what is asked in its normal form. */
export function meaningLine(edit: QueryEdit, look: Look): string {
	if (edit.chip !== undefined) return chipsLine(edit, edit.chip, look);
	const said = saidLine(edit, look);
	if (said !== undefined) return said;
	const clauses = clausesOf(edit.parsed);
	const notes = edit.parsed.words.flatMap(({note}) => note ?? []);
	const meaning = notes.length > 0 ? notes.join('; ') : printClauses(clauses, look.gpus);
	return withDefaults(`     =  ${printable(meaning)}`, clauses, look.width);
}

/** The words one by one, the chosen one in brackets; what holds by default behind a plus. */
function chipsLine({parsed}: QueryEdit, chip: number, {theme, width, here = []}: Look): string {
	const testedHere = new Set(here.map(condition => JSON.stringify(condition)));
	const texts = partsOf(parsed).map(({label, at, conditions}) => {
		const isHere = conditions.some(condition => testedHere.has(JSON.stringify(condition)));
		return ('flag' in at ? `+${label}` : label) + (isHere ? '(here)' : '');
	});
	const right = ' letters choose, x leaves out';
	return rowOf(texts, chip, {theme, width, right, start: PROMPT.length});
}
