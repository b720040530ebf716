/** State of the palette: the typed words, the entries found, and recent choices. Outside React. */
import {editLine, emptyLine, insertText, newLineEdit, type LineEdit} from '../../ui/line-edit.ts';
import {createStore, type Readable} from '../../../renter/state/store.ts';
import type {Key} from '../../terminal/input/keys.ts';
import {found, type Findable} from '../../../renter/text/fuzzy.ts';
import type {Reachable} from '../../ui/bindings.ts';
import type {ReachableScope, Release} from '../../ui/keymap.ts';
import {
	themeNames,
	type Settings,
	type SettingsStore,
} from '../../../renter/settings/default-settings.ts';
import {renterTabs} from '../../services/router.ts';

/** Kinds of entries, each with the letter that finds it alone, before a colon. */
const kinds = {
	instance: 'i',
	offer: 'o',
	template: 't',
	key: 'k',
	search: 'b',
	profile: '@',
	place: 'g',
	setting: 's',
	help: '?',
	action: 'a',
} as const;

type Kind = keyof typeof kinds;

/** An action to run or a screen to go to by its name. */
export type PaletteEntry = Findable & {
	readonly kind: Kind;
	/** Id by which recent choices are remembered. */
	readonly id: string;
	/** Keys of the action as text; empty without one. */
	readonly keys: string;
	/** Reason why the action is unavailable. */
	readonly reason: string | undefined;
	readonly run: () => void;
};

/** Values of the fields that most entries leave empty. */
export const nothing = {
	kind: 'place',
	about: '',
	names: [],
	keys: '',
	reason: undefined,
} as const;

export type OverviewLine = readonly [name: string, words: string];

export type EntrySource = {
	/** All entries for a query: numbers and searches are made of the words themselves. */
	readonly entries: (query: string) => readonly PaletteEntry[];
	readonly overview: readonly OverviewLine[];
};

export type PaletteView = {
	readonly line: LineEdit;
	readonly entries: readonly PaletteEntry[];
	readonly chosen: number;
};

export type Palette = {
	/** Undefined while the palette is closed. */
	readonly view: Readable<PaletteView | undefined>;
	/** Recent choices, the last first. */
	readonly recent: () => readonly string[];
	readonly overview: () => readonly OverviewLine[];
	/** @param release ends the hold of what the entries act on */
	readonly open: (source: EntrySource, release?: Release) => void;
	readonly close: () => void;
	/** Edits the typed words; false for keys that edit nothing. */
	readonly type: (key: Key) => boolean;
	readonly paste: (text: string) => boolean;
	readonly move: (step: number) => void;
	readonly complete: () => void;
	/** Closes and runs the chosen entry, or says why that is unavailable. */
	readonly run: () => void;
};

const MOST_RECENT = 8;

export function createPalette(refuse: (entry: PaletteEntry, reason: string) => void): Palette {
	const view = createStore<PaletteView | undefined>(undefined);
	let recent: readonly string[] = [];
	let source: EntrySource | undefined;
	let release: Release | undefined;

	/** Closes it, and then runs what was chosen. */
	function close(act?: () => void): void {
		view.set(undefined);
		const end = release;
		release = undefined;
		if (end === undefined) act?.();
		else end(act);
	}
	function search(line: LineEdit): void {
		const {kind, words} = askedIn(line.text);
		const all = source?.entries(words) ?? [];
		const some = kind === undefined ? all : all.filter(entry => entry.kind === kind);
		view.set({line, entries: recentFirst(words, some, recent), chosen: 0});
	}
	function edit(change: (line: LineEdit) => LineEdit | undefined): boolean {
		const now = view.get();
		const line = now === undefined ? undefined : change(now.line);
		if (line === undefined) return false;
		// Cursor movements in the line keep the choice.
		if (now !== undefined && line.text === now.line.text) view.set({...now, line});
		else search(line);
		return true;
	}
	const chosen = () => {
		const now = view.get();
		return now?.entries[now.chosen];
	};
	return {
		view,
		recent: () => recent,
		overview: () => source?.overview ?? [],
		open(from, whenClosed) {
			source = from;
			release = whenClosed;
			search(emptyLine);
		},
		close: () => close(),
		type: key => edit(line => editLine(line, key)),
		paste: text => edit(line => insertText(line, text)),
		move(step) {
			const now = view.get();
			if (now === undefined || now.entries.length === 0) return;
			const last = now.entries.length - 1;
			view.set({...now, chosen: Math.max(0, Math.min(now.chosen + step, last))});
		},
		complete() {
			const entry = chosen();
			if (entry !== undefined) edit(() => newLineEdit(entry.title));
		},
		run() {
			const entry = chosen();
			if (entry === undefined) return;
			close(() => {
				if (entry.reason !== undefined) {
					refuse(entry, entry.reason);
					return;
				}
				recent = [entry.id, ...recent.filter(id => id !== entry.id)].slice(0, MOST_RECENT);
				entry.run();
			});
		},
	};
}

