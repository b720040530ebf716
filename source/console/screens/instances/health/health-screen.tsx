import {useEffect, useMemo} from 'react';
import type {FleetRow} from '../../../../renter/fleet/fleet-state.ts';
import type {Examination} from '../../../../renter/health/examine.ts';
import {createStore, derived} from '../../../../renter/state/store.ts';
import {KeyScope} from '../../../ui/key-scope.tsx';
import {Painted} from '../../../ui/painted.tsx';
import type {ScreenProps} from '../../../services/router.ts';
import {useRenting, useServices, useTerminal, useTime} from '../../../services/services.tsx';
import {instanceNameOf} from '../words.ts';
import {healthAt, healthBindings, healthLines, type HealthTarget, type Writing} from './health.ts';

type Props = ScreenProps & {readonly ids: readonly number[]};

/** Nothing is written before the examination is loaded. */
const unwritten: Writing = {lines: () => [], whole: () => ''};

/** The examination of instances: it begins as the screen opens, and again by a key. */
export function HealthScreen({ids, stackEntry, size}: Props) {
	const {fleet, theme} = useServices();
	const {copy} = useTerminal();
	const store = healthAt(stackEntry);
	const writing = useMemo(() => createStore(unwritten), []);
	const rows = () => fleet.state.get().rows.filter(({instance: {id}}) => ids.includes(id));
	const look = useExamination(store, writing, rows);
	const {columns, rows: height} = size;
	const lines = useMemo(
		() =>
			derived([store, writing, fleet.state], () => {
				const shown = fleet.state.get().rows.filter(({instance: {id}}) => ids.includes(id));
				const paper = {theme, size: {columns, rows: height}};
				return healthLines(shown, store.get(), {writing: writing.get(), paper});
			}),
		[store, writing, fleet, ids, theme, columns, height],
	);
	async function copyReports(): Promise<void> {
		const {reportText} = await import('../../../../renter/health/report.ts');
		const {found} = store.get();
		const reports = rows().flatMap(({instance}) => {
			const examination = found.get(instance.id);
			return examination === undefined ? [] : [reportText(instanceNameOf(instance), examination)];
		});
		copy(reports.join('\n\n'));
	}
	const target: HealthTarget = {
		look,
		isBusy: () => (store.get().open.size > 0 ? 'it is being examined' : undefined),
		copy: () => void copyReports(),
		nothingFound: () => (store.get().found.size === 0 ? 'nothing was found yet' : undefined),
		scroll(step) {
			const {top} = store.get();
			store.set({...store.get(), top: Math.max(0, top + step * (height - 3))});
		},
	};
	return (
		<KeyScope title="Health" bindings={healthBindings} target={target}>
			<Painted source={lines} width={columns} height={height} />
		</KeyScope>
	);
}

/** Examines the instances; at first as soon as the screen opens. */
function useExamination(
	store: ReturnType<typeof healthAt>,
	writing: {readonly set: (writing: Writing) => void},
	rows: () => readonly FleetRow[],
): () => void {
	const {leases, examined} = useRenting();
	const {settings} = useServices();
	const {timers} = useTime();
	const note = (id: number, examination: Examination) => {
		const {found, open} = store.get();
		const left = [...open].filter(one => one !== id);
		const next = new Map(found).set(id, examination);
		store.set({...store.get(), found: next, open: new Set(left)});
	};
	async function load() {
		const [examining, {findingLines, examinationSummary: wholeWords}] = await Promise.all([
			import('../../../../renter/health/examine.ts'),
			import('../../../../renter/health/report.ts'),
		]);
		const style = settings.get().glyphs === 'ascii' ? 'words' : 'signs';
		writing.set({lines: found => findingLines(found, style), whole: wholeWords});
		return examining;
	}
	async function examineAll(): Promise<void> {
		const {examine, examinedAt} = await load();
		const all = rows();
		const startedAt = timers.now();
		store.set({...store.get(), open: new Set(all.map(({instance}) => instance.id))});
		await Promise.all(
			all.map(async ({instance, skewMs}) => {
				const now = () => timers.now() + skewMs;
				const isMeasured = all.length === 1;
				const found = await examine(instance, {run: leases.inside, isMeasured, now});
				note(instance.id, found);
				await examined.note(instance.id, examinedAt(timers.now(), found));
			}),
		);
		store.set({...store.get(), last: {at: timers.now(), ms: timers.now() - startedAt}});
	}
	useEffect(() => {
		const {found, open} = store.get();
		void (found.size === 0 && open.size === 0 ? examineAll() : load());
		// oxlint-disable-next-line react/exhaustive-deps -- once, as the screen opens
	}, [store]);
	return () => void examineAll();
}
