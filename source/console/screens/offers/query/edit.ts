/** The query line of offers while it is open: the words, and its chips and facets. */
import type {OfferField} from '../../../../contract/nouns/offer-search.ts';
import {lexicon, type OfferClause} from '../../../../renter/offers/words/fields.ts';
import {
	parseLine,
	lineWithout,
	partsOf,
	toggleValue,
} from '../../../../renter/offers/words/parse.ts';
import {completeLine, type Seen} from '../../../../renter/words/complete.ts';
import {lineOf} from '../../../ui/line-edit.ts';
import {
	completeNext,
	openQuery,
	pasteInto,
	queryOf,
	recallLine,
	refused,
	typeInto,
	type QueryEdit as Edit,
} from '../../../list/query-edit.ts';
import type {Key} from '../../../terminal/input/keys.ts';
import {choiceFor, type Facet} from './facets.ts';

export type QueryEdit = Edit<OfferClause> & {
	/** The chip that the keys act on, while they do not act on the text. */
	readonly chip: number | undefined;
	/** Facets that keys choose meanwhile. */
	readonly facets: readonly Facet[];
};

const reading = (gpus: readonly string[]) => (line: string) => parseLine(line, gpus);

/** While the text is changed, the keys act on no chip. */
function plain(edit: Edit<OfferClause>): QueryEdit {
	return {...edit, chip: undefined, facets: []};
}

/** Opens the line with the words in force. */
export function openEdit(words: string, gpus: readonly string[]): QueryEdit {
	return plain(openQuery(words, reading(gpus)));
}

/** Edit after a key; undefined for keys that edit nothing. */
export function typeKey(edit: QueryEdit, key: Key, gpus: readonly string[]): QueryEdit | undefined {
	const typed = typeInto(edit, key, reading(gpus));
	return typed && plain(typed);
}

export function pasteText(edit: QueryEdit, text: string, gpus: readonly string[]): QueryEdit {
	return plain(pasteInto(edit, text, reading(gpus)));
}

/** One line back in the history, or forward again; at either end nothing changes. */
export function recall(
	edit: QueryEdit,
	step: 1 | -1,
	history: readonly string[],
	gpus: readonly string[],
): QueryEdit {
	const recalled = recallLine(edit, step, history, reading(gpus));
	return recalled === undefined ? edit : plain(recalled);
}

/** The next candidate for the word at the cursor, or the one before. */
export function nextCandidate(edit: QueryEdit, step: 1 | -1, seen: Seen<OfferField>): QueryEdit {
	const complete = (line: string, cursor: number) => completeLine(line, cursor, seen, lexicon);
	const completed = completeNext(edit, step, {parse: reading(seen.gpus), complete});
	return completed === undefined ? edit : plain(completed);
}

/** Goes from the text to its words one by one, and to what else can be chosen. */
export function openChips(edit: QueryEdit, facets: readonly Facet[]): QueryEdit {
	return {...edit, chip: 0, facets, tab: undefined};
}

/** Goes from one chip to the next. */
export function moveChip(edit: QueryEdit, step: 1 | -1): QueryEdit {
	const last = Math.max(0, partsOf(edit.parsed).length - 1);
	return {...edit, chip: Math.max(0, Math.min((edit.chip ?? 0) + step, last))};
}

export function leaveChips(edit: QueryEdit): QueryEdit {
	return {...edit, chip: undefined, facets: []};
}

/** Puts what a key stands for into the line, or takes it out; undefined for keys that stand for nothing. */
export function chooseFacet(
	edit: QueryEdit,
	key: Key,
	gpus: readonly string[],
): QueryEdit | undefined {
	const choice = choiceFor(edit.facets, key);
	if (choice === undefined) return undefined;
	const text = toggleValue(edit.line.text, edit.parsed, choice, gpus);
	return {...plain(queryOf(lineOf(text), reading(gpus))), chip: 0, facets: edit.facets};
}

/** Takes the chip's word out of the line. */
export function removeChip(edit: QueryEdit, gpus: readonly string[]): QueryEdit {
	const part = edit.chip === undefined ? undefined : partsOf(edit.parsed)[edit.chip];
	if (part === undefined) return edit;
	const removed = plain(queryOf(lineOf(lineWithout(edit.line.text, [part])), reading(gpus)));
	const last = Math.max(0, partsOf(removed.parsed).length - 1);
	return {...removed, chip: Math.min(edit.chip ?? 0, last), facets: edit.facets};
}

/** The line cannot be asked as it is: the cursor goes behind the word that is wrong. */
export function refuseEdit(edit: QueryEdit): QueryEdit {
	return refused(leaveChips(edit));
}
