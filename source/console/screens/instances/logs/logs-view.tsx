import {writeFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {useEffect, useMemo, useState} from 'react';
import {homeFolder} from '../../../../renter/files/folders.ts';
import {fileTrouble} from '../../../../contract/rules/thrown.ts';
import {useServices} from '../../../services/services.tsx';
import type {LogLine} from './log-lines.ts';
import type {Size} from '../../../terminal/terminal.ts';
import {emptyLine, type LineEdit} from '../../../ui/line-edit.ts';
import {Painted} from '../../../ui/painted.tsx';
import {LineScope, type TypedLine, KeyScope} from '../../../ui/key-scope.tsx';
import type {StackEntry, ScreenProps} from '../../../services/router.ts';
import {Prompt} from '../../dialogs.tsx';
import {findBindings, logBindings, narrowBindings} from './log-bindings.ts';
import {logTarget, formatLogText} from './log-target.ts';
import {logScreen, logTextsOf, type LogTexts} from './log-lines-shown.ts';
import {
	logsAt,
	narrow,
	type LogState,
	type LogStore,
	toHit,
	type LogViewSize,
	useLogTail,
	type LogTailing,
} from './log-state.ts';
import {derived} from '../../../../renter/state/store.ts';

/** Refuses to overwrite a file. */
async function saveLogs(
	lines: readonly LogLine[],
	name: string,
): Promise<{readonly text: string; readonly isError: boolean}> {
	const file = resolve(name.trim().replace(/^~(?=\/)/, homeFolder()));
	try {
		await writeFile(file, formatLogText(lines), {mode: 0o600, flag: 'wx'});
		return {text: `${lines.length} lines are in ${file}`, isError: false};
	} catch (error) {
		return {text: `Not saved to ${file}: ${fileTrouble(error)}.`, isError: true};
	}
}

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly id: number;
	readonly stackEntry: StackEntry;
};

/** The logs of an instance, which are followed as they are written. */
export function LogsView({id, stackEntry, ...view}: Props) {
	const logs = logsAt(stackEntry);
	const tail = useLogTail(id, logs);
	return <LogBody {...view} logs={logs} name={String(id)} tail={tail} bindings={logBindings} />;
}

type BodyProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly logs: LogStore;
	readonly name: string;
	readonly tail: LogTailing;
	readonly bindings: typeof logBindings;
	readonly names?: number;
	readonly words?: (state: LogState) => LogTexts;
};

/** Lines with their keys: scroll, search, filter, wrap, save and page. */
export function LogBody(props: BodyProps) {
	const {logs, name, tail, bindings, names = 0, words = logTextsOf, size, say} = props;
	const {theme, terminal} = useServices();
	const [isSaving, setSaving] = useState(false);
	const room = useMemo(
		() => ({width: size.columns - names, height: Math.max(1, size.rows - 1), names}),
		[size.columns, size.rows, names],
	);
	const find = useMemo(
		() => typedLine(logs, 'find', (state, line) => ({...state, find: line})),
		[logs],
	);
	const filter = useMemo(
		() => typedLine(logs, 'filter', (state, line) => narrow(state, room, line)),
		[logs, room],
	);
	useEffect(() => tail.resize(room), [tail, room]);
	const source = useMemo(
		() => derived([logs], () => logScreen(logs.get(), theme, room, words(logs.get()))),
		[logs, theme, room, words],
	);
	if (isSaving) {
		return <SavePrompt {...{logs, name, size, say}} onClose={() => setSaving(false)} />;
	}
	const save = () => setSaving(true);
	const target = logTarget({name, logs, room, terminal, say, tail, save});
	const close = (change: (state: LogState) => LogState) =>
		logs.set({...change(logs.get()), typed: undefined});
	const finding = {
		apply() {
			close(state => state);
			const problem = toFirstHit(logs, room);
			if (problem !== undefined) say({text: problem, isError: false});
		},
		leave: () => close(state => ({...state, find: emptyLine, hit: undefined})),
	};
	const narrowing = {
		apply: () => close(state => state),
		leave: () => close(state => narrow(state, room, emptyLine)),
	};
	return (
		<KeyScope title="Logs" bindings={bindings} target={target}>
			<LineScope line={find} title="Search of logs" bindings={findBindings} target={finding}>
				<LineScope
					line={filter}
					title="Filter of logs"
					bindings={narrowBindings}
					target={narrowing}
				>
					<Painted source={source} width={size.columns} height={size.rows} />
				</LineScope>
			</LineScope>
		</KeyScope>
	);
}

type SaveProps = Pick<BodyProps, 'logs' | 'name' | 'size' | 'say'> & {
	readonly onClose: () => void;
};

function SavePrompt({logs, name, size, say, onClose}: SaveProps) {
	return (
		<Prompt
			title="Save the lines"
			name="file"
			initial={`rentty-${name}.log`}
			lines={['A new file. It gets the lines as they are shown, and no other user can read it.']}
			size={size}
			refuse={text => (text.trim() === '' ? 'A name is needed.' : undefined)}
			onSend={file => void saveLogs(logs.get().lines, file).then(say)}
			onClose={onClose}
		/>
	);
}

/** The words that are searched for, or that lines must have, while they are typed. */
function typedLine(
	logs: LogStore,
	which: 'find' | 'filter',
	change: (state: LogState, line: LineEdit) => LogState,
): TypedLine {
	return {
		get: () => (logs.get().typed === which ? logs.get()[which] : undefined),
		set: line => logs.set(change(logs.get(), line)),
		subscribe: logs.subscribe,
	};
}

type TailProps = {readonly id: number; readonly stackEntry: StackEntry; readonly size: Size};

/** The end of an instance's logs, as a part of a screen that has keys of its own. */
export function LogTail({id, stackEntry, size: {columns, rows}}: TailProps) {
	const {theme} = useServices();
	const logs = logsAt(stackEntry);
	const room = useMemo(() => ({width: columns, height: rows - 1}), [columns, rows]);
	const tail = useLogTail(id, logs);
	useEffect(() => tail.resize(room), [tail, room]);
	const source = useMemo(
		() => derived([logs], () => logScreen({...logs.get(), top: undefined}, theme, room)),
		[logs, theme, room],
	);
	return <Painted source={source} width={columns} height={rows} />;
}

/** Goes to the first line with the searched words; returns a sentence without one. */
function toFirstHit(logs: LogStore, room: LogViewSize): string | undefined {
	const state = logs.get();
	if (state.find.text === '') return undefined;
	const next = toHit(state, room, 1);
	if (next === undefined) return `No line of the logs has "${state.find.text}" in it.`;
	logs.set(next);
	return undefined;
}
