/** Drawing of a question. Colour alone says nothing. */
import {buttonAt, spread} from './chrome.ts';
import {fit, printable, widthOf} from '../../renter/text/text-width.ts';
import type {Boxed} from './box.ts';
import type {Theme} from './theme.ts';
import {
	GONE,
	isMistyped,
	isTypedR,
	phrasesOf,
	remaining,
	type Button,
	type Confirmation,
	type ActionTarget,
} from './confirmation.ts';
import {formatLineEdit} from './line-edit.ts';
import {wrapText} from '../../renter/text/wrap.ts';

/** Line under the list: a title and a text. */
export type DialogFact = readonly [title: string, text: string];

export type DialogStyles = {
	readonly facts: readonly DialogFact[];
	/** Time at which the list was frozen, on the user's clock. */
	readonly frozenAt: string;
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
};

/** Part of a question between its heading and its answer that fits. */
type DialogView = {
	/** All of its lines. */
	readonly body: readonly string[];
	/** Line of the first target. */
	readonly targetsAt: number;
	/** First line in view, and the count of them. */
	readonly top: number;
	readonly rows: number;
	readonly isAtEnd: boolean;
};

/** Window of a question: all of it, or as much as fits above its answer. */
export function dialogView(asked: Confirmation, styles: DialogStyles): DialogView {
	const changes = changeLines(asked, styles);
	const below = [...factLines(styles), ...extraLines(asked, styles)];
	const body = [...changes, ...targetLines(asked, styles), ' ', ...below].slice(0, -1);
	const beside = 1 + closeLines(asked, styles).length;
	const isWhole = body.length + beside <= styles.height;
	const rows = isWhole ? body.length : Math.max(1, styles.height - beside - 1);
	const top = Math.max(0, Math.min(asked.top, body.length - rows));
	return {body, targetsAt: changes.length, top, rows, isAtEnd: top + rows >= body.length};
}

/** The question as lines; if not all fit of it, its part in view and where that is. */
export function dialogLines(asked: Confirmation, styles: DialogStyles): readonly string[] {
	const {theme, width, height, frozenAt} = styles;
	const title = spread(width, headingOf(asked), `as of ${frozenAt}`);
	const heading = theme.style('heading', title);
	const {body, top, rows, isAtEnd} = dialogView(asked, styles);
	const roomy = [heading, ' ', ...body, ' ', ...answerLines(asked, styles)];
	if (roomy.length <= height) return roomy;
	const last = top + rows;
	const goOn = isAtEnd ? 'PgUp reads it again' : 'PgDn reads on, then you can answer';
	const place = ` lines ${top + 1} to ${last} of ${body.length}: ${goOn}`;
	const places = rows === body.length ? [] : [theme.style('warning', fit(place, width))];
	const lines = [heading, ...body.slice(top, last), ...places, ...closeLines(asked, styles)];
	return lines.slice(0, height);
}

/** The question as content of a box, whose upper side says what it is, how much money it is, and as of when. */
export function boxedDialog(asked: Confirmation, styles: DialogStyles): Boxed {
	const [, ...lines] = dialogLines(asked, styles);
	const money = styles.facts.find(([title]) => title === 'Money')?.[1] ?? '';
	const sum =
		money === '' || money.length > LONGEST_SUM ? '' : ` · ${uncapital(money).replace(/\.$/, '')}`;
	return {
		title: `${headingOf(asked)}${sum}`,
		right: `as of ${styles.frozenAt}`,
		lines,
		meaning: grave.test(asked.question.verb) ? 'danger' : 'key',
	};
}

/** Longest sentence about money that stands in a heading. */
const LONGEST_SUM = 40;

/** Verbs of actions that cannot be taken back. */
const grave = /^(destroy|delete|remove|close|end)\b/;

/** The answer without its blank line. */
function closeLines(asked: Confirmation, styles: DialogStyles): readonly string[] {
	return answerLines(asked, styles).filter(line => line !== ' ');
}

function headingOf({question}: Confirmation): string {
	const {verb, noun, targets, occasion, canChoose = false} = question;
	const count = canChoose ? remaining(question).length : targets.length;
	const plural = count === 1 ? noun : `${count} ${noun}s`;
	return `${occasion === undefined ? '' : `${occasion}: `}${verb} ${plural}`.toUpperCase();
}

function targetLines(
	{question: {targets, canChoose = false}, cursor}: Confirmation,
	{theme, width}: DialogStyles,
): readonly string[] {
	const ids = Math.min(12, Math.max(...targets.map(({id}) => widthOf(printable(String(id))))));
	const names = Math.min(24, Math.max(...targets.map(({name}) => widthOf(printable(name)))));
	const write = (target: ActionTarget, at: number) => {
		const {id, name, detail} = target;
		const parts = [fit(printable(String(id)), ids), fit(printable(name), names), printable(detail)];
		const text = parts.filter(part => part.trim() !== '').join('  ');
		if (!canChoose) return fit(` ${text}`, width);
		return fit(`${at === cursor ? theme.glyphs.cursor : ' '}${boxOf(target)}${text}`, width);
	};
	return targets.map(write);
}

