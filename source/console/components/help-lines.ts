/** Help as lines: the keys of each scope, then what the signs of states mean, and how safe keys are. */
import {writeKeys, type Reachable} from '../bindings.ts';
import type {ReachableScope} from '../keymap.ts';
import {fit} from '../../renter/text/text-width.ts';
import type {Meaning, Theme} from '../theme.ts';
import {wrapText} from './wrap.ts';

export type HelpSize = {
	readonly width: number;
	/** Lines of a column, and columns of a page. */
	readonly room: number;
	readonly columns: number;
};

type Line = readonly [name: string, about: string, meaning?: Meaning];

const states: readonly Line[] = [
	['.', 'provisioning: nothing runs for it yet'],
	['~', 'loading its image, or slow at it'],
	['*', 'running', 'good'],
	['=', 'stopped: the disk is still charged'],
	['! STUCK', 'longer on its way than your limit', 'danger'],
	['! DEAD', 'exited, unknown or offline: will not recover', 'danger'],
	['! UNDEAD', 'destroyed, and still listed', 'danger'],
	['x', 'being destroyed, or gone'],
	['?', 'a state that is shown as it was sent'],
];

const safety: readonly Line[] = [
	['dialogs', 'keys of the first half second are ignored'],
	['pastes', 'can fill a field, never confirm'],
	['Enter', 'confirms nothing by itself; y or the typed word does'],
	['Ctrl-D', 'moves half a page, it never deletes'],
	['Backspace', 'never acts on rows'],
];

/** Everything that help shows for what is searched, in the order of its columns. */
export function helpLines(
	scopes: readonly ReachableScope[],
	query: string,
	size: HelpSize,
	theme: Theme,
): readonly string[] {
	const wanted = query.trim().toLowerCase();
	const isWanted = (text: string) => text.toLowerCase().includes(wanted);
	const keys = scopes.map(({title, bindings}) =>
		section(
			theme,
			title,
			bindings.filter(one => isWanted(searchText(one))).flatMap(keyLines(size, theme)),
		),
	);
	const notes = [section(theme, 'states', noteLines(states, isWanted, size, theme))];
	const safe = [section(theme, 'safe by design', noteLines(safety, isWanted, size, theme))];
	const sections = [...keys, ...notes, ...safe].filter(({length}) => length > 0);
	if (sections.length === 0) return [`No key here does "${query}".`];
	return sections.flat();
}

function searchText({keys, title}: Reachable): string {
	return `${writeKeys(keys)} ${title}`;
}

function section(theme: Theme, title: string, lines: readonly string[]): readonly string[] {
	return lines.length === 0 ? [] : [theme.style('heading', title.toUpperCase()), ...lines, ' '];
}

const KEYS_WIDTH = 12;

function keyLines(size: HelpSize, theme: Theme) {
	return ({keys, title, unavailable}: Reachable): readonly string[] => {
		const reason = unavailable();
		const why = reason === undefined ? '' : ` [${reason}]`;
		const lines = besideName(fit(writeKeys(keys), KEYS_WIDTH), title + why, size);
		return reason === undefined ? lines : lines.map(line => theme.style('quiet', line));
	};
}

/** Description behind a name, in full: over several lines where the name leaves no room. */
function besideName(name: string, about: string, {width}: HelpSize): readonly string[] {
	const [first = '', ...others] = wrapText(about, width - KEYS_WIDTH - 2);
	const below = ' '.repeat(KEYS_WIDTH + 2);
	return [` ${name} ${first}`, ...others.map(line => below + line)];
}

function noteLines(
	lines: readonly Line[],
	isWanted: (text: string) => boolean,
	size: HelpSize,
	theme: Theme,
): readonly string[] {
	return lines
		.filter(([name, about]) => isWanted(`${name} ${about}`))
		.flatMap(([name, about, meaning = 'plain']) =>
			besideName(theme.style(meaning, fit(name, KEYS_WIDTH)), about, size),
		);
}
