import {Box, Text} from 'ink';
import {useEffect, useMemo} from 'react';
import {ruleLine} from '../../../ui/rules.ts';
import {keptByStackEntry, type ScreenProps} from '../../../services/router.ts';
import {useServices, type Services} from '../../../services/services.tsx';
import {openLogTimes} from '../../../../renter/text/log-times.ts';
import {widthOf} from '../../../../renter/text/text-width.ts';
import {reasonOf} from '../../../../renter/actions/instance-actions.ts';
import {instanceNameOf} from '../words.ts';
import {logBindings} from './log-bindings.ts';
import {mergeLines, readLogLines, type LogLine, type LogSource} from './log-lines.ts';
import {logTextsOf} from './log-lines-shown.ts';
import {
	appendLines,
	logsAt,
	type LogViewSize,
	type LogState,
	type LogStore,
	pollMoreOften,
} from './log-state.ts';
import {LogBody} from './logs-view.tsx';

type Props = ScreenProps & {readonly ids: readonly number[]};

/** Longest name before a line: most of the width belongs to the log. */
const LONGEST_NAME = 18;

/** The logs of several instances as one, in the order of their times, each line behind the name of its own. */
export function LogsScreen({ids, stackEntry, size, say}: Props) {
	const services = useServices();
	const {theme} = services;
	const logs = logsAt(stackEntry);
	const sources = useMemo(() => sourcesOf(ids, services), [ids, services]);
	const known = knownAt(stackEntry);
	const tail = useMemo(
		() => createTails(sources, {logs, known}, services),
		[sources, logs, known, services],
	);
	useEffect(() => tail.open(), [tail]);
	const names =
		1 + Math.max(...sources.map(({from}) => Math.min(LONGEST_NAME, widthOf(from.name))));
	const words = useMemo(() => {
		const count = ids.length;
		return (state: LogState) => {
			const said = logTextsOf(state);
			return {...said, title: said.title.replace('LOGS', `LOGS of ${count}`)};
		};
	}, [ids]);
	return (
		<Box flexDirection="column">
			<LogBody
				{...{logs, tail, names, words, say}}
				size={{columns: size.columns, rows: size.rows - 1}}
				name={`${ids.length}-instances`}
				bindings={logBindings}
			/>
			<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
		</Box>
	);
}

/** Lines of an instance that were read last, to recognise new ones, and the times of its log. */
type KnownLog = {
	readonly lines: readonly LogLine[];
	readonly times: ReturnType<typeof openLogTimes>;
};

const knownAt = keptByStackEntry(() => new Map<number, KnownLog>());

type Source = {readonly id: number; readonly from: LogSource};

function sourcesOf(ids: readonly number[], {fleet}: Services): readonly Source[] {
	const known = new Map(fleet.state.get().rows.map(({instance}) => [instance.id, instance]));
	return ids.map((id, at) => {
		const instance = known.get(id);
		return {id, from: {name: instance === undefined ? String(id) : instanceNameOf(instance), at}};
	});
}

/** Lines of each instance in the first read. */
const FIRST = 100;
/** Lines of each later read. */
const TAIL = 1000;

const GAP = '(more was written here than is read at once: lines are missing)';

type Shown = {readonly logs: LogStore; readonly known: ReturnType<typeof knownAt>};

/** Reads the logs of each instance, and appends new lines to all others. */
function createTails(sources: readonly Source[], {logs, known}: Shown, services: Services) {
	const {client, fleet} = services;
	const {timers, polling} = services.time;
	let room: LogViewSize = {width: 80, height: 1};
	let stop: (() => void) | undefined;
	const problems = new Map<number, string>();

	function tell(change: (state: LogState) => LogState): void {
		const [first] = problems;
		const others = problems.size > 1 ? ` and ${problems.size - 1} more` : '';
		const problem = first === undefined ? undefined : `${first[0]}${others} not read: ${first[1]}`;
		logs.set({...change(logs.get()), problem});
	}

	async function read({id, from}: Source, signal: AbortSignal): Promise<void> {
		const {isDaemon: daemon} = logs.get();
		const before = known.get(id);
		const {instances} = await client();
		const tail = before === undefined ? FIRST : TAIL;
		const text = await instances.logs(id, {tail, daemon}, {signal});
		// The user may have switched logs while these were on their way.
		if (signal.aborted || logs.get().isDaemon !== daemon) return;
		const {lines, isWhole} = mergeLines(before?.lines ?? [], readLogLines(text));
		const added = isWhole ? lines.slice(before?.lines.length ?? 0) : [{text: GAP}, ...lines];
		const times = before?.times ?? openLogTimes();
		known.set(id, {lines: lines.slice(-TAIL), times});
		problems.delete(id);
		const readAt = timers.now();
		const at = times(
			added.map(line => line.text),
			readAt,
		);
		const named = added.map((line, index) => ({...line, from, at: at[index] ?? readAt}));
		tell(state => ({...appendLines(state, named, room), readAt}));
	}

	async function look(source: Source, signal: AbortSignal): Promise<void> {
		try {
			await read(source, signal);
		} catch (error) {
			if (signal.aborted) return;
			problems.set(source.id, reasonOf(error));
			tell(state => state);
			throw error;
		}
	}

	function open(): () => void {
		stop?.();
		// Switching to the other logs begins anew with them.
		if (logs.get().all.length === 0) known.clear();
		const looks = sources.map(source => async (signal: AbortSignal) => look(source, signal));
		stop = pollMoreOften({polling, fleet}, looks);
		return stop;
	}

	return {
		resize(next: LogViewSize) {
			room = next;
		},
		again: () => void open(),
		open,
	};
}
