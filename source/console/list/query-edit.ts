/** A line of words while it is typed: its text, meaning, completions, history and drawing. */
import type {Completion} from '../../renter/words/complete.ts';
import type {WordProblem} from '../../renter/words/clauses.ts';
import type {ParsedWords} from '../../renter/words/parse.ts';
import {
	editLine,
	insertText,
	newLineEdit,
	type LineEdit,
	proposedLine,
	formatLineEdit,
	windowOnto,
} from '../ui/line-edit.ts';
import type {Key} from '../terminal/input/keys.ts';
import type {Bindings} from '../ui/bindings.ts';
import {fit, printable, widthOf} from '../../renter/text/text-width.ts';
import type {Theme} from '../ui/theme.ts';

export type QueryLineTarget = {
	readonly apply: () => void;
	readonly leave: () => void;
	readonly recall: (step: 1 | -1) => void;
	readonly complete: (step: 1 | -1) => void;
	/** Moves to a newer line of the history. */
	readonly down: () => void;
};

export const completionKeys: Bindings<Pick<QueryLineTarget, 'complete'>> = [
	{
		keys: ['Tab'],
		id: 'complete-the-word',
		title: 'complete the word, then the next candidate',
		hint: 'complete',
		run: line => line.complete(1),
	},
	{
		keys: ['Shift-Tab'],
		id: 'the-candidate-before',
		title: 'the candidate before',
		run: line => line.complete(-1),
	},
];

export const queryLineBindings: Bindings<QueryLineTarget> = [
	{
		keys: ['Enter'],
		id: 'use-the-filter',
		title: 'use the filter',
		hint: 'use',
		run: line => line.apply(),
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-unchanged',
		title: 'leave it as it was',
		hint: 'as before',
		run: line => line.leave(),
	},
	...completionKeys,
	{
		keys: ['Up'],
		id: 'the-filter-before',
		title: 'the filter before',
		hint: 'earlier',
		run: line => line.recall(1),
	},
	{keys: ['Down'], id: 'the-filter-after', title: 'the filter after', run: line => line.down()},
];

export type QueryLanguage<Meant> = {
	readonly parse: (line: string) => ParsedWords<Meant>;
	readonly complete: (line: string, cursor: number) => Completion;
};

export type QueryEdit<Meant> = {
	readonly line: LineEdit;
	readonly parsed: ParsedWords<Meant>;
	/** Completion by Tab: the present candidate, and the line before. */
	readonly tab:
		| {readonly completion: Completion; readonly at: number; readonly before: string}
		| undefined;
	/** Steps back in the history; 0 is the line itself, which is kept as a draft. */
	readonly back: number;
	readonly draft: string;
	/** Enter was pressed on a line that cannot be understood. */
	readonly isRefused: boolean;
};

type Parse<Meant> = QueryLanguage<Meant>['parse'];

/** Opens the line with the words in force. */
export function openQuery<Meant>(words: string, parse: Parse<Meant>): QueryEdit<Meant> {
	// A word typed behind it stands alone.
	return queryOf(proposedLine(words === '' ? '' : `${words} `), parse);
}

export function queryOf<Meant>(line: LineEdit, parse: Parse<Meant>): QueryEdit<Meant> {
	return {
		line,
		parsed: parse(line.text),
		tab: undefined,
		back: 0,
		draft: line.text,
		isRefused: false,
	};
}

/** Edit after a key; undefined for keys that edit nothing. */
export function typeInto<Meant>(
	edit: QueryEdit<Meant>,
	key: Key,
	parse: Parse<Meant>,
): QueryEdit<Meant> | undefined {
	const line = editLine(edit.line, key);
	return line === undefined ? undefined : queryOf(line, parse);
}

export function pasteInto<Meant>(
	edit: QueryEdit<Meant>,
	text: string,
	parse: Parse<Meant>,
): QueryEdit<Meant> {
	return queryOf(insertText(edit.line, text), parse);
}

/** A step back in the history, or forward again; undefined at either end. */
export function recallLine<Meant>(
	edit: QueryEdit<Meant>,
	step: 1 | -1,
	history: readonly string[],
	parse: Parse<Meant>,
): QueryEdit<Meant> | undefined {
	const back = Math.max(0, Math.min(edit.back + step, history.length));
	if (back === edit.back) return undefined;
	const text = back === 0 ? edit.draft : (history[history.length - back] ?? '');
	return {...queryOf(newLineEdit(text), parse), back, draft: edit.draft};
}

