import {Box, Text} from 'ink';
import {useState, type ReactNode} from 'react';
import type {Env} from '../../../contract/rules/env.ts';
import {type LineEdit, editLine, insertText, formatLineEdit} from '../../ui/line-edit.ts';
import {KeyScope, Typing} from '../../ui/key-scope.tsx';
import {useStore} from '../../ui/painted.tsx';
import {useServices} from '../../services/services.tsx';
import {createStore, type Store} from '../../../renter/state/store.ts';
import type {Size} from '../../terminal/terminal.ts';
import {envBindings, envEntryBindings} from './bindings.ts';
import {
	applyEntry,
	cancelEntry,
	envTarget,
	envEntryKind,
	lineOfEnv,
	openEnv,
	writeRow,
	type EnvState,
} from './env-state.ts';
import {spread} from '../../ui/chrome.ts';
import {ruleLine} from '../../ui/rules.ts';
import {pickRow} from '../../ui/panes.ts';
import {wrapText} from '../../../renter/text/wrap.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import type {Theme} from '../../ui/theme.ts';

const KIND_WIDTH = 10;
const GUTTER = 2;
const MOST_FLAG_LINES = 4;

function envLines(state: EnvState, theme: Theme, size: Size): readonly string[] {
	const {columns, rows} = size;
	const count = state.env.length === 1 ? '1 entry' : `${state.env.length} entries`;
	const below = flagLines(state, theme, columns);
	const room = Math.max(1, rows - GUTTER - below.length);
	const entries = entryLines(state, theme, columns);
	const cursor = state.editing?.what === 'new' ? entries.length - 1 : state.at;
	const top = Math.max(0, Math.min(cursor - room + 1, entries.length - room));
	return [
		spread(columns, 'ENVIRONMENT AND PORTS', count),
		ruleLine(theme, columns),
		...Array.from({length: room}, (_, line) => entries[top + line] ?? ' '),
		...below,
	];
}

function entryLines(state: EnvState, theme: Theme, columns: number): readonly string[] {
	const {env, at, editing} = state;
	const lines = env.map((entry, index) => {
		const kind = envEntryKind(entry);
		if (index === at && editing?.what === 'entry') return typed(editing.line, kind, theme, columns);
		const text = fit(printable(writeRow(entry)), columns - KIND_WIDTH - GUTTER);
		const isHere = index === at && editing === undefined;
		return pickRow(theme, fit(kind, KIND_WIDTH) + text, {isHere, width: columns});
	});
	if (editing?.what === 'new') return [...lines, typed(editing.line, 'new', theme, columns)];
	return lines.length === 0 ? ['  nothing yet; n makes an entry'] : lines;
}

function flagLines(
	{env, editing, problem}: EnvState,
	theme: Theme,
	columns: number,
): readonly string[] {
	const flags = lineOfEnv(env);
	const said = 'line' in flags ? flags.line : flags.problem;
	const lines =
		editing?.what === 'flags'
			? [typed(editing.line, 'flags', theme, columns)]
			: wrapText(`As Docker flags:  ${said === '' ? 'none' : said}`, columns - 1);
	return [
		ruleLine(theme, columns),
		...lines.slice(0, MOST_FLAG_LINES),
		problem === undefined ? ' ' : theme.style('danger', fit(problem, columns)),
	];
}

function typed(line: LineEdit, kind: string, theme: Theme, columns: number): string {
	const look = {width: columns - KIND_WIDTH - GUTTER - 1, hasFocus: true};
	return `${theme.glyphs.cursor} ${fit(kind, KIND_WIDTH)}${formatLineEdit(theme, line, look)}`;
}

type Props = {
	readonly env: Env;
	readonly size: Size;
	readonly onDone: (env: Env) => void;
};

/** Names, values and ports in rows, and below them the equal Docker flags. */
export function EnvEditor({env, size, onDone}: Props) {
	const {theme} = useServices();
	const [store] = useState(() => createStore(openEnv(env)));
	const state = useStore(store);
	const lines = <Text wrap="truncate">{envLines(state, theme, size).join('\n')}</Text>;
	return (
		<KeyScope
			isModal
			title="Environment"
			bindings={envBindings}
			target={envTarget(store, () => onDone(store.get().env))}
		>
			<Typing onKey={key => typeEntry(store, line => editLine(line, key))}>
				{state.editing === undefined ? lines : <EntryScope store={store}>{lines}</EntryScope>}
			</Typing>
		</KeyScope>
	);
}

/** Edits the open line; false without one. */
function typeEntry(
	store: Store<EnvState>,
	step: (line: LineEdit) => LineEdit | undefined,
): boolean {
	const state = store.get();
	if (state.editing === undefined) return false;
	const line = step(state.editing.line) ?? state.editing.line;
	store.set({...state, editing: {...state.editing, line}});
	return true;
}

type EntryProps = {readonly store: Store<EnvState>; readonly children: ReactNode};

function EntryScope({store, children}: EntryProps) {
	return (
		<KeyScope
			isModal
			title="Entry"
			bindings={envEntryBindings}
			target={{
				apply: () => store.set(applyEntry(store.get())),
				cancel: () => store.set(cancelEntry(store.get())),
			}}
			onText={key => typeEntry(store, line => editLine(line, key))}
			onPaste={text => typeEntry(store, line => insertText(line, text))}
		>
			<Box>{children}</Box>
		</KeyScope>
	);
}
