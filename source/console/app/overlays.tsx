/** Overlays: help, the list of actions, the palette, a secret. */
import {Box, Text} from 'ink';
import TextInput from 'ink-text-input';
import {useState, type ReactNode} from 'react';
import {helpBindings, actionsBindings} from './app-bindings.ts';
import {ruleLine} from '../ui/rules.ts';
import {KeyScope} from '../ui/key-scope.tsx';
import type {ReachableScope, Release} from '../ui/keymap.ts';
import type {Key} from '../terminal/input/keys.ts';
import type {Theme, Meaning} from '../ui/theme.ts';
import {writeKeys, type Reachable} from '../ui/bindings.ts';
import {fit} from '../../renter/text/text-width.ts';
import {wrapText} from '../../renter/text/wrap.ts';
import {SecretDialog} from '../ui/secret-dialog.tsx';
import {useStore} from '../ui/painted.tsx';
import {useServices, useTerminal} from '../services/services.tsx';
import type {SecretOnScreen} from '../services/shown-secrets.ts';
import type {Size} from '../terminal/terminal.ts';
import {notNow, type Message} from '../ui/message.ts';
import {createStore, type Store} from '../../renter/state/store.ts';
import {formatLineEdit, editLine, emptyLine} from '../ui/line-edit.ts';
import {paletteHeight, PaletteOver} from './palette/palette.tsx';
import type {Palette} from './palette/state.ts';
import {Select} from '../ui/dialog.tsx';
import {signMeanings} from '../../renter/instance/state-signs.ts';
import {meaningOfCondition} from '../screens/instances/words.ts';

type HelpSize = {
	readonly width: number;
	/** Lines of a column, and columns of a page. */
	readonly room: number;
	readonly columns: number;
};

type Line = readonly [name: string, about: string, meaning?: Meaning];

const states: readonly Line[] = [
	...signMeanings.map(([sign, meaning, of]): Line => [sign, meaning, meaningOfCondition(of)]),
	['was …', 'the last known state: nothing was heard of it for a while'],
];

const safety: readonly Line[] = [
	['dialogs', 'keys of the first half second are ignored; yes counts once their end was in view'],
	['pastes', 'can fill a field, never confirm'],
	['Enter', 'confirms nothing by itself; y or the typed word does'],
	['Ctrl-D', 'moves half a page, it never deletes'],
	['Backspace', 'never acts on rows'],
];

