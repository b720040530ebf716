import {useEffect, useMemo} from 'react';
import type {FleetRow} from '../../../../renter/fleet/fleet-state.ts';
import {GPU_SAMPLE_MS, readGpuUse} from '../../../../renter/history/gpu-samples.ts';
import {createStore, derived} from '../../../../renter/state/store.ts';
import {KeyScope} from '../../../ui/key-scope.tsx';
import {Painted} from '../../../ui/painted.tsx';
import type {StackEntry, ScreenProps} from '../../../services/router.ts';
import {usePoll, useRenting, useServices, useTime} from '../../../services/services.tsx';
import {refreshFleet} from '../instance-actions.ts';
import {usageBindings, type UsageTarget} from './usage-bindings.ts';
import {shownWindow, usageScreenLines} from './usage-lines.ts';
import {
	isSingle,
	lastGpus,
	metrics,
	usageSpans,
	stepped,
	usageAt,
	type UsageState,
} from './usage-state.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly row: FleetRow;
	readonly stackEntry: StackEntry;
};

/** Use of an instance over time; each GPU is asked for while the page is open. */
export function UsageView({row, stackEntry, size, say}: Props) {
	const {fleet, theme} = useServices();
	const {use} = useRenting();
	const {timers} = useTime();
	const store = usageAt(stackEntry);
	const {columns, rows} = size;
	const {id} = row.instance;
	const following = useMemo(() => use.follow(id, timers.now()), [use, id, timers]);
	useEffect(() => following.stop, [following]);
	const {note, again} = useGpuSamples(row);
	const source = useMemo(() => {
		const readings = () => {
			const shown = fleet.state.get().rows.find(({instance}) => instance.id === id);
			return {
				instance: shown?.instance ?? row.instance,
				samples: following.samples.get(),
				now: timers.now(),
			};
		};
		const lines = derived([store, following.samples, fleet.state, note], () =>
			usageScreenLines(store.get(), readings(), {theme, size: {columns, rows}, note: note.get()}),
		);
		return {lines, readings};
	}, [store, following, fleet, note, theme, columns, rows, timers, id, row.instance]);
	const change = (part: (state: UsageState) => Partial<UsageState>) =>
		store.set({...store.get(), ...part(store.get())});
	const single = () => isSingle({zoomed: undefined}, source.readings());
	const move = (step: number) =>
		change(state => {
			const read = source.readings();
			return {at: stepped(shownWindow(state, read, columns), state.at, step, read.now)};
		});
	const target: UsageTarget = {
		read: move,
		first: () => move(Number.NEGATIVE_INFINITY),
		follow: () => change(() => ({at: undefined})),
		span: step =>
			change(({span}) => ({
				span: Math.max(0, Math.min(span + step, usageSpans.length - 1)),
				top: 0,
			})),
		metric: step => change(({metric}) => ({metric: turned(metric, step)})),
		zoom: () =>
			change(({zoomed}) => {
				const next = zoomed === undefined ? 0 : zoomed + 1;
				const {length} = lastGpus(following.samples.get());
				return {zoomed: next < length ? next : undefined, top: 0};
			}),
		isSingle: () => (single() ? 'it has one GPU' : undefined),
		numbers: () => change(({isTable}) => ({isTable: !isTable, top: 0})),
		scroll: step => change(({top}) => ({top: Math.max(0, top + step)})),
		refresh() {
			refreshFleet(fleet, say);
			again();
		},
	};
	return (
		<KeyScope title="Usage" bindings={usageBindings} target={target}>
			<Painted source={source.lines} width={columns} height={rows} />
		</KeyScope>
	);
}

/** Asks for each GPU once a minute; the note says where it is not answered. */
function useGpuSamples({instance}: FleetRow) {
	const {use, leases} = useRenting();
	const {timers} = useTime();
	const note = useMemo(() => createStore(''), []);
	const {id, actual_status: status} = instance;
	const again = usePoll(
		async () => {
			const gpus = await readGpuUse(leases.inside, instance);
			if (gpus !== undefined) use.noteGpus(id, gpus, timers.now());
			note.set(gpus === undefined ? 'each GPU: not heard over SSH' : '');
		},
		{everyMs: GPU_SAMPLE_MS, isPaused: status !== 'running', about: String(id)},
	);
	return {note, again};
}

function turned(metric: UsageState['metric'], step: 1 | -1): UsageState['metric'] {
	const at = (metrics.indexOf(metric) + step + metrics.length) % metrics.length;
	return metrics[at] ?? metric;
}
