import {useEffect, useLayoutEffect, useMemo, useState} from 'react';
import {Box, Text} from 'ink';
import {noneUnreadable} from '../../../../contract/grammar/unreadable.ts';
import {messageOf} from '../../../../contract/rules/thrown.ts';
import {openIn, type CommandRun, type RunTarget} from '../../../../renter/connect/runs.ts';
import {sentence} from '../../../../renter/text/format.ts';
import {createStore} from '../../../../renter/state/store.ts';
import {printable} from '../../../../renter/text/text-width.ts';
import {ConfirmDialog, Prompt} from '../../dialogs.tsx';
import {Notice} from '../../../ui/notice.tsx';
import {useStore} from '../../../ui/painted.tsx';
import {GUTTER} from '../../../list/lines.ts';
import {createList} from '../../../list/list.ts';
import {ListScope, TitledList} from '../../../list/list-view.tsx';
import {keptByStackEntry, type ScreenProps} from '../../../services/router.ts';
import {useRenting, useServices, useTerminal} from '../../../services/services.tsx';
import {commandBindings} from '../action-bindings.ts';
import {noWayInto, waysIn} from '../connecting.ts';
import {labelOf, instanceNameOf} from '../words.ts';
import {
	commandColumns,
	hasCommandFailed,
	isNotLetIn,
	lastLine,
	commandRowsOf,
	commandStateText,
	summaryOf,
	type CommandRow,
} from './columns.ts';
import {ruleLine} from '../../../ui/rules.ts';
import {outputBindings} from '../logs/log-bindings.ts';
import {readLogLines} from '../logs/log-lines.ts';
import {appendLines, logsAt, type LogViewSize, type LogStore} from '../logs/log-state.ts';
import {LogBody} from '../logs/logs-view.tsx';

type Props = ScreenProps & {readonly ids: readonly number[]};

const runAt = keptByStackEntry(() => ({
	run: createStore<CommandRun | undefined>(undefined),
	table: createList<CommandRow>(commandColumns(120), ({id}) => id),
}));

export function CommandScreen({ids, ...props}: Props) {
	const {runs} = useRenting();
	const {size} = props;
	const {run} = runAt(props.stackEntry);
	const [isAsking, setAsking] = useState(ids.length > 0 && run.get() === undefined);
	const shown = useStore(run);
	useEffect(() => {
		if (ids.length === 0 && run.get() === undefined) run.set(runs.last.get());
	}, [ids, run, runs]);
	if (isAsking) {
		return (
			<CommandPrompt
				{...props}
				ids={shown === undefined ? ids : [...shown.labels.keys()]}
				onRun={run.set}
				onAsk={setAsking}
				onLeave={() => {
					if (run.get() === undefined) props.router.back();
					else setAsking(false);
				}}
			/>
		);
	}
	return shown === undefined ? (
		<Notice title="Asking whose keys are let in" width={size.columns} height={size.rows} />
	) : (
		<CommandRows {...props} run={shown} onAsk={() => setAsking(true)} />
	);
}

type PromptProps = Props & {
	readonly onRun: (run: CommandRun) => void;
	/** Called with true while a command line is still to be typed. */
	readonly onAsk: (isAsking: boolean) => void;
	readonly onLeave: () => void;
};

function CommandPrompt({ids, size, say, onRun, onAsk, onLeave}: PromptProps) {
	const {fleet} = useServices();
	const {runs, commands, ssh} = useRenting();
	const rows = fleet.state.get().rows.filter(({instance}) => ids.includes(instance.id));
	const refused = rows.filter(row => noWayInto(row) !== undefined);
	const [first] = rows;
	const names = rows.map(({instance}) => instanceNameOf(instance)).join(', ');
	const what =
		rows.length === 1 && first !== undefined
			? instanceNameOf(first.instance)
			: `${rows.length} instances`;
	const last = runs.last.get();
	async function start(command: string): Promise<void> {
		const measured = ssh.measured.get();
		const places = rows.map((row): RunTarget => {
			const [route] = waysIn(row, measured);
			return {instance: row.instance, label: labelOf(row.instance), route};
		});
		try {
			onRun(await runs.start(places, command));
		} catch (error) {
			onAsk(true);
			say({text: `Nothing was run: ${messageOf(error)}`, isError: true});
			return;
		}
		// A command after a blank is not kept, as in shells.
		if (!command.startsWith(' ')) commands.add(printable(command));
	}
	return (
		<Prompt
			title={`Run a command in ${what}`}
			name="$"
			initial=""
			history={commands.lines()}
			lines={[
				...(rows.length > 1 ? [names] : []),
				...(refused.length > 0
					? [`${refused.length} of them cannot be entered, and say why.`]
					: []),
				'Runs in a shell as root, over SSH, without input.',
				'Up recalls it later, unless it begins with a blank.',
				...(last === undefined ? [] : [`An empty line shows the last one: ${last.command}`]),
			]}
			size={size}
			refuse={text =>
				text.trim() === '' && last === undefined ? 'A command is needed.' : undefined
			}
			onSend={text => {
				if (text.trim() !== '') void start(text);
				else if (last !== undefined) onRun(last);
			}}
			onClose={() => onAsk(false)}
			onLeave={onLeave}
		/>
	);
}