function boxOf({isLeftOut, state}: ActionTarget): string {
	return isLeftOut === true || state === GONE ? '[ ] ' : '[x] ';
}

function factLines({facts, width, theme}: DialogStyles): readonly string[] {
	if (facts.length === 0) return [];
	const titles = Math.max(...facts.map(([title]) => widthOf(title))) + 2;
	const lines = facts.flatMap(([title, text]) =>
		wrapText(text, width - titles - 2).map(
			(line, index) => ` ${theme.style('quiet', fit(index === 0 ? title : '', titles))}${line}`,
		),
	);
	return [...lines, ' '];
}

function changeLines({changes}: Confirmation, {theme, width}: DialogStyles): readonly string[] {
	if (changes.length === 0) return [];
	const lines = changes.flatMap(change => wrapText(`CHANGED ${change}`, width - 2));
	return [
		...lines.map(line => theme.style('danger', ` ${line}`)),
		' Look again: it is asked anew.',
		' ',
	];
}

function extraLines(asked: Confirmation, {width}: DialogStyles): readonly string[] {
	const {question, withExtra} = asked;
	const {extra} = question;
	const key = isTypedR(asked) ? 'Ctrl-R' : 'r';
	return extra === undefined
		? []
		: [fit(` ${withExtra ? '[x]' : '[ ]'} ${key}: ${extra}`, width), ' '];
}

function answerLines(asked: Confirmation, styles: DialogStyles): readonly string[] {
	const {width} = styles;
	const dropped =
		asked.dropped === 0
			? []
			: [fit(` Keys typed before this was read were dropped (${asked.dropped}).`, width)];
	return [...questionLines(asked, styles), ' ', buttonsLine(asked, styles), ...dropped];
}

function questionLines(asked: Confirmation, {theme, width}: DialogStyles): readonly string[] {
	if (remaining(asked.question).length === 0) return [` ${capital(nothingLeft(asked))}.`];
	if (asked.level < 2) return [];
	const [phrase = '', other] = phrasesOf(asked).map(printable);
	const alternative = other === undefined ? '' : ` (or its name, ${other})`;
	const lead = ` > `;
	return [
		...wrapText(`To confirm, type: ${phrase}${alternative}`, width - 2).map(line => ` ${line}`),
		lead + formatLineEdit(theme, asked.typed, {width: width - widthOf(lead) - 1, hasFocus: true}),
	];
}

function buttonsLine(asked: Confirmation, {theme}: DialogStyles): string {
	const {verb} = asked.question;
	const count = remaining(asked.question).length;
	const word = verb.charAt(0).toUpperCase() + verb.slice(1);
	const draw = (button: Button, title: string) =>
		asked.focus === button
			? `${theme.glyphs.cursor} ${theme.style('chosen', `[ ${title} ]`)}`
			: `  [ ${title} ]`;
	return ` ${draw('cancel', 'Cancel')}   ${draw('confirm', count > 1 ? `${word} ${count}` : word)}`;
}

/** The button, or the target that can be left out, at a cell of a question. */
export function targetAt(
	asked: Confirmation,
	styles: DialogStyles,
	{line, column}: {readonly line: number; readonly column: number},
): {readonly button: Button} | {readonly target: number} | undefined {
	const text = dialogLines(asked, styles)[line] ?? '';
	if (text === buttonsLine(asked, styles)) {
		const button = buttons[buttonAt(text, column) ?? -1];
		return button && {button};
	}
	const target = asked.question.canChoose ? targetLines(asked, styles).indexOf(text) : -1;
	return target === -1 ? undefined : {target};
}

/** Buttons from left to right. */
const buttons: readonly Button[] = ['cancel', 'confirm'];

/** Sentence about a button that cannot be pressed yet. */
export function notYet(asked: Confirmation): string {
	const phrase = phrasesOf(asked).map(printable)[0];
	if (phrase === undefined || remaining(asked.question).length === 0) {
		return `Not yet: ${nothingLeft(asked)}.`;
	}
	if (!isMistyped(asked)) return `Not yet: type ${phrase} first.`;
	const {verb} = asked.question;
	const done = /^(destroy|delete|remove|rent)$/.test(verb) ? verb.replace(/e?$/, 'ed') : 'changed';
	return `"${printable(asked.typed.text.trim())}" is not "${phrase}": nothing was ${done}.`;
}

function nothingLeft({question: {targets}}: Confirmation): string {
	return targets.some(({isLeftOut}) => isLeftOut === true)
		? 'nothing is chosen'
		: 'nothing of it is there any more';
}

function uncapital(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
