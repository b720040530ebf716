import {Box, Text} from 'ink';
import TextInput from 'ink-text-input';
import {useState} from 'react';
import {helpBindings} from '../app-bindings.ts';
import {ruleLine} from '../chrome.ts';
import {KeyScope} from '../key-scope.tsx';
import type {ReachableScope} from '../keymap.ts';
import {helpLines} from './help-lines.ts';
import type {Key} from '../terminal/input/keys.ts';
import type {Theme} from '../theme.ts';

type Props = {
	/** Scopes whose keys could be pressed when help was opened. */
	readonly scopes: readonly ReachableScope[];
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
	/** Hands a key to the search field. */
	readonly onType: (key: Key) => boolean;
	readonly onClose: () => void;
};

/** Title, search field and rule. */
const LINES_ABOVE = 2;
const LEAST_COLUMN = 38;
const GAP = 2;

/** Every key that works here, by scope, with the reason where one does not work now. */
export function Help({scopes, theme, width, height, onType, onClose}: Props) {
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
						{theme.style('heading', 'HELP')} {titleOf(scopes)} search&gt;{' '}
						<TextInput value={query} onChange={setQuery} />
					</Text>
					<Text>{`page ${shown + 1}/${pages}`}</Text>
				</Box>
				<Text>{ruleLine(theme, width)}</Text>
				<Box columnGap={GAP} width={width} height={room} overflow="hidden">
					{Array.from({length: columns}, (_, column) => (
						<HelpColumn
							key={`${query} ${column}`}
							lines={lines.slice(start + column * room, start + (column + 1) * room)}
							width={columnWidth}
						/>
					))}
				</Box>
			</Box>
		</KeyScope>
	);
}

function HelpColumn({lines, width}: {readonly lines: readonly string[]; readonly width: number}) {
	return (
		<Box width={width} flexShrink={0}>
			<Text wrap="truncate">{lines.join('\n')}</Text>
		</Box>
	);
}

/** Title of the screen: scopes without keys are skipped. */
function titleOf(scopes: readonly ReachableScope[]): string {
	return scopes.find(({bindings}) => bindings.length > 0)?.title ?? '';
}
