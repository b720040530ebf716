/** The lines of a query: what is typed, what Tab offers, what is wrong. */
import type {WordProblem} from '../../renter/words/clauses.ts';
import {fit, printable, widthOf} from '../../renter/text/text-width.ts';
import {drawLine, windowOnto} from '../ui/line-window.ts';
import type {Theme} from '../ui/theme.ts';
import {isUnfinished, problemOf, type QueryEdit} from './query-edit.ts';

export const PROMPT = 'filter> ';

type Edit = QueryEdit<unknown>;
type Look = {readonly theme: Theme; readonly width: number};

/** The line that is being typed, with a cursor where it has the keyboard. */
export function fieldLine({line}: Edit, {theme, width}: Look, hasFocus = true): string {
	const room = width - PROMPT.length;
	return theme.style('strong', PROMPT) + drawLine(theme, line, {width: room, hasFocus});
}

/** Under the line: what Tab offers, else what is wrong; undefined where neither is the case. */
export function saidLine(edit: Edit, look: Look): string | undefined {
	if (edit.tab !== undefined) return candidatesLine(edit.tab, look);
	const problem = problemOf(edit);
	return problem && problemLine(edit, problem, look);
}

/** The word that is wrong, underlined, and why. */
function problemLine(edit: Edit, {start, end, message}: WordProblem, {theme, width}: Look): string {
	const meaning = isUnfinished(edit) ? 'quiet' : 'danger';
	const {isCutLeft} = windowOnto(edit.line, width - PROMPT.length);
	const {text} = edit.line;
	const said = `${edit.isRefused ? 'Not asked: ' : ''}${printable(message)}`;
	const from = PROMPT.length + widthOf(printable(text.slice(0, start)));
	const marks = '^'.repeat(Math.max(1, widthOf(printable(text.slice(start, end)))));
	if (isCutLeft || from + marks.length >= width) {
		return theme.style(meaning, fit(`${printable(text.slice(start, end))}: ${said}`, width));
	}
	const behind = width - from - marks.length - 1;
	const isBehind = widthOf(said) <= behind || behind >= from;
	const line = isBehind
		? `${' '.repeat(from)}${marks} ${said}`
		: `${fit(said, from - 1, 'right')} ${marks}`;
	return theme.style(meaning, fit(line, width));
}

function candidatesLine({completion, at}: NonNullable<Edit['tab']>, {theme, width}: Look): string {
	const {candidates} = completion;
	const about = candidates[at]?.about ?? '';
	const right = ` ${about === '' ? '' : `${printable(about)} `}${at + 1}/${candidates.length}`;
	return rowOf(
		candidates.map(({text}) => text),
		at,
		{theme, width, right, start: PROMPT.length},
	);
}

type Row = Look & {readonly right: string; readonly start: number};

/** Texts in a row with one of them chosen, which is always in view. */
export function rowOf(
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
