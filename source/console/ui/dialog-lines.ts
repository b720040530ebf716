/** Drawing of a question. Colour alone says nothing. */
import {spread} from './chrome.ts';
import {fit, printable, widthOf} from '../../renter/text/text-width.ts';
import type {Theme} from './theme.ts';
import {
	GONE,
	isTypedR,
	phrasesOf,
	remaining,
	type Button,
	type Confirmation,
	type ActionTarget,
} from './confirmation.ts';
import {drawLine} from './line-edit.ts';
import {wrapText} from './panes.ts';

/** Line under the list: a title and a text. */
export type DialogFact = readonly [title: string, text: string];

export type DialogLook = {
	readonly facts: readonly DialogFact[];
	/** Time at which the list was frozen, on the user's clock. */
	readonly frozenAt: string;
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
	/** Targets scrolled past. */
	readonly top: number;
};

/** The whole question as lines; the list gives way where there is not room for all. */
export function dialogLines(asked: Confirmation, look: DialogLook): readonly string[] {
	const {theme, width, height, frozenAt} = look;
	const heading = spread(width, headingOf(asked), `list frozen at ${frozenAt}`);
	const below = belowTargets(asked, look);
	const room = Math.max(1, height - 3 - below.length);
	const list = targetLines(asked, {...look, room});
	return [theme.style('heading', heading), ' ', ...list, ' ', ...below].slice(0, height);
}

/** Count of targets in view. */
export function targetRoom(asked: Confirmation, look: DialogLook): number {
	return Math.max(1, look.height - 3 - belowTargets(asked, look).length);
}

/** So many of the targets are seen before anything is said of them. */
const LEAST_TARGETS = 3;

/** Facts, changes, and the answer; where there is not room for all, the last facts give way. */
function belowTargets(asked: Confirmation, look: DialogLook): readonly string[] {
	const answer = [
		...changeLines(asked, look),
		...extraLines(asked, look),
		...answerLines(asked, look),
	];
	const facts = factLines(look);
	// Heading and two blank lines; what is asked about comes before what is said of it.
	const targets = Math.min(LEAST_TARGETS, asked.question.targets.length);
	const room = Math.max(0, look.height - 3 - targets - answer.length);
	if (facts.length <= room) return [...facts, ...answer];
	if (room < 2) return answer;
	const more = fit(' ... a larger window shows the rest', look.width);
	return [...facts.slice(0, room - 2), more, ' ', ...answer];
}

function headingOf({question}: Confirmation): string {
	const {verb, noun, targets, occasion, canChoose = false} = question;
	const count = canChoose ? remaining(question).length : targets.length;
	const plural = count === 1 ? noun : `${count} ${noun}s`;
	return `${occasion === undefined ? '' : `${occasion}: `}${verb} ${plural}`.toUpperCase();
}

function targetLines(
	{question: {targets, canChoose = false}, cursor}: Confirmation,
	{theme, width, room, top}: DialogLook & {readonly room: number},
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
	if (targets.length <= room) return targets.map(write);
	const shown = targets.slice(top, top + room - 1).map((target, at) => write(target, top + at));
	const last = top + shown.length;
	return [
		...shown,
		fit(` ${top + 1} to ${last} of ${targets.length}, PgUp PgDn show the rest`, width),
	];
}

function boxOf({isLeftOut, state}: ActionTarget): string {
	return isLeftOut === true || state === GONE ? '[ ] ' : '[x] ';
}

function factLines({facts, width}: DialogLook): readonly string[] {
	if (facts.length === 0) return [];
	const titles = Math.max(...facts.map(([title]) => widthOf(title))) + 2;
	const lines = facts.flatMap(([title, text]) =>
		wrapText(text, width - titles - 2).map(
			(line, index) => ` ${fit(index === 0 ? title : '', titles)}${line}`,
		),
	);
	return [...lines, ' '];
}

function changeLines({changes}: Confirmation, {theme, width}: DialogLook): readonly string[] {
	if (changes.length === 0) return [];
	const lines = changes.flatMap(change => wrapText(`CHANGED ${change}`, width - 2));
	return [
		...lines.map(line => theme.style('danger', ` ${line}`)),
		' Look again: it is asked anew.',
		' ',
	];
}

function extraLines(asked: Confirmation, {width}: DialogLook): readonly string[] {
	const {question, withExtra} = asked;
	const {extra} = question;
	const key = isTypedR(asked) ? 'Ctrl-R' : 'r';
	return extra === undefined
		? []
		: [fit(` ${withExtra ? '[x]' : '[ ]'} ${key}: ${extra}`, width), ' '];
}

function answerLines(asked: Confirmation, look: DialogLook): readonly string[] {
	const {width} = look;
	const dropped =
		asked.dropped === 0
			? []
			: [fit(` Keys typed before this was read were dropped (${asked.dropped}).`, width)];
	return [...questionLines(asked, look), ' ', buttonsLine(asked, look), ...dropped];
}

function questionLines(asked: Confirmation, {theme, width}: DialogLook): readonly string[] {
	if (remaining(asked.question).length === 0) return [` ${capital(nothingLeft(asked))}.`];
	if (asked.level < 2) return [];
	const [phrase = '', other] = phrasesOf(asked).map(printable);
	const alternative = other === undefined ? '' : ` or the last four digits, ${other}`;
	const lead = ` > `;
	return [
		...wrapText(`To confirm, type: ${phrase}${alternative}`, width - 2).map(line => ` ${line}`),
		lead + drawLine(theme, asked.typed, {width: width - widthOf(lead) - 1, hasFocus: true}),
	];
}

function buttonsLine(asked: Confirmation, {theme}: DialogLook): string {
	const {verb} = asked.question;
	const count = remaining(asked.question).length;
	const word = verb.charAt(0).toUpperCase() + verb.slice(1);
	const draw = (button: Button, title: string) =>
		asked.focus === button
			? `${theme.glyphs.cursor} ${theme.style('chosen', `[ ${title} ]`)}`
			: `  [ ${title} ]`;
	return ` ${draw('cancel', 'Cancel')}   ${draw('confirm', count > 1 ? `${word} ${count}` : word)}`;
}

/** Hint for a button that cannot be pressed yet. */
export function notYet(asked: Confirmation): string {
	const phrase = phrasesOf(asked).map(printable)[0];
	return phrase === undefined || remaining(asked.question).length === 0
		? nothingLeft(asked)
		: `type ${phrase} first`;
}

function nothingLeft({question: {targets}}: Confirmation): string {
	return targets.some(({isLeftOut}) => isLeftOut === true)
		? 'nothing is chosen'
		: 'nothing of it is there any more';
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
