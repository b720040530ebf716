import {ruleLine, spread} from '../../../chrome.ts';
import {wrapText} from '../../../components/wrap.ts';
import {drawLine} from '../../../components/text-field.tsx';
import {count, known, money, timeOfDay} from '../../../../renter/format.ts';
import {fit, printable, widthOf} from '../../../../renter/text/text-width.ts';
import type {PriceWatch, Settings} from '../../../../renter/settings/default-settings.ts';
import type {Theme} from '../../../theme.ts';
import type {WatchState} from '../../../../renter/offers/watches.ts';
import {wordsOf, type Entry, type SavedItem, type SavedView} from './saved-state.ts';

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

/** The whole list as lines. While something is typed, that alone is shown. */
export function savedLines({entry, cursor}: SavedView, look: SavedLook): readonly string[] {
	const {theme, width, height, items} = look;
	const above = [
		spread(width, 'SAVED SEARCHES AND WATCHES', amounts(items)),
		ruleLine(theme, width),
	];
	if (entry !== undefined) return [...above, ...entryLines(entry, look)].slice(0, height);
	if (items.length === 0) return [...above, ...emptyLines(width)].slice(0, height);
	const room = Math.max(1, height - above.length);
	const top = Math.max(0, Math.min(cursor - Math.floor(room / 2), items.length - room));
	const rows = items.slice(top, top + room).map((item, at) => {
		const text = fit(describeItem(item, look), width - 2);
		const isHere = top + at === cursor;
		return isHere ? `${theme.glyphs.cursor} ${theme.style('chosen', text)}` : `  ${text}`;
	});
	return [...above, ...rows];
}

function amounts(items: readonly SavedItem[]): string {
	const searches = items.filter(({kind}) => kind === 'search').length;
	return `${count(searches)} saved, ${count(items.length - searches)} watched`;
}

function emptyLines(width: number): readonly string[] {
	return [
		'',
		...wrapText(
			'Nothing is saved or watched yet. n saves the present words under a name; m tells when an offer is to be had for less than a price.',
			width - 2,
		).map(line => ` ${line}`),
	];
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
	if (state?.askedAt === undefined) return 'not asked yet';
	const {told, lastHitAt, cheapest, askedAt} = state;
	const hits = told.size === 1 ? '1 hit' : `${count(told.size)} hits`;
	if (lastHitAt !== undefined) return `${hits} ${timeOfDay(lastHitAt).slice(0, 5)}`;
	const seen = cheapest === undefined ? 'none' : `cheapest ${known(money)(cheapest)}`;
	return `${seen} ${timeOfDay(askedAt).slice(0, 5)}`;
}

function entryLines(entry: Entry, {theme, width, words, cheapest}: SavedLook): readonly string[] {
	const isName = entry.kind === 'name';
	const about = isName
		? 'Saves these words under a name, in the settings file.'
		: 'Tells when such an offer is to be had for less an hour, all in: title, bell and a line at the foot. It is looked for every 2 min while rentty runs.';
	const prompt = isName ? 'name> ' : 'below $/h> ';
	const field = drawLine(theme, entry.line, {width: width - 1 - widthOf(prompt), hasFocus: true});
	const present = words === '' ? 'every offer' : printable(words);
	return [
		fit(` words    ${present}`, width),
		` ${prompt}${field}`,
		entry.problem === undefined
			? ''
			: ` ${theme.style('danger', fit(printable(entry.problem), width - 1))}`,
		...(isName || cheapest === undefined ? [] : [` cheapest now ${money(cheapest)}/h all-in`]),
		...wrapText(about, width - 2).map(line => ` ${line}`),
	];
}