type RowsProps = ScreenProps & {readonly run: CommandRun; readonly onAsk: () => void};

function CommandRows({run, stackEntry, router, size, say, onAsk}: RowsProps) {
	const {copy} = useTerminal();
	const {table: list} = runAt(stackEntry);
	const [isStopping, setStopping] = useState(false);
	const columns = useMemo(() => commandColumns(size.columns - GUTTER), [size.columns]);
	const summary = useStore(run.rows, summaryOf);
	useLayoutEffect(() => {
		const load = () => list.load(commandRowsOf(run));
		load();
		return run.rows.subscribe(load);
	}, [list, run]);
	if (isStopping) {
		return <StopDialog {...{run, size, say}} onClose={() => setStopping(false)} />;
	}
	const isRunning = () => openIn(run.rows.get()).length > 0;
	const target = {
		openOutput: list.act(({id}) => router.go({name: 'output', id})),
		stop: () => setStopping(true),
		nothingRuns: () => (isRunning() ? undefined : 'it has ended everywhere'),
		another: onAsk,
		isBusy: () => (isRunning() ? 'it still runs; x stops it' : undefined),
		copyLine: list.act(row => copy(lastLine(row))),
	};
	return (
		<ListScope title="Command" bindings={commandBindings} {...{list, columns, router, target}}>
			<TitledList
				title={`$ ${printable(run.command)}`}
				note={summary}
				{...{list, columns, size}}
				unreadable={noneUnreadable}
				about={row => (row === undefined ? '' : aboutRow(row))}
			/>
		</ListScope>
	);
}

function aboutRow(row: CommandRow): string {
	const name = ` ${row.id} ${row.label}`.trimEnd();
	if (!hasCommandFailed(row)) return name;
	if (isNotLetIn(row)) return `${name}: no key of yours is let in. J lets one into it.`;
	return `${name}: ${commandStateText(row)}, ${sentence(lastLine(row))}`;
}

type StopProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly run: CommandRun;
	readonly onClose: () => void;
};

function StopDialog({run, size, say, onClose}: StopProps) {
	const open = openIn(run.rows.get()).length;
	return (
		<ConfirmDialog
			question={{
				verb: 'stop',
				noun: 'command',
				targets: [{id: 1, name: '', detail: printable(run.command), state: '', level: 1}],
			}}
			facts={[
				['stops', `it runs or waits in ${open}: its connections are closed`],
				['there', 'a program that writes nothing may go on by itself'],
			]}
			{...{size, say}}
			onConfirm={() => {
				run.stop();
				onClose();
			}}
			onCancel={onClose}
		/>
	);
}

type OutputProps = ScreenProps & {readonly id: number};

const shownAt = keptByStackEntry((): {run: CommandRun | undefined; count: number} => ({
	run: undefined,
	count: 0,
}));

/** The output of a command in one instance, which may go on. */
export function OutputScreen({id, stackEntry, size, say}: OutputProps) {
	const {theme} = useServices();
	const {runs} = useRenting();
	const shown = shownAt(stackEntry);
	shown.run ??= runs.last.get();
	const {run} = shown;
	const logs = logsAt(stackEntry);
	const tail = useMemo(() => createOutput(id, logs, shown), [id, logs, shown]);
	useEffect(() => tail.open(), [tail]);
	const words = useMemo(() => {
		const name = `${id} ${run?.labels.get(id) ?? ''}`.trim();
		return () => {
			const row = run?.rows.get().find(found => found.id === id);
			const empty = row?.problem === undefined ? 'It wrote nothing so far.' : lastLine(row);
			return {title: name, empty, note: row === undefined ? '' : commandStateText(row)};
		};
	}, [id, run]);
	return (
		<Box flexDirection="column">
			<LogBody
				{...{logs, tail, words, say}}
				size={{columns: size.columns, rows: size.rows - 1}}
				name={`output-${id}`}
				bindings={outputBindings}
			/>
			<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
		</Box>
	);
}

function createOutput(id: number, logs: LogStore, shown: ReturnType<typeof shownAt>) {
	let room: LogViewSize = {width: 80, height: 1};
	function take(): void {
		const row = shown.run?.rows.get().find(found => found.id === id);
		if (row === undefined) return;
		const {lines, count} = row;
		const fresh = lines.slice(Math.max(0, lines.length - (count - shown.count)));
		shown.count = count;
		const added = fresh
			.flatMap(({text}) => readLogLines(text === '' ? '\n' : text))
			.map(text => ({text}));
		// A new state is shown even without a new line.
		logs.set({...appendLines(logs.get(), added, room), readAt: 0});
	}
	return {
		resize(next: LogViewSize) {
			room = next;
		},
		again: take,
		open() {
			take();
			return shown.run?.rows.subscribe(take);
		},
	};
}
