import type {EntryTarget} from '../../../list/saved-bindings.ts';
import {savedKeys, type SavedStore} from '../../../list/saved-list.ts';
import type {SettingsStore} from '../../../../renter/settings/default-settings.ts';
import type {Message} from '../../../message.ts';
import type {SavedTarget} from './saved-bindings.ts';
import {
	itemsOf,
	withoutItem,
	withSearch,
	withWatch,
	wordsOf,
	type SavedKind,
} from './saved-state.ts';

export type SavedOptions = {
	readonly view: SavedStore<SavedKind>;
	readonly settings: SettingsStore;
	/** The words in force at the place. */
	readonly words: string;
	/** Searches with other words; false where they cannot be understood. */
	readonly ask: (words: string) => boolean;
	readonly say: (message: Message) => void;
};

/** Handlers of the keys of the list, and of those while a name or a price is typed. */
export function savedTargets({view, settings, words, ask, say}: SavedOptions): {
	readonly list: SavedTarget;
	readonly entry: EntryTarget;
} {
	const items = () => itemsOf(settings.get());
	const {move, close, present, begin, leave, refuse} = savedKeys(view, items);
	const list: SavedTarget = {
		move,
		close,
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
			move(0);
			const what = item.kind === 'search' ? `"${item.search.name}"` : 'The watch';
			say({text: `${what} is removed. Its words were: ${wordsOf(item)}`, isError: false});
		},
		nothingSaved: () => (items().length === 0 ? 'nothing is saved yet' : undefined),
	};
	const entry: EntryTarget = {
		leave,
		accept() {
			const now = view.get();
			if (now?.entry === undefined) return;
			const {kind, line} = now.entry;
			const patch = (kind === 'name' ? withSearch : withWatch)(settings.get(), line.text, words);
			if (typeof patch === 'string') {
				refuse(patch);
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
	return {list, entry};
}
