/** A list of saved records with names: its keys, its cursor, and the line being typed. */
import {fit, printable, widthOf} from '../../renter/text/text-width.ts';
import type {Store} from '../../renter/state/store.ts';
import {spread} from '../ui/chrome.ts';
import {ruleLine} from '../ui/rules.ts';
import {editLine, insertText, newLineEdit, type LineEdit, formatLineEdit} from '../ui/line-edit.ts';
import {pickRow} from '../ui/panes.ts';
import {wrapText} from '../../renter/text/wrap.ts';
import type {Theme} from '../ui/theme.ts';
import type {Bindings} from '../ui/bindings.ts';

/** A name, a price or a key while it is typed. */
type SavedEntry<Kind extends string> = {
	readonly kind: Kind;
	readonly line: LineEdit;
	readonly problem?: string;
};

export type SavedList<Kind extends string> = {
	readonly cursor: number;
	readonly entry: SavedEntry<Kind> | undefined;
	/** The list was opened for this entry alone, and closes after it. */
	readonly isBrief: boolean;
};

/** The list is open over a screen, or is not. */
export type SavedStore<Kind extends string> = Store<SavedList<Kind> | undefined>;

export const openList = {cursor: 0, entry: undefined, isBrief: false} as const;

/** Key methods of an open list. The methods read the store: several keys can come before a frame is drawn. */
export function savedListKeys<Kind extends string, Item>(
	view: SavedStore<Kind>,
	items: () => readonly Item[],
) {
	const clamped = (cursor: number) => Math.max(0, Math.min(cursor, items().length - 1));
	const change = (next: (now: SavedList<Kind>) => SavedList<Kind> | undefined) => {
		const now = view.get();
		if (now !== undefined) view.set(next(now));
	};
	return {
		move: (step: number) => change(now => ({...now, cursor: clamped(now.cursor + step)})),
		close: () => view.set(undefined),
		// Keys that come before the open line is drawn belong to the line, not to the list.
		present: () => {
			const now = view.get();
			return now === undefined || now.entry !== undefined ? undefined : items()[now.cursor];
		},
		/** Opens the line for something, with a text to begin with. */
		begin: (kind: Kind, text = '') =>
			change(now => ({...now, entry: {kind, line: newLineEdit(text)}})),
		/** Leaves the line, and a list that was opened for it alone. */
		leave: () => change(now => (now.isBrief ? undefined : {...now, entry: undefined})),
		refuse: (problem: string) =>
			change(now => (now.entry === undefined ? now : {...now, entry: {...now.entry, problem}})),
	};
}

/** Takes a key for the line that is being typed; false if it edits nothing. */
export function editEntry<Kind extends string>(
	view: SavedStore<Kind>,
	edit: (line: LineEdit) => LineEdit | undefined,
): boolean {
	const now = view.get();
	if (now?.entry === undefined) return false;
	const line = edit(now.entry.line);
	if (line === undefined) return false;
	view.set({...now, entry: {kind: now.entry.kind, line}});
	return true;
}

export const typedKey = (key: string) => (line: LineEdit) => editLine(line, key);
export const pastedText = (text: string) => (line: LineEdit) => insertText(line, text);

export type SavedFrame = {
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
	readonly title: string;
	/** The count in words. */
	readonly amounts: string;
	readonly rows: readonly string[];
	/** The sentence of an empty list. */
	readonly empty: string;
	/** The saved words, the prompt of the line, and the lines below it. */
	readonly typing: (kind: string) => {
		readonly words: string;
		readonly prompt: string;
		readonly about: readonly string[];
	};
};

/** The whole list as lines; while a line is typed, that line alone. */
export function savedListLines<Kind extends string>(
	{entry, cursor}: SavedList<Kind>,
	frame: SavedFrame,
): readonly string[] {
	const {theme, width, height, title, amounts, rows, empty} = frame;
	const above = [spread(width, title, amounts), ruleLine(theme, width)];
	if (entry !== undefined) return [...above, ...entryLines(entry, frame)].slice(0, height);
	if (rows.length === 0) return [...above, '', ...noteLines(empty, width)].slice(0, height);
	const room = Math.max(1, height - above.length);
	const top = Math.max(0, Math.min(cursor - Math.floor(room / 2), rows.length - room));
	const shown = rows.slice(top, top + room).map((row, at) => {
		const text = fit(row, width - 2);
		const isHere = top + at === cursor;
		return pickRow(theme, text, {isHere, width});
	});
	return [...above, ...shown];
}

function entryLines(
	{kind, line, problem}: SavedEntry<string>,
	{theme, width, typing}: SavedFrame,
): readonly string[] {
	const {words, prompt, about} = typing(kind);
	const field = formatLineEdit(theme, line, {width: width - 1 - widthOf(prompt), hasFocus: true});
	const wrong = problem === undefined ? '' : fit(printable(problem), width - 1);
	return [
		fit(` words    ${words}`, width),
		` ${prompt}${field}`,
		wrong === '' ? '' : ` ${theme.style('danger', wrong)}`,
		...about.flatMap(text => noteLines(text, width)),
	];
}

function noteLines(text: string, width: number): readonly string[] {
	return wrapText(text, width - 2).map(line => ` ${line}`);
}

export type SavedMoves = Pick<ReturnType<typeof savedListKeys>, 'move' | 'close'>;

export const savedMoves: Bindings<SavedMoves> = [
	{keys: ['j', 'Down'], id: 'down', title: 'down', run: list => list.move(1)},
	{keys: ['k', 'Up'], id: 'up', title: 'up', run: list => list.move(-1)},
	{
		keys: ['g', 'Home'],
		id: 'first',
		title: 'first',
		run: list => list.move(Number.NEGATIVE_INFINITY),
	},
	{keys: ['G', 'End'], id: 'last', title: 'last', run: list => list.move(Number.POSITIVE_INFINITY)},
];

export const closeSaved: Bindings<SavedMoves> = [
	{
		keys: ['Esc', 'q', 'b'],
		id: 'close-the-list',
		title: 'close the list',
		hint: 'close',
		run: list => list.close(),
	},
];

export type EntryTarget = {readonly accept: () => void; readonly leave: () => void};

export const entryBindings: Bindings<EntryTarget> = [
	{keys: ['Enter'], id: 'keep-it', title: 'keep it', hint: 'keep', run: entry => entry.accept()},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-it',
		title: 'leave it',
		hint: 'leave',
		run: entry => entry.leave(),
	},
];
