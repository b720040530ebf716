import {Box, Text} from 'ink';
import {useState, type ReactNode} from 'react';
import type {Env} from '../../../contract/env.ts';
import {editLine, insertText, type LineEdit} from '../../components/line-edit.ts';
import {KeyScope} from '../../key-scope.tsx';
import {Typing} from '../../components/typing.tsx';
import {useStore} from '../../components/use-store.ts';
import {useServices} from '../../services.tsx';
import {createStore, type Store} from '../../../renter/store.ts';
import type {Size} from '../../terminal/terminal.ts';
import {envBindings, envEntryBindings, type EnvTarget} from './env-bindings.ts';
import {envLines} from './env-lines.ts';
import {
	applyEntry,
	beginEntry,
	cancelEntry,
	moveEntry,
	openEnv,
	removeEntry,
	restoreEnv,
	type EnvState,
} from './env-state.ts';

type Props = {
	readonly env: Env;
	readonly size: Size;
	readonly onDone: (env: Env) => void;
};

/** Names, values and ports in rows, and under them the Docker flags that say the same. */
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

function envTarget(store: Store<EnvState>, done: () => void): EnvTarget {
	const change = (step: (state: EnvState) => EnvState) => store.set(step(store.get()));
	return {
		move: by => change(state => moveEntry(state, by)),
		edit: () => change(state => beginEntry(state, 'entry')),
		add: () => change(state => beginEntry(state, 'new')),
		remove: () => change(removeEntry),
		editLine: () => change(state => beginEntry(state, 'flags')),
		restore: () => change(restoreEnv),
		done,
		missing: () => (store.get().env.length === 0 ? 'there is no entry; n makes one' : undefined),
	};
}

/** Changes the line that is typed; false where none is. */
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
