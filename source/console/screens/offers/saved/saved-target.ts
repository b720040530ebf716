import {editLine, emptyLine, insertText, type LineEdit} from '../../../components/line-edit.ts';
import type {SettingsStore} from '../../../../renter/settings/default-settings.ts';
import type {Message} from '../../../message.ts';
import type {Store} from '../../../../renter/store.ts';
import type {Key} from '../../../terminal/input/keys.ts';
import type {EntryTarget, SavedTarget} from './saved-bindings.ts';
import {
	itemsOf,
	withoutItem,
	withSearch,
	withWatch,
	wordsOf,
	type Entry,
	type SavedView,
} from './saved-state.ts';

export type SavedOptions = {
	readonly view: Store<SavedView | undefined>;
	readonly settings: SettingsStore;
	/** The words in force at the place. */
	readonly words: string;
	/** Searches with other words; false where they cannot be understood. */
	readonly ask: (words: string) => boolean;
	readonly say: (message: Message) => void;
};

/**
 * Handlers of the list's keys. They read the stores: several keys can come before anything is
 * drawn.
 */
export function savedTarget({view, settings, words, ask, say}: SavedOptions): SavedTarget {
	const items = () => itemsOf(settings.get());
	const clamped = (cursor: number) => Math.max(0, Math.min(cursor, items().length - 1));
	const change = (next: (now: SavedView) => SavedView) => {
		const now = view.get();
		if (now !== undefined) view.set(next(now));
	};
	// Keys that come before the line is drawn in which something is typed are no longer for the list.
	const present = () => {
		const now = view.get();
		return now === undefined || now.entry !== undefined ? undefined : items()[now.cursor];
	};
	const begin = (kind: Entry['kind']) => change(now => ({...now, entry: {kind, line: emptyLine}}));
	return {
		move: step => change(now => ({...now, cursor: clamped(now.cursor + step)})),
		apply() {
			const item = present();
			if (item === undefined) return;
			if (ask(wordsOf(item))) view.set(undefined);
			else {
				const text = `These words cannot be understood, and what was asked stays: ${wordsOf(item)}`;
				say({text, isError: true});
			}
		},
		saveNew() {
			if (words === '') {
				say({text: 'There are no words to save yet: / adds some.', isError: false});
			} else begin('name');
		},
		watch: () => begin('price'),
		remove() {
			const item = present();
			if (item === undefined) return;
			settings.change(withoutItem(settings.get(), item));
			change(now => ({...now, cursor: clamped(now.cursor)}));
			const what = item.kind === 'search' ? `"${item.search.name}"` : 'The watch';
			say({text: `${what} is removed. Its words were: ${wordsOf(item)}`, isError: false});
		},
		close: () => view.set(undefined),
		nothingSaved: () => (items().length === 0 ? 'nothing is saved yet' : undefined),
	};
}

/** Handlers of the keys while a name or a price is typed. */
export function entryTarget({view, settings, words, say}: SavedOptions): EntryTarget {
	function leave(): void {
		const now = view.get();
		if (now !== undefined) view.set(now.isBrief ? undefined : {...now, entry: undefined});
	}
	return {
		leave,
		accept() {
			const now = view.get();
			if (now?.entry === undefined) return;
			const {kind, line} = now.entry;
			const patch = (kind === 'name' ? withSearch : withWatch)(settings.get(), line.text, words);
			if (typeof patch === 'string') {
				view.set({...now, entry: {...now.entry, problem: patch}});
				return;
			}
			settings.change(patch);
			leave();
			const text =
				kind === 'name'
					? `Saved as "${line.text.trim()}". b lists what is saved.`
					: `Watched below $${line.text.trim().replace(/^\$/, '')} while rentty runs. b lists what is watched.`;
			say({text, isError: false});
		},
	};
}

/** Takes a key for the line that is being typed; false if it edits nothing. */
export function typeEntry(view: Store<SavedView | undefined>, key: Key): boolean {
	return editEntry(view, line => editLine(line, key));
}

export function pasteEntry(view: Store<SavedView | undefined>, text: string): boolean {
	return editEntry(view, line => insertText(line, text));
}

function editEntry(
	view: Store<SavedView | undefined>,
	edit: (line: LineEdit) => LineEdit | undefined,
): boolean {
	const now = view.get();
	if (now?.entry === undefined) return false;
	const line = edit(now.entry.line);
	if (line === undefined) return false;
	view.set({...now, entry: {kind: now.entry.kind, line}});
	return true;
}
