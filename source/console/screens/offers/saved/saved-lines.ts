import {spread} from '../../../ui/chrome.ts';
import type {SavedFrame} from '../../../list/saved-list.ts';
import {count, known, money, timeOfDay} from '../../../../renter/text/format.ts';
import {fit, printable} from '../../../../renter/text/text-width.ts';
import type {PriceWatch, Settings} from '../../../../renter/settings/default-settings.ts';
import type {Theme} from '../../../ui/theme.ts';
import type {WatchState} from '../../../../renter/offers/watches.ts';
import {wordsOf, type SavedItem} from './saved-state.ts';

export type SavedLook = {
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
	readonly items: readonly SavedItem[];
	/** The words in force at the place. */
	readonly words: string;
	readonly stateOf: (item: SavedItem) => WatchState | undefined;
	/** Hourly price of the cheapest offer in view, all in. */
	readonly cheapest: number | undefined;
};

export function savedFrame(look: SavedLook): SavedFrame {
	const {theme, width, height, items, words, cheapest} = look;
	return {
		theme,
		width,
		height,
		title: 'SAVED SEARCHES AND WATCHES',
		amounts: amounts(items),
		rows: items.map(item => describeItem(item, look)),
		empty:
			'Nothing is saved or watched yet. n saves the present words under a name; m tells when an offer is to be had for less than a price.',
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
			'Tells when such an offer is to be had for less an hour, all in: title, bell and a line at the foot. It is looked for every 2 min while rentty runs.',
		],
	};
}

function amounts(items: readonly SavedItem[]): string {
	const searches = items.filter(({kind}) => kind === 'search').length;
	return `${count(searches)} saved, ${count(items.length - searches)} watched`;
}

function describeItem(item: SavedItem, look: SavedLook): string {
	const words = printable(wordsOf(item));
	const shown = words === '' ? 'every offer' : words;
	if (item.kind === 'watch') {
		const state = describeState(look.stateOf(item));
		const what = `${fit(`below ${money(item.watch.below)}/h`, 18)} ${shown}`;
		return spread(look.width - 2, what, state);
	}
	const isInForce = wordsOf(item) === look.words;
	return `${fit(printable(item.search.name) + (isInForce ? ' *' : ''), 18)} ${shown}`;
}

/** A watch in a few words: "4090 below $0.28/h". */
export function describeWatch({words, below}: PriceWatch): string {
	return `${words === '' ? 'every offer' : printable(words)} below ${money(below)}/h`;
}

/** The names of what is saved, that in force with a star: "saved [pairs*] [eu]". */
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
	const {told, lastHitAt, cheapest, queryAt} = state;
	const hits = told.size === 1 ? '1 hit' : `${count(told.size)} hits`;
	if (lastHitAt !== undefined) return `${hits} ${timeOfDay(lastHitAt).slice(0, 5)}`;
	const seen = cheapest === undefined ? 'none' : `cheapest ${known(money)(cheapest)}`;
	return `${seen} ${timeOfDay(queryAt).slice(0, 5)}`;
}