/** Lines of help for a search, in the order of its columns. */
function helpLines(
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

/** Description behind a name, on several lines where needed. */
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

type HelpProps = {
	/** Scopes in reach when the overlay was opened. */
	readonly scopes: readonly ReachableScope[];
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
	readonly onType: (key: Key) => boolean;
	readonly onClose: () => void;
};

/** Title with the search field, and its rule. */
const LINES_ABOVE = 2;
const LEAST_COLUMN = 38;
const GAP = 2;

/** Keys in reach, by scope, with the reasons of unavailable ones. */
function Help({scopes, theme, width, height, onType, onClose}: HelpProps) {
	const [query, setQuery] = useState('');
	const [page, setPage] = useState(0);
	const columns = Math.max(1, Math.min(2, Math.floor(width / LEAST_COLUMN)));
	const columnWidth = Math.floor((width - GAP * (columns - 1)) / columns);
	const room = height - LINES_ABOVE;
	const lines = helpLines(scopes, query, {width: columnWidth, room, columns}, theme);
	const pages = Math.max(1, Math.ceil(lines.length / (room * columns)));
	const shown = Math.min(page, pages - 1);
	const start = shown * room * columns;
	return (
		<KeyScope
			isModal
			isOver
			title="Help"
			bindings={helpBindings}
			target={{
				close: onClose,
				page: (step: 1 | -1) => setPage(Math.max(0, Math.min(shown + step, pages - 1))),
			}}
			onText={key => {
				if (key !== 'Ctrl-U') return onType(key);
				setQuery('');
				return true;
			}}
		>
			<Box flexDirection="column" width={width} height={height} flexShrink={0}>
				<Box width={width} height={1} justifyContent="space-between">
					<Text wrap="truncate">
						{theme.style('heading', 'HELP')} {titleOf(scopes)} · type to find:{' '}
						<TextInput value={query} onChange={setQuery} />
					</Text>
					<Text>{`page ${shown + 1}/${pages}`}</Text>
				</Box>
				<Text>{ruleLine(theme, width)}</Text>
				<Box columnGap={GAP} width={width} height={room} overflow="hidden">
					{Array.from({length: columns}, (_, column) => (
						<Box key={`${query} ${column}`} width={columnWidth} flexShrink={0}>
							<Text wrap="truncate">
								{lines.slice(start + column * room, start + (column + 1) * room).join('\n')}
							</Text>
						</Box>
					))}
				</Box>
			</Box>
		</KeyScope>
	);
}

/** Title of the screen: scopes without keys are skipped. */
function titleOf(scopes: readonly ReachableScope[]): string {
	return scopes.find(({bindings}) => bindings.length > 0)?.title ?? '';
}

type MenuProps = HelpProps & {readonly onChoose: (binding: Reachable) => void};

/** All actions in reach, to choose from: each with its key, or the reason why it cannot be done. */
function ActionsMenu({scopes, theme, width, height, onType, onChoose, onClose}: MenuProps) {
	const bindings = scopes.flatMap(scope => scope.bindings);
	const [edited] = useState(() => createStore(emptyLine));
	const line = useStore(edited);
	const wanted = line.text.toLowerCase().split(' ');
	const items = bindings
		.map((binding, value) => {
			const reason = binding.unavailable();
			const title = reason === undefined ? binding.title : `${binding.title} [${reason}]`;
			return {value, label: fit(`${fit(writeKeys(binding.keys), 12)} ${title}`, width - 3)};
		})
		.filter(({label}) => wanted.every(word => label.toLowerCase().includes(word)));
	return (
		<KeyScope
			isModal
			isOver
			title="Actions"
			bindings={actionsBindings}
			target={{close: onClose}}
			onText={key => {
				const next = editLine(edited.get(), key);
				if (next === undefined) return onType(key);
				edited.set(next);
				return true;
			}}
		>
			<Box flexDirection="column" width={width} height={height} flexShrink={0} overflow="hidden">
				<Text wrap="truncate">
					{theme.style('heading', 'ACTIONS')} type to find:{' '}
					{formatLineEdit(theme, line, {width: Math.max(1, width - 24), hasFocus: true})}
				</Text>
				<Text wrap="truncate">{items.length === 0 ? 'No action here is called so.' : ' '}</Text>
				<Select
					key={line.text}
					items={items}
					limit={height - LINES_ABOVE}
					onSelect={({value}) => {
						const binding = bindings[value];
						if (binding !== undefined) onChoose(binding);
					}}
				/>
			</Box>
		</KeyScope>
	);
}

export type Overlay =
	| {readonly kind: 'help'; readonly scopes: readonly ReachableScope[]}
	| {
			readonly kind: 'actions';
			readonly scopes: readonly ReachableScope[];
			readonly release: Release;
	  }
	| undefined;

type OverProps = {
	readonly overlay: Overlay;
	readonly message: Pick<Store<Message | undefined>, 'set'>;
	readonly size: Size;
	readonly onClose: () => void;
};

function Over({overlay, message, size: {columns, rows}, onClose}: OverProps) {
	const {theme} = useServices();
	const {typeToInk} = useTerminal();
	if (overlay === undefined) return null;
	const {scopes} = overlay;
	const props = {scopes, theme, width: columns, height: rows, onType: typeToInk};
	if (overlay.kind === 'help') return <Help {...props} onClose={onClose} />;
	const {release} = overlay;
	return (
		<ActionsMenu
			{...props}
			onClose={() => {
				onClose();
				release();
			}}
			onChoose={binding => {
				onClose();
				release(() => {
					const reason = binding.unavailable();
					if (reason === undefined) binding.run();
					else message.set(notNow(reason));
				});
			}}
		/>
	);
}

type CoveredProps = OverProps & {
	readonly secret: SecretOnScreen | undefined;
	readonly palette: Palette;
	readonly children: ReactNode;
};

/** The screen with the overlays over it. The screen stays mounted, with all that was typed there. */
export function Covered({palette, secret, children, ...over}: CoveredProps) {
	const {theme} = useServices();
	const {columns, rows} = over.size;
	const isOpen = useStore(palette.view, state => state !== undefined);
	const isCovered = over.overlay !== undefined || secret !== undefined;
	const covered = isCovered ? rows : isOpen ? paletteHeight(rows) : 0;
	return (
		<>
			<Box height={rows - covered} flexShrink={0} flexDirection="column" overflow="hidden">
				<Box height={rows} flexShrink={0} flexDirection="column">
					{children}
				</Box>
			</Box>
			{secret === undefined ? (
				<>
					<Over {...over} />
					<PaletteOver {...{palette, theme}} width={columns} height={paletteHeight(rows)} />
				</>
			) : (
				<SecretDialog {...secret} theme={theme} size={over.size} />
			)}
		</>
	);
}
