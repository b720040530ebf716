import {writeKeys, type Reachable} from './bindings.ts';
import {pad} from './chrome.ts';
import type {ReachableScope} from './keymap.ts';
import {widthOf} from '../../renter/text/text-width.ts';
import type {Theme} from './theme.ts';

type Hint = {readonly key: string; readonly word: string; readonly isKept: boolean};

const GAP = 2;

/**
 * The bindings worth a hint, innermost scope first, as many as fit on a line. There is always room
 * for those that lead to all the others.
 */
export function hintsLine(theme: Theme, width: number, scopes: readonly ReachableScope[]): string {
	const all = scopes.flatMap(({bindings}) => bindings.flatMap(hintOf));
	// Of two that have one key the inner one is what it does.
	const hints = [...Map.groupBy(all, ({key}) => key).values()].flatMap(([first]) => first ?? []);
	const written = fitting(hints, width).map(({key, word}) => `${theme.style('key', key)} ${word}`);
	return pad(written.join(' '.repeat(GAP)), width);
}

function hintOf({keys, hint, keepsHint}: Reachable): readonly Hint[] {
	const [key] = keys;
	if (hint === undefined || key === undefined) return [];
	return [{key: writeKeys([key]), word: hint, isKept: keepsHint}];
}

/** The first hints, up to where one does not fit; kept ones from behind there take room of theirs. */
function fitting(hints: readonly Hint[], width: number): readonly Hint[] {
	const fits = (some: readonly Hint[]) => lengthOf(some) <= width;
	for (let count = hints.length; count > 0; count--) {
		const kept = hints.slice(count).filter(({isKept}) => isKept);
		const shown = [...hints.slice(0, count), ...kept];
		if (fits(shown)) return shown;
	}
	return hints.filter(({isKept}) => isKept).filter(hint => fits([hint]));
}

function lengthOf(hints: readonly Hint[]): number {
	const words = hints.map(({key, word}) => widthOf(`${key} ${word}`));
	return words.reduce((sum, word) => sum + word, GAP * Math.max(0, words.length - 1));
}
