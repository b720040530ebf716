/** The lines of the query: what is in force, what is typed, what it means, what is wrong with it. */
import {printClauses, type OfferClause} from '../../../../renter/offers/words/fields.ts';
import type {WordProblem} from '../../../../renter/words/clauses.ts';
import type {Filter} from '../../../../contract/filter.ts';
import type {OfferField} from '../../../../contract/offer-search.ts';
import type {ParsedLine} from '../../../../renter/offers/words/parse.ts';
import {partsOf} from '../../../../renter/offers/words/parts.ts';
import {defaultsLeft} from '../../../../renter/offers/words/request.ts';
import {spread} from '../../../chrome.ts';
import {drawLine} from '../../../components/text-field.tsx';
import {windowOnto} from '../../../components/line-window.ts';
import {fit, printable, widthOf} from '../../../../renter/text/text-width.ts';
import type {Theme} from '../../../theme.ts';
import type {Asked} from '../asked.ts';
import {isUnfinished, problemOf, type QueryEdit} from './edit.ts';

const PROMPT = 'filter> ';

type Look = {
	readonly theme: Theme;
	readonly width: number;
	readonly gpus: readonly string[];
	/** What is tested here and not by the service. */
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

/** What holds without being written stands at the end of the line, in fewer words where there is little room. */
function withDefaults(text: string, clauses: readonly OfferClause[], width: number): string {
	const flags = defaultsLeft(clauses);
	if (flags.length === 0) return spread(width, text, '+ defaults: none');
	const usual = `+ defaults: ${flags.join(' ')}`;
	const isRoomy = widthOf(text) + usual.length < width;
	return spread(width, text, isRoomy ? usual : flags.map(flag => `+${flag}`).join(' '));
}

/** The line that is being typed, with a cursor. */
export function fieldLine({line, chip}: QueryEdit, {theme, width}: Look): string {
	const room = width - PROMPT.length;
	return (
		theme.style('strong', PROMPT) +
		drawLine(theme, line, {width: room, hasFocus: chip === undefined})
	);
}

/** Under the line: chips, candidates, what is wrong, or what is asked in its normal form. */
export function meaningLine(edit: QueryEdit, look: Look): string {
	if (edit.chip !== undefined) return chipsLine(edit, edit.chip, look);
	if (edit.tab !== undefined) return candidatesLine(edit.tab, look);
	const problem = problemOf(edit);
	if (problem !== undefined) return problemLine(edit, problem, look);
	const clauses = clausesOf(edit.parsed);
	const notes = edit.parsed.words.flatMap(({note}) => note ?? []);
	const meaning = notes.length > 0 ? notes.join('; ') : printClauses(clauses, look.gpus);
	return withDefaults(`     =  ${printable(meaning)}`, clauses, look.width);
}

/** The word that is wrong, underlined, and why. */
function problemLine(
	edit: QueryEdit,
	{start, end, message}: WordProblem,
	{theme, width}: Look,
): string {
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

function candidatesLine(
	{completion, at}: NonNullable<QueryEdit['tab']>,
	{theme, width}: Look,
): string {
	const {candidates} = completion;
	const about = candidates[at]?.about ?? '';
	const right = ` ${about === '' ? '' : `${printable(about)} `}${at + 1}/${candidates.length}`;
	return rowOf(
		candidates.map(({text}) => text),
		at,
		{theme, width, right, start: PROMPT.length},
	);
}

/** The words one by one, the chosen one in brackets; what holds by default behind a plus. */
function chipsLine({parsed}: QueryEdit, chip: number, {theme, width, here = []}: Look): string {
	const testedHere = new Set(here.map(wish => JSON.stringify(wish)));
	const texts = partsOf(parsed).map(({label, at, conditions}) => {
		const isHere = conditions.some(wish => testedHere.has(JSON.stringify(wish)));
		return ('flag' in at ? `+${label}` : label) + (isHere ? '(here)' : '');
	});
	const right = ' letters choose, x leaves out';
	return rowOf(texts, chip, {theme, width, right, start: PROMPT.length});
}

type Row = Pick<Look, 'theme' | 'width'> & {readonly right: string; readonly start: number};

/** Texts in a row with one of them chosen, which is always in view. */
function rowOf(
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
