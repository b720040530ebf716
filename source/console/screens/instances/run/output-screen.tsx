import {Box, Text} from 'ink';
import {useEffect, useMemo} from 'react';
import type {Run} from '../../../../renter/connect/runs.ts';
import {ruleLine} from '../../../ui/chrome.ts';
import {kept, type ScreenProps} from '../../../services/router.ts';
import {useRenting, useServices} from '../../../services/services.tsx';
import {outputBindings} from '../logs/log-bindings.ts';
import {readLines} from '../logs/log-lines.ts';
import {appendLines, logsAt, type LogRoom, type LogStore} from '../logs/log-state.ts';
import {LogBody} from '../logs/logs-view.tsx';
import {lastLine, stateOf} from './columns.ts';

type Props = ScreenProps & {readonly id: number};

/** The run shown at a place, and the count of its lines. */
const shownAt = kept((): {run: Run | undefined; count: number} => ({run: undefined, count: 0}));

/** All that a command wrote in one instance, and goes on to write. */
export function OutputScreen({id, place, size, say}: Props) {
	const {theme} = useServices();
	const {runs} = useRenting();
	const shown = shownAt(place);
	shown.run ??= runs.last.get();
	const {run} = shown;
	const logs = logsAt(place);
	const tail = useMemo(() => createOutput(id, logs, shown), [id, logs, shown]);
	useEffect(() => tail.open(), [tail]);
	const words = useMemo(() => {
		const name = `${id} ${run?.labels.get(id) ?? ''}`.trim();
		return () => {
			const row = run?.rows.get().find(found => found.id === id);
			const empty = row?.problem === undefined ? 'It wrote nothing so far.' : lastLine(row);
			return {title: name, empty, note: row === undefined ? '' : stateOf(row)};
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

/** Takes over what is written, line after line. */
function createOutput(id: number, logs: LogStore, shown: ReturnType<typeof shownAt>) {
	let room: LogRoom = {width: 80, height: 1};
	function take(): void {
		const row = shown.run?.rows.get().find(found => found.id === id);
		if (row === undefined) return;
		const {lines, count} = row;
		const fresh = lines.slice(Math.max(0, lines.length - (count - shown.count)));
		shown.count = count;
		const added = fresh
			.flatMap(({text}) => readLines(text === '' ? '\n' : text))
			.map(text => ({text}));
		// A new state is said too where no line is new.
		logs.set({...appendLines(logs.get(), added, room), readAt: 0});
	}
	return {
		resize(next: LogRoom) {
			room = next;
		},
		again: take,
		open() {
			take();
			return shown.run?.rows.subscribe(take);
		},
	};
}
