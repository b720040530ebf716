/** The query of the offers list: its words in force, and the line that edits them. */
import {anyOffers, type OfferSearch} from '../../../../contract/nouns/offer-search.ts';
import {
	lexicon,
	type OfferClause,
	findOfferWord,
	printClauses,
	type SearchField,
	type WordSearch,
} from '../../../../renter/offers/words/fields.ts';
import {
	parseLine,
	lineWithout,
	searchPartsOf,
	type ParsedLine,
	toggleValue,
} from '../../../../renter/offers/words/parse.ts';
import {completeLine, type Samples} from '../../../../renter/words/complete.ts';
import {newLineEdit} from '../../../ui/line-edit.ts';
import {
	completeNext,
	openQuery,
	pasteInto,
	queryOf,
	recallLine,
	withRefusedLine,
	typeInto,
	type QueryEdit as Edit,
	PROMPT,
	formatChoiceRow,
	completionLine,
} from '../../../list/query-edit.ts';
import type {Key} from '../../../terminal/input/keys.ts';
import {choiceFor, type Facet} from './facets.ts';
import {requestOf, defaultsLeft} from '../../../../renter/offers/words/request.ts';
import type {Offer} from '../../../../contract/nouns/offers.ts';
import {keptByStackEntry, type StackEntry} from '../../../services/router.ts';
import {createStore, type Readable, type Store} from '../../../../renter/state/store.ts';
import type {Filter} from '../../../../contract/grammar/filter.ts';
import {spread} from '../../../ui/chrome.ts';
import {printable, widthOf} from '../../../../renter/text/text-width.ts';
import type {Theme} from '../../../ui/theme.ts';

/** The words in force: a line in which every word can be understood. */
type Asked = {readonly words: string; readonly parsed: ParsedLine};

export type QueryState = {
	readonly asked: Readable<Asked>;
	/** The line while it is open. */
	readonly edit: Store<OfferQueryEdit | undefined>;
	/** The names of GPUs that were seen, for short names. */
	readonly gpus: Store<readonly string[]>;
	readonly isRequestShown: Store<boolean>;
	/** Searches with other words; false for invalid ones, which change nothing. */
	readonly ask: (words: string) => boolean;
};

export const queryAt = keptByStackEntry(createQueryState);

function createQueryState(): QueryState {
	const asked = createStore<Asked>({words: '', parsed: parseLine('')});
	const gpus = createStore<readonly string[]>([]);
	return {
		asked,
		edit: createStore<OfferQueryEdit | undefined>(undefined),
		isRequestShown: createStore(false),
		gpus,
		ask(wanted) {
			const words = wanted.trim();
			const parsed = parseLine(words, gpus.get());
			if (parsed.problems.length > 0) return false;
			asked.set({words, parsed});
			return true;
		},
	};
}

/** The search of the words; `usual` has the columns, limit and disk. */
export function searchOfFilter({parsed}: Pick<Asked, 'parsed'>, usual: OfferSearch): WordSearch {
	return {...anyOffers, ...usual, ...requestOf(parsed.words.flatMap(({clauses}) => clauses))};
}

/** Opens the query line with the words for as many of the same GPU as an offer has. */
export function askForEquals(stackEntry: StackEntry, {gpu_name: gpu, num_gpus: gpus}: Offer): void {
	const {ask, edit} = queryAt(stackEntry);
	const named = [
		...(typeof gpu === 'string' ? [{field: findOfferWord('gpu_name'), value: gpu}] : []),
		...(typeof gpus === 'number' ? [{field: findOfferWord('num_gpus'), value: gpus}] : []),
	];
	const seen = typeof gpu === 'string' ? [gpu] : [];
	const words = named.reduce(
		(line, choice) => toggleValue(line, parseLine(line, seen), choice, seen),
		'',
	);
	ask(words);
	edit.set(openEdit(words, seen));
}

export type OfferQueryEdit = Edit<OfferClause> & {
	/** The chip that the keys act on; undefined while they act on the text. */
	readonly chip: number | undefined;
	/** Facets that keys choose meanwhile. */
	readonly facets: readonly Facet[];
};

const reading = (gpus: readonly string[]) => (line: string) => parseLine(line, gpus);

/** Edits of the text leave the chips. */
function plain(edit: Edit<OfferClause>): OfferQueryEdit {
	return {...edit, chip: undefined, facets: []};
}

export function openEdit(words: string, gpus: readonly string[]): OfferQueryEdit {
	return plain(openQuery(words, reading(gpus)));
}

/** Edit after a key; undefined for keys that edit nothing. */
export function typeKey(
	edit: OfferQueryEdit,
	key: Key,
	gpus: readonly string[],
): OfferQueryEdit | undefined {
	const typed = typeInto(edit, key, reading(gpus));
	return typed && plain(typed);
}

export function pasteText(
	edit: OfferQueryEdit,
	text: string,
	gpus: readonly string[],
): OfferQueryEdit {
	return plain(pasteInto(edit, text, reading(gpus)));
}

/** A step back in the history, or forward again; at either end nothing changes. */
export function recall(
	edit: OfferQueryEdit,
	step: 1 | -1,
	history: readonly string[],
	gpus: readonly string[],
): OfferQueryEdit {
	const recalled = recallLine(edit, step, history, reading(gpus));
	return recalled === undefined ? edit : plain(recalled);
}

