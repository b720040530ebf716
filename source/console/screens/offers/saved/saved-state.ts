/** The list of what is saved and watched: what is chosen in it, and what is being typed. */
import {emptyLine} from '../../../ui/line-edit.ts';
import {openList, type SavedList} from '../../../list/saved-list.ts';
import type {
	PriceWatch,
	SavedSearch,
	Settings,
} from '../../../../renter/settings/default-settings.ts';
import {kept, type Place} from '../../../services/router.ts';
import {createStore} from '../../../../renter/state/store.ts';
import type {Bindings} from '../../../ui/bindings.ts';
import {closeSaved, savedMoves, type SavedMoves} from '../../../list/saved-bindings.ts';

/** Target of the keys of saved searches and watches. */
export type SavedTarget = SavedMoves & {
	readonly apply: () => void;
	readonly saveNew: () => void;
	readonly watch: () => void;
	readonly remove: () => void;
	readonly nothingSaved: () => string | undefined;
};

export const savedBindings: Bindings<SavedTarget> = [
	{
		keys: ['Enter'],
		id: 'search-with-these-words',
		title: 'search with these words',
		hint: 'search',
		does: 'apply',
		unavailable: 'nothingSaved',
	},
	...savedMoves,
	{
		keys: ['n'],
		id: 'save-the-present-words-under-a-name',
		title: 'save the present words under a name',
		hint: 'save',
		does: 'saveNew',
	},
	{
		keys: ['m'],
		id: 'watch-the-present-words-for-a-price',
		title: 'watch the present words for a price',
		hint: 'watch',
		does: 'watch',
	},
	{
		keys: ['x'],
		id: 'remove-it-from-the-list',
		title: 'remove it from the list',
		hint: 'remove',
		isChange: true,
		does: 'remove',
		unavailable: 'nothingSaved',
	},
	...closeSaved,
];

/** A name for the present words, or the price below which they are watched. */
export type SavedKind = 'name' | 'price';

/** Saved list of a place: it stays open there. */
export const savedAt = kept(() => createStore<SavedList<SavedKind> | undefined>(undefined));

const openWatch: SavedList<SavedKind> = {
	cursor: 0,
	entry: {kind: 'price', line: emptyLine},
	isBrief: true,
};

/** Target of the keys that open the saved list. */
export type SavedKeys = {readonly saved: () => void; readonly watch: () => void};

export function savedKeys(place: Place): SavedKeys {
	const view = savedAt(place);
	return {saved: () => view.set(openList), watch: () => view.set(openWatch)};
}

export type SavedItem =
	| {readonly kind: 'search'; readonly search: SavedSearch}
	| {readonly kind: 'watch'; readonly watch: PriceWatch};

/** Items of the list, from the top. */
export function itemsOf({searches, watches}: Settings): readonly SavedItem[] {
	return [
		...searches.map(search => ({kind: 'search' as const, search})),
		...watches.map(watch => ({kind: 'watch' as const, watch})),
	];
}

export function wordsOf(item: SavedItem): string {
	return item.kind === 'search' ? item.search.words : item.watch.words;
}

export const LONGEST_NAME = 40;

/** Saves words under a name, in place of what had that name; a sentence where the name is none. */
export function withSearch(
	{searches}: Settings,
	typed: string,
	words: string,
): Partial<Settings> | string {
	const name = typed.trim();
	if (name === '') return 'A search is saved under a name: type one, or Esc leaves.';
	if (name.length > LONGEST_NAME) return `A name has at most ${LONGEST_NAME} characters.`;
	const search = {name, words};
	return searches.some(saved => saved.name === name)
		? {searches: searches.map(saved => (saved.name === name ? search : saved))}
		: {searches: [...searches, search]};
}

/** Watches words below a price; a sentence where the price is none. */
export function withWatch(
	{watches}: Settings,
	typed: string,
	words: string,
): Partial<Settings> | string {
	const [, amount] = /^\$?((?:\d*\.)?\d+)(?:\s*\/\s*h)?$/.exec(typed.trim()) ?? [];
	const below = Number(amount);
	if (amount === undefined || below === 0) {
		return `"${typed.trim()}" is no price: expected dollars per hour, like 0.28.`;
	}
	const others = watches.filter(watch => watch.words !== words || watch.below !== below);
	return {watches: [...others, {words, below}]};
}

export function withoutItem({searches, watches}: Settings, item: SavedItem): Partial<Settings> {
	return item.kind === 'search'
		? {searches: searches.filter(search => search !== item.search)}
		: {watches: watches.filter(watch => watch !== item.watch)};
}
