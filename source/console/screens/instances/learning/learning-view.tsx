import {useEffect, useMemo} from 'react';
import {reasonOf} from '../../../../renter/actions/instance-actions.ts';
import type {FleetRow} from '../../../../renter/fleet/fleet-state.ts';
import {derived, type Store} from '../../../../renter/state/store.ts';
import {comparedRuns} from '../../../../renter/training/compared-runs.ts';
import {KeyScope} from '../../../ui/key-scope.tsx';
import {Painted, useStore} from '../../../ui/painted.tsx';
import type {Size} from '../../../terminal/terminal.ts';
import type {StackEntry, ScreenProps} from '../../../services/router.ts';
import {usePoll, useRenting, useServices, useTime} from '../../../services/services.tsx';
import {learningBindings, runChooserBindings} from './learning-bindings.ts';
import {runChooserTarget, curveKeys, type ChangeLearning, type Others} from './learning-target.ts';
import {NumbersView} from '../../../list/numbers-view.tsx';
import {learningLines} from './learning-lines.ts';
import {runNumbers} from './run-numbers.ts';
import {PatternPrompt} from './pattern-prompt.tsx';
import {chooserLines} from './over-runs.ts';
import {learningAt, type LearningState} from './learning-state.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly row: FleetRow;
	readonly stackEntry: StackEntry;
};

const EVERY_MS = 5000;

/** Page of whether an instance is learning: its log is read while the page is open. */
export function LearningView({row, stackEntry, size, say}: Props) {
	const {fleet} = useServices();
	const {trainings} = useRenting();
	const {timers} = useTime();
	const store = learningAt(stackEntry);
	const {id} = row.instance;
	const change: ChangeLearning = part => store.set({...store.get(), ...part(store.get())});
	const look = usePoll(
		async () => {
			try {
				const read = await trainings.read(row);
				change(() => ({reading: read, failure: undefined}));
			} catch (error) {
				change(() => ({failure: `The log could not be read: ${reasonOf(error)}`}));
			}
		},
		{everyMs: EVERY_MS, about: String(id)},
	);
	// A visited run keeps its alerts.
	useEffect(() => trainings.keep([id]), [trainings, id]);
	const {columns, rows} = size;
	const others = useMemo(
		() => () =>
			comparedRuns(id, {
				rows: fleet.state.get().rows,
				readings: trainings.state.get(),
				kept: store.get().known,
				now: timers.now(),
			}),
		[id, fleet, trainings, store, timers],
	);
	const lines = useLines(store, others, {columns, rows});
	const numbers = useMemo(() => derived([store], () => runNumbers(store.get())), [store]);
	const shown = useStore(store, ({choosing, instead}) =>
		choosing === undefined ? instead : 'runs',
	);
	const close = () => change(() => ({instead: undefined}));
	if (shown === 'pattern')
		return <PatternPrompt {...{id, size, say}} onChange={look} onClose={close} />;
	if (shown === 'numbers') return <NumbersView table={numbers} size={size} onClose={close} />;
	const body = <Painted source={lines} width={columns} height={rows} />;
	if (shown === 'runs')
		return (
			<KeyScope title="Runs" bindings={runChooserBindings} target={runChooserTarget(store, others)}>
				{body}
			</KeyScope>
		);
	const target = {
		...curveKeys(change),
		runs() {
			// Unvisited logs are read from now on.
			trainings.keep(fleet.state.get().rows.map(({instance}) => instance.id));
			change(() => ({known: trainings.book.runs(timers.now()), choosing: 0}));
		},
		look,
	};
	return (
		<KeyScope title="Run" bindings={learningBindings} target={target}>
			{body}
		</KeyScope>
	);
}

function useLines(store: Store<LearningState>, others: Others, {columns, rows}: Size) {
	const {theme} = useServices();
	const {trainings} = useRenting();
	const {timers} = useTime();
	return useMemo(
		() =>
			derived([store, trainings.state], () => {
				const state = store.get();
				const size = {columns, rows};
				const {choosing: at} = state;
				if (at !== undefined) return chooserLines({at, runs: others()}, state.over, {theme, size});
				const all = state.over.length === 0 ? [] : others();
				const over = state.over.flatMap(one => all.find(run => run.id === one) ?? []);
				return learningLines(state, {theme, size, now: timers.now(), over});
			}),
		[store, others, trainings, theme, columns, rows, timers],
	);
}