/** The next candidate for the word at the cursor, or the one before. */
export function nextCandidate(
	edit: OfferQueryEdit,
	step: 1 | -1,
	samples: Samples<SearchField>,
): OfferQueryEdit {
	const complete = (line: string, cursor: number) => completeLine(line, cursor, samples, lexicon);
	const completed = completeNext(edit, step, {parse: reading(samples.gpus), complete});
	return completed === undefined ? edit : plain(completed);
}

/** Goes from the text to its words as chips, and to the facets. */
export function openChips(edit: OfferQueryEdit, facets: readonly Facet[]): OfferQueryEdit {
	return {...edit, chip: 0, facets, tab: undefined};
}

export function moveChip(edit: OfferQueryEdit, step: 1 | -1): OfferQueryEdit {
	const last = Math.max(0, searchPartsOf(edit.parsed).length - 1);
	return {...edit, chip: Math.max(0, Math.min((edit.chip ?? 0) + step, last))};
}

export function leaveChips(edit: OfferQueryEdit): OfferQueryEdit {
	return {...edit, chip: undefined, facets: []};
}

/** Adds the facet of a key to the line, or removes it; undefined for keys without one. */
export function chooseFacet(
	edit: OfferQueryEdit,
	key: Key,
	gpus: readonly string[],
): OfferQueryEdit | undefined {
	const choice = choiceFor(edit.facets, key);
	if (choice === undefined) return undefined;
	const text = toggleValue(edit.line.text, edit.parsed, choice, gpus);
	return {...plain(queryOf(newLineEdit(text), reading(gpus))), chip: 0, facets: edit.facets};
}

export function removeChip(edit: OfferQueryEdit, gpus: readonly string[]): OfferQueryEdit {
	const part = edit.chip === undefined ? undefined : searchPartsOf(edit.parsed)[edit.chip];
	if (part === undefined) return edit;
	const removed = plain(queryOf(newLineEdit(lineWithout(edit.line.text, [part])), reading(gpus)));
	const last = Math.max(0, searchPartsOf(removed.parsed).length - 1);
	return {...removed, chip: Math.min(edit.chip ?? 0, last), facets: edit.facets};
}

/** Puts the cursor behind the wrong word of an invalid line. */
export function refuseEdit(edit: OfferQueryEdit): OfferQueryEdit {
	return withRefusedLine(leaveChips(edit));
}

type MeaningLayout = {
	readonly theme: Theme;
	readonly width: number;
	readonly gpus: readonly string[];
	/** Conditions that are tested here and not by the service. */
	readonly here?: Filter<SearchField>;
};

/** Example of words, shown where none are in force. */
const EXAMPLE = 'what do you need? 4090 x2 <0.80 us,ca';

/** The words in force in their normal form, or an example of some, with the defaults. */
export function askedLine({parsed}: Asked, {theme, width, gpus}: MeaningLayout): string {
	const clauses = clausesOf(parsed);
	const words = printable(printClauses(clauses, gpus));
	if (words !== '') return withDefaults(PROMPT + words, clauses, width);
	const line = withDefaults(PROMPT + EXAMPLE, clauses, width);
	const isWhole = line.includes(`${EXAMPLE} `) && line.includes('+');
	if (!isWhole) return withDefaults(PROMPT, clauses, width);
	return PROMPT + theme.style('quiet', line.slice(PROMPT.length));
}

function clausesOf({words}: ParsedLine): readonly OfferClause[] {
	return words.flatMap(({clauses}) => clauses);
}

/**
 * Adds the default conditions to the end of the line, in fewer words if there is little space.
 */
function withDefaults(text: string, clauses: readonly OfferClause[], width: number): string {
	const flags = defaultsLeft(clauses);
	if (flags.length === 0) return spread(width, text, '+ defaults: none');
	const usual = `+ defaults: ${flags.join(' ')}`;
	const isRoomy = widthOf(text) + usual.length < width;
	return spread(width, text, isRoomy ? usual : flags.map(flag => `+${flag}`).join(' '));
}

/** Line below: chips, candidates, the problem, or the query in its normal form. */
export function meaningLine(edit: OfferQueryEdit, layout: MeaningLayout): string {
	if (edit.chip !== undefined) return chipsLine(edit, edit.chip, layout);
	const said = completionLine(edit, layout);
	if (said !== undefined) return said;
	const clauses = clausesOf(edit.parsed);
	const notes = edit.parsed.words.flatMap(({note}) => note ?? []);
	const meaning = notes.length > 0 ? notes.join('; ') : printClauses(clauses, layout.gpus);
	return withDefaults(`     =  ${printable(meaning)}`, clauses, layout.width);
}

/** The words as chips, the chosen one in brackets; defaults behind a plus. */
function chipsLine(
	{parsed}: OfferQueryEdit,
	chip: number,
	{theme, width, here = []}: MeaningLayout,
): string {
	const testedHere = new Set(here.map(condition => JSON.stringify(condition)));
	const texts = searchPartsOf(parsed).map(({label, at, conditions}) => {
		const isHere = conditions.some(condition => testedHere.has(JSON.stringify(condition)));
		return ('flag' in at ? `+${label}` : label) + (isHere ? '(here)' : '');
	});
	const right = ' letters choose, x leaves out';
	return formatChoiceRow(texts, chip, {theme, width, right, start: PROMPT.length});
}
