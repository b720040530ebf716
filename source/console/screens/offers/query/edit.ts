/** The query line while it is open: its text, what Tab offers, what was asked before, its chips. */
import {completeLine, type Completion, type Seen} from '../../../../renter/words/complete.ts';
import type {OfferField} from '../../../../contract/offer-search.ts';
import {lexicon} from '../../../../renter/offers/words/fields.ts';
import {parseLine, type ParsedLine} from '../../../../renter/offers/words/parse.ts';
import {lineWithout, partsOf} from '../../../../renter/offers/words/parts.ts';
import {toggleValue} from '../../../../renter/offers/words/toggle.ts';
import type {WordProblem} from '../../../../renter/words/clauses.ts';
import {editLine, insertText, lineOf, type LineEdit} from '../../../components/line-edit.ts';
import type {Key} from '../../../terminal/input/keys.ts';
import {choiceFor, type Facet} from './facets.ts';

export type QueryEdit = {
	readonly line: LineEdit;
	readonly parsed: ParsedLine;
	/** What Tab goes through: which of the candidates stands in the line, and the line before. */
	readonly tab:
		| {readonly completion: Completion; readonly at: number; readonly before: string}
		| undefined;
	/** How many lines back in the history; 0 is the line itself, which is kept as a draft. */
	readonly back: number;
	readonly draft: string;
	/** The chip that the keys act on, while they do not act on the text. */
	readonly chip: number | undefined;
	/** What can be chosen by a key meanwhile. */
	readonly facets: readonly Facet[];
	/** Enter was pressed on a line that cannot be understood. */
	readonly isRefused: boolean;
};

/** Opens the line with the words in force. */
export function openEdit(words: string, gpus: readonly string[]): QueryEdit {
	// What is typed next is a word of its own.
	return editOf(lineOf(words === '' ? '' : `${words} `), gpus);
}

function editOf(line: LineEdit, gpus: readonly string[]): QueryEdit {
	return {
		line,
		parsed: parseLine(line.text, gpus),
		tab: undefined,
		back: 0,
		draft: line.text,
		chip: undefined,
		facets: [],
		isRefused: false,
	};
}

/** What a key makes of the text; undefined for keys that edit nothing. */
export function typeKey(edit: QueryEdit, key: Key, gpus: readonly string[]): QueryEdit | undefined {
	const line = editLine(edit.line, key);
	return line === undefined ? undefined : editOf(line, gpus);
}

export function pasteText(edit: QueryEdit, text: string, gpus: readonly string[]): QueryEdit {
	return editOf(insertText(edit.line, text), gpus);
}

/** One line back in the history, or forward again; at either end nothing changes. */
export function recall(
	edit: QueryEdit,
	step: 1 | -1,
	history: readonly string[],
	gpus: readonly string[],
): QueryEdit {
	const back = Math.max(0, Math.min(edit.back + step, history.length));
	if (back === edit.back) return edit;
	const text = back === 0 ? edit.draft : (history[history.length - back] ?? '');
	return {...editOf(lineOf(text), gpus), back, draft: edit.draft};
}

/** The next candidate for the word at the cursor, or the one before. */
export function nextCandidate(edit: QueryEdit, step: 1 | -1, seen: Seen<OfferField>): QueryEdit {
	const {text, cursor} = edit.line;
	const before = edit.tab?.before ?? text;
	const completion = edit.tab?.completion ?? completeLine(text, cursor, seen, lexicon);
	const {candidates, start, end} = completion;
	if (candidates.length === 0) return edit;
	const first = step === 1 ? 0 : candidates.length - 1;
	const at =
		edit.tab === undefined ? first : (edit.tab.at + step + candidates.length) % candidates.length;
	const chosen = candidates[at]?.text ?? '';
	const line = {
		text: before.slice(0, start) + chosen + before.slice(end),
		cursor: start + chosen.length,
	};
	// A single candidate is taken at once, so that the next Tab goes on from it.
	const tab = candidates.length === 1 ? undefined : {completion, at, before};
	return {...editOf(line, seen.gpus), tab};
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
	return {...editOf(lineOf(text), gpus), chip: 0, facets: edit.facets};
}

/** Takes the chip's word out of the line. */
export function removeChip(edit: QueryEdit, gpus: readonly string[]): QueryEdit {
	const part = edit.chip === undefined ? undefined : partsOf(edit.parsed)[edit.chip];
	if (part === undefined) return edit;
	const removed = editOf(lineOf(lineWithout(edit.line.text, [part])), gpus);
	const last = Math.max(0, partsOf(removed.parsed).length - 1);
	return {...removed, chip: Math.min(edit.chip ?? 0, last), facets: edit.facets};
}

/** The line cannot be asked as it is: the cursor goes behind the word that is wrong. */
export function refuseEdit(edit: QueryEdit): QueryEdit {
	const cursor = edit.parsed.problems[0]?.end ?? edit.line.cursor;
	const line = {...edit.line, cursor};
	return {...leaveChips(edit), line, tab: undefined, isRefused: true};
}

/** What is wrong, unless it is only the word that is being typed. */
export function problemOf({parsed, line, isRefused}: QueryEdit): WordProblem | undefined {
	const isTyped = ({start, end}: WordProblem) => line.cursor > start && line.cursor === end;
	return parsed.problems.find(problem => isRefused || !isTyped(problem)) ?? parsed.problems[0];
}

/** Whether the word at fault is only being typed. */
export function isUnfinished(edit: QueryEdit): boolean {
	const problem = problemOf(edit);
	return problem !== undefined && !edit.isRefused && edit.line.cursor === problem.end;
}