/** The kind that is asked for, as in `t: torch`, and the words behind it. */
function askedIn(text: string): {readonly kind: Kind | undefined; readonly words: string} {
	const [, letter, words = ''] = /^\s*(\S):\s*(.*)$/.exec(text) ?? [];
	const [kind] = Object.entries(kinds).find(([, own]) => own === letter) ?? [];
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of the kinds
	return kind === undefined ? {kind, words: text} : {kind: kind as Kind, words};
}

/** "4 found: 3 instances (i:), 1 template (t:)": the letters find one kind alone. */
export function foundText(entries: readonly PaletteEntry[]): string {
	const parts = [...Map.groupBy(entries, ({kind}) => kind)].map(
		([kind, some]) => `${some.length} ${manyOf(kind, some.length)} (${kinds[kind]}:)`,
	);
	return parts.length === 0 ? 'Nothing is found.' : `${entries.length} found: ${parts.join(', ')}`;
}

function manyOf(kind: Kind, count: number): string {
	if (kind === 'help') return count === 1 ? 'help topic' : 'help topics';
	if (count === 1) return kind;
	return kind === 'search' ? 'searches' : `${kind}s`;
}

/** Matches with recent choices before others that match no better. */
function recentFirst(
	query: string,
	entries: readonly PaletteEntry[],
	recent: readonly string[],
): readonly PaletteEntry[] {
	const known = recent.flatMap(id => entries.filter(entry => entry.id === id));
	const others = entries.filter(({id}) => !recent.includes(id));
	return found(query, [...known, ...others]);
}

type Found = {
	readonly scopes: readonly ReachableScope[];
	readonly places: readonly PaletteEntry[];
	readonly looks: readonly PaletteEntry[];
};

export function overviewOf({scopes, places, looks}: Found): readonly OverviewLine[] {
	const go = [
		...renterTabs.map(({title}) => title.toLowerCase()),
		...places.map(({title}) => title),
	];
	// Keys that work everywhere are known from every other screen.
	const here = scopes.slice(0, -1).flatMap(({bindings}) => bindings);
	return [
		['GO', go.join('  ')],
		['DO', here.flatMap(hintOf).join('  ')],
		['SHOW', inGroups(looks.map(({title}) => title)).join('  ')],
	];
}

/** A few words for an action that is possible now, with its key. */
function hintOf({hint, keys: [key], unavailable}: Reachable): readonly string[] {
	return hint === undefined || key === undefined || unavailable() !== undefined
		? []
		: [`${hint} (${key})`];
}

/** Titles with the same first word joined: "theme mono|light". */
function inGroups(titles: readonly string[]): readonly string[] {
	const groups = Map.groupBy(titles, title => title.replace(/ .*/, ''));
	return [...groups].map(
		([word, all]) => `${word} ${all.map(title => title.slice(word.length + 1)).join('|')}`,
	);
}

/** Settings of appearance, applied at once and stored. */
export function appearanceEntries(settings: SettingsStore): readonly PaletteEntry[] {
	const set = (title: string, about: string, patch: Partial<Settings>): PaletteEntry => ({
		...nothing,
		kind: 'setting',
		id: title,
		title,
		about,
		run: () => settings.change(patch),
	});
	return [
		...themeNames.map(theme => set(`theme ${theme}`, 'colours and looks', {theme})),
		set('signs ascii', 'lines and signs', {glyphs: 'ascii'}),
		set('signs unicode', 'lines and signs', {glyphs: 'unicode'}),
		set('mouse on', 'wheel and click; Shift selects text', {mouse: true}),
		set('mouse off', 'the terminal selects text', {mouse: false}),
	];
}