/** The next candidate for the word at the cursor, or the one before; undefined if there is none. */
export function completeNext<Meant>(
	edit: QueryEdit<Meant>,
	step: 1 | -1,
	{parse, complete}: QueryLanguage<Meant>,
): QueryEdit<Meant> | undefined {
	const {text, cursor} = edit.line;
	const before = edit.tab?.before ?? text;
	const completion = edit.tab?.completion ?? complete(text, cursor);
	const {candidates, start, end} = completion;
	if (candidates.length === 0) return undefined;
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
	return {...queryOf(line, parse), tab};
}

/** Puts the cursor behind the wrong word of an invalid line. */
export function withRefusedLine<Own extends QueryEdit<unknown>>(edit: Own): Own {
	const cursor = edit.parsed.problems[0]?.end ?? edit.line.cursor;
	return {...edit, line: {...edit.line, cursor}, tab: undefined, isRefused: true};
}

/** Problem of the line, unless it is only the word that is being typed. */
export function problemOf({parsed, line, isRefused}: QueryEdit<unknown>): WordProblem | undefined {
	const isTyped = ({start, end}: WordProblem) => line.cursor > start && line.cursor === end;
	return parsed.problems.find(problem => isRefused || !isTyped(problem)) ?? parsed.problems[0];
}

/** True if the problem is a word that is still being typed. */
export function isUnfinished(edit: QueryEdit<unknown>): boolean {
	const problem = problemOf(edit);
	return problem !== undefined && !edit.isRefused && edit.line.cursor === problem.end;
}

export const PROMPT = 'filter> ';

type Edit = QueryEdit<unknown>;
type LineLayout = {readonly theme: Theme; readonly width: number};

/** The line that is being typed, with a cursor where it has the keyboard. */
export function fieldLine({line}: Edit, {theme, width}: LineLayout, hasFocus = true): string {
	const field = formatLineEdit(theme, line, {width: width - PROMPT.length, hasFocus});
	return theme.style('strong', PROMPT) + field;
}

/** Line below: candidates of Tab, else the problem; undefined without either. */
export function completionLine(edit: Edit, layout: LineLayout): string | undefined {
	if (edit.tab !== undefined) return candidatesLine(edit.tab, layout);
	const problem = problemOf(edit);
	return problem && problemLine(edit, problem, layout);
}

/** The wrong word, underlined, with its problem. */
function problemLine(
	edit: Edit,
	{start, end, message}: WordProblem,
	{theme, width}: LineLayout,
): string {
	const meaning = isUnfinished(edit) ? 'quiet' : 'danger';
	const {isCutLeft} = windowOnto(edit.line, width - PROMPT.length);
	const {text} = edit.line;
	const note = `${edit.isRefused ? 'Not asked: ' : ''}${printable(message)}`;
	const from = PROMPT.length + widthOf(printable(text.slice(0, start)));
	const marks = '^'.repeat(Math.max(1, widthOf(printable(text.slice(start, end)))));
	if (isCutLeft || from + marks.length >= width) {
		return theme.style(meaning, fit(`${printable(text.slice(start, end))}: ${note}`, width));
	}
	const behind = width - from - marks.length - 1;
	const isBehind = widthOf(note) <= behind || behind >= from;
	const line = isBehind
		? `${' '.repeat(from)}${marks} ${note}`
		: `${fit(note, from - 1, 'right')} ${marks}`;
	return theme.style(meaning, fit(line, width));
}

function candidatesLine(
	{completion, at}: NonNullable<Edit['tab']>,
	{theme, width}: LineLayout,
): string {
	const {candidates} = completion;
	const about = candidates[at]?.about ?? '';
	const right = ` ${about === '' ? '' : `${printable(about)} `}${at + 1}/${candidates.length}`;
	return formatChoiceRow(
		candidates.map(({text}) => text),
		at,
		{theme, width, right, start: PROMPT.length},
	);
}

type Row = LineLayout & {readonly right: string; readonly start: number};

/** Texts in a row with one of them chosen, which is always in view. */
export function formatChoiceRow(
	texts: readonly string[],
	chosen: number,
	{theme, width, right, start}: Row,
): string {
	const end = fit(right, Math.min(widthOf(right), width - start));
	const room = width - start - widthOf(end);
	const drawn = texts.map((text, index) =>
		index === chosen ? `[${printable(text)}]` : ` ${printable(text)} `,
	);
	let first = 0;
	while (first < chosen && widthOf(drawn.slice(first, chosen + 1).join('')) > room) first++;
	const before = drawn.slice(first, chosen).join('');
	const shown = fit(
		drawn[chosen] ?? '',
		Math.min(widthOf(drawn[chosen] ?? ''), room - widthOf(before)),
	);
	const after = fit(drawn.slice(chosen + 1).join(''), Math.max(0, room - widthOf(before + shown)));
	return (
		' '.repeat(start) + before + theme.style('chosen', shown) + after + theme.style('quiet', end)
	);
}
