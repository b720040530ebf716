/** The list of saved searches and watches: its cursor, its typed line, and its drawing. */
import {emptyLine} from '../../../ui/line-edit.ts';
import {
	openList,
	type SavedList,
	closeSaved,
	savedMoves,
	type SavedMoves,
	type SavedFrame,
} from '../../../list/saved-list.ts';
import type {
	PriceWatch,
	SavedSearch,
	Settings,
} from '../../../../renter/settings/default-settings.ts';
import {keptByStackEntry, type StackEntry} from '../../../services/router.ts';
import {createStore} from '../../../../renter/state/store.ts';
import type {Bindings} from '../../../ui/bindings.ts';
import {spread} from '../../../ui/chrome.ts';
import {count, known, money, timeOfDay} from '../../../../renter/text/format.ts';
import {fit, printable} from '../../../../renter/text/text-width.ts';
import type {Theme} from '../../../ui/theme.ts';
import type {WatchState} from '../../../../renter/offers/watches.ts';

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
		id: 'use-search',
		title: 'search with these words',
		hint: 'search',
		run: list => list.apply(),
		unavailable: list => list.nothingSaved(),
	},
	...savedMoves,
	{
		keys: ['n'],
		id: 'save-search',
		title: 'save the present words under a name',
		hint: 'save',
		run: list => list.saveNew(),
	},
	{
		keys: ['m'],
		id: 'watch-price',
		title: 'watch the present words for a price',
		hint: 'watch',
		run: list => list.watch(),
	},
	{
		keys: ['x'],
		id: 'remove-saved',
		title: 'remove it from the list',
		hint: 'remove',
		isChange: true,
		run: list => list.remove(),
		unavailable: list => list.nothingSaved(),
	},
	...closeSaved,
];

/** A name for the present words, or the price below which they are watched. */
export type SavedKind = 'name' | 'price';

export const savedListAt = keptByStackEntry(() =>
	createStore<SavedList<SavedKind> | undefined>(undefined),
);

const openWatch: SavedList<SavedKind> = {
	cursor: 0,
	entry: {kind: 'price', line: emptyLine},
	isBrief: true,
};

export function openSavedKeys(stackEntry: StackEntry) {
	const view = savedListAt(stackEntry);
	return {saved: () => view.set(openList), watch: () => view.set(openWatch)};
}

export type SavedKeys = ReturnType<typeof openSavedKeys>;

type SavedItem =
	| {readonly kind: 'search'; readonly search: SavedSearch}
	| {readonly kind: 'watch'; readonly watch: PriceWatch};

export function itemsOf({searches, watches}: Settings): readonly SavedItem[] {
	return [
		...searches.map(search => ({kind: 'search' as const, search})),
		...watches.map(watch => ({kind: 'watch' as const, watch})),
	];
}

export function savedSearchText(item: SavedItem): string {
	return item.kind === 'search' ? item.search.words : item.watch.words;
}

const LONGEST_NAME = 40;

/** Saves words under a name, replacing that name's; a sentence for an invalid name. */
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

/** Name for words that are saved under none: their beginning, with a number if others have it. */
export function nameFor({searches}: Pick<Settings, 'searches'>, words: string): string {
	for (let turn = 1; ; turn++) {
		const end = turn === 1 ? '' : ` ${turn}`;
		const name = `${words
			.trim()
			.slice(0, LONGEST_NAME - end.length)
			.trim()}${end}`;
		const other = searches.find(saved => saved.name === name);
		if (other === undefined || other.words === words) return name;
	}
}

/** Watches words below a price; a sentence for an invalid price. */
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

type SavedLayout = {
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
	readonly items: readonly SavedItem[];
	readonly words: string;
	readonly stateOf: (item: SavedItem) => WatchState | undefined;
	/** Hourly price of the cheapest offer in view, all in. */
	readonly cheapest: number | undefined;
};

export function savedFrame(layout: SavedLayout): SavedFrame {
	const {theme, width, height, items, words, cheapest} = layout;
	return {
		theme,
		width,
		height,
		title: 'SAVED SEARCHES AND WATCHES',
		amounts: amounts(items),
		rows: items.map(item => describeItem(item, layout)),
		empty:
			'Nothing is saved or watched yet. n saves the present words under a name; m alerts when an offer costs less than a price.',
		typing: kind => ({
			words: words === '' ? 'every offer' : printable(words),
			...(kind === 'name' ? typedName : typedPrice(cheapest)),
		}),
	};
}

const typedName = {
	prompt: 'name> ',
	about: ['Saves these words under a name, in the settings file.'],
};

function typedPrice(cheapest: number | undefined) {
	return {
		prompt: 'below $/h> ',
		about: [
			...(cheapest === undefined ? [] : [`cheapest now ${money(cheapest)}/h all-in`]),
			'You are told here, by bell and title, when one costs less, all in. It is looked for every 2 min while rentty runs.',
		],
	};
}

function amounts(items: readonly SavedItem[]): string {
	const searches = items.filter(({kind}) => kind === 'search').length;
	return `${count(searches)} saved, ${count(items.length - searches)} watched`;
}

function describeItem(item: SavedItem, layout: SavedLayout): string {
	const words = printable(savedSearchText(item));
	const shown = words === '' ? 'every offer' : words;
	if (item.kind === 'watch') {
		const state = describeState(layout.stateOf(item));
		const what = `${fit(`below ${money(item.watch.below)}/h`, 18)} ${shown}`;
		return spread(layout.width - 2, what, state);
	}
	const isInForce = savedSearchText(item) === layout.words;
	return `${fit(printable(item.search.name) + (isInForce ? ' *' : ''), 18)} ${shown}`;
}

/** A watch in a few words: "4090 below $0.28/h". */
export function describeWatch({words, below}: PriceWatch): string {
	return `${words === '' ? 'every offer' : printable(words)} below ${money(below)}/h`;
}

/** Names of the saved searches, the one in force with a star: "saved [pairs*] [eu]". */
export function savedNames({searches}: Settings, words: string): string {
	if (searches.length === 0) return '';
	const names = searches.map(search => {
		const isInForce = search.words === words;
		return `[${printable(search.name)}${isInForce ? '*' : ''}]`;
	});
	return `saved ${names.join(' ')}`;
}

/** Finding of a watch: its last hit, or the cheapest offer instead. */
export function describeState(state: WatchState | undefined): string {
	if (state?.problem !== undefined) return printable(state.problem);
	if (state?.queryAt === undefined) return 'not asked yet';
	const {announced, lastHitAt, cheapest, queryAt} = state;
	const hits = announced.size === 1 ? '1 hit' : `${count(announced.size)} hits`;
	if (lastHitAt !== undefined) return `${hits} ${timeOfDay(lastHitAt).slice(0, 5)}`;
	const seen = cheapest === undefined ? 'none' : `cheapest ${known(money)(cheapest)}`;
	return `${seen} ${timeOfDay(queryAt).slice(0, 5)}`;
}
