import {writeKeys} from '../bindings.ts';
import {pad} from '../chrome.ts';
import type {ReachableScope} from '../keymap.ts';
import {widthOf} from '../terminal/output/text-width.ts';
import type {Theme} from '../theme.ts';

/** The bindings worth a hint, innermost scope first, as many as fit on a line. */
export function hintsLine(theme: Theme, width: number, scopes: readonly ReachableScope[]): string {
	const written: string[] = [];
	let used = 0;
	for (const {keys, hint} of scopes.flatMap(({bindings}) => bindings)) {
		if (hint === undefined) continue;
		const [key = ''] = keys;
		const needed = widthOf(`${key} ${hint}`) + (written.length === 0 ? 0 : 2);
		if (used + needed > width) break;
		used += needed;
		written.push(`${theme.style('key', writeKeys([key]))} ${hint}`);
	}
	return pad(written.join('  '), width);
}
