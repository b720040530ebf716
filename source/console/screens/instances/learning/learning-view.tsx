import {useEffect, useMemo} from 'react';
import {reasonOf} from '../../../../renter/actions/instance-actions.ts';
import type {FleetRow} from '../../../../renter/fleet/fleet-state.ts';
import {derived, type Store} from '../../../../renter/state/store.ts';
import {comparedRuns, type ComparedRun} from '../../../../renter/training/compared-runs.ts';
import {KeyScope} from '../../../ui/key-scope.tsx';
import {otherScale} from '../../../ui/log-scale.ts';
import {Painted, useStore} from '../../../ui/painted.tsx';
import type {Size} from '../../../terminal/terminal.ts';
import type {Place, ScreenProps} from '../../../services/router.ts';
import {usePoll, useRenting, useServices, useTime} from '../../../services/services.tsx';
import {learningBindings, type LearningTarget} from './learning-bindings.ts';
import {NumbersView} from '../../../list/numbers-view.tsx';
import {learningLines} from './learning-lines.ts';
import {runNumbers} from './run-numbers.ts';
import {PatternPrompt} from './pattern-prompt.tsx';
import {chooserLines, runChooserBindings, toggled, type RunChooserTarget} from './over-runs.ts';
import {learningAt, MOST_ZOOM, smooths, stepRead, type LearningState} from './learning-state.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {readonly row: FleetRow; readonly place: Place};

const EVERY_MS = 5000;

/** Page of whether an instance is learning: its log is read while the page is open. */
export function LearningView({row, place, size, say}: Props) {
	const {fleet} = useServices();
	const {trainings} = useRenting();
	const {timers} = useTime();
	const store = learningAt(place);
	const {id} = row.instance;
	const change: Change = part => store.set({...store.get(), ...part(store.get())});
	const look = usePoll(
		async () => {
			try {
				const seen = await trainings.look(row);
				change(() => ({look: seen, failure: undefined}));
			} catch (error) {
				change(() => ({failure: `The log could not be read: ${reasonOf(error)}`}));
			}
		},
		{everyMs: EVERY_MS, about: String(id)},
	);
	// The alerts of a run that somebody looked at go on.
	useEffect(() => trainings.keep([id]), [trainings, id]);
	const {columns, rows} = size;
	const others = useMemo(
		() => () =>
			comparedRuns(id, {
				rows: fleet.state.get().rows,
				looks: trainings.state.get(),
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
			<KeyScope title="Runs" bindings={runChooserBindings} target={chooserTarget(store, others)}>
				{body}
			</KeyScope>
		);
	const target: LearningTarget = {
		...curveKeys(change),
		runs() {
			// Logs that nobody has looked at yet are read from now on.
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

type Change = (part: (state: LearningState) => Partial<LearningState>) => void;

/** Key methods that change what is drawn. */
function curveKeys(change: Change): Omit<LearningTarget, 'runs' | 'look'> {
	return {
		read: step =>
			change(({at, look: seen}) => ({at: stepRead(seen?.training.steps ?? [], at, step)})),
		follow: () => change(() => ({at: undefined})),
		zoom: step => change(({zoom}) => ({zoom: Math.max(0, Math.min(MOST_ZOOM, zoom + step))})),
		smooth: step => change(({smooth}) => ({smooth: smoothed(smooth, step)})),
		series: () => change(({series}) => ({series: series === 'loss' ? 'rate' : 'loss'})),
		scale: () => change(({scale}) => ({scale: otherScale(scale)})),
		pattern: () => change(() => ({instead: 'pattern'})),
		numbers: () => change(() => ({instead: 'numbers'})),
	};
}

type Others = () => readonly ComparedRun[];

/** Lines of the page: the curves, or the runs to choose from. */
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

/** Key methods while runs are chosen. */
function chooserTarget(store: Store<LearningState>, others: Others): RunChooserTarget {
	const change = (part: Partial<LearningState>) => store.set({...store.get(), ...part});
	return {
		step(by) {
			const {choosing = 0} = store.get();
			change({choosing: Math.max(0, Math.min(choosing + by, others().length - 1))});
		},
		toggle() {
			const {choosing = 0, over} = store.get();
			const id = others()[choosing]?.id;
			if (id !== undefined) change({over: toggled(over, id)});
		},
		none: () => change({over: []}),
		close: () => change({choosing: undefined}),
	};
}

function smoothed(smooth: number, step: 1 | -1): number {
	const next = step > 0 ? (smooth === 1 ? 5 : smooth * 2) : smooth <= 5 ? 1 : smooth / 2;
	return Math.max(smooths.least, Math.min(smooths.most, next));
}
