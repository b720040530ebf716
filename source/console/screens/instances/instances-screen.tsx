import {Box, Text} from 'ink';
import {useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore} from 'react';
import {ruleLine} from '../../chrome.ts';
import {drawLine} from '../../components/text-field.tsx';
import {GUTTER} from '../../components/table-lines.ts';
import {KeyScope} from '../../key-scope.tsx';
import {holdingAt} from '../../router.ts';
import type {Place} from '../../router.ts';
import {useServices} from '../../services.tsx';
import {ColumnChooser} from '../column-chooser.tsx';
import type {ScreenProps} from '../place.ts';
import {AskingPart} from './asking.tsx';
import {instanceListBindings} from './bindings.ts';
import type {Asking} from './deed-target.ts';
import {FilterScope} from './filter-scope.tsx';
import {InstancesNotice} from './instances-notice.tsx';
import {instancesTarget} from './instances-target.ts';
import {layoutOf} from './layout.ts';
import {isSifting, listAt, sift, siftBeside} from './list.ts';
import type {InstanceList} from './list.ts';
import {InstanceRows} from './instance-rows.tsx';
import {PaneOver} from './pane-over.tsx';
import {useShownColumns} from './shown-columns.ts';
import {standingOf, topLine} from './standing.ts';

/** What is rented, as a list: trouble first, then what costs most. */
export function InstancesScreen({place, router, size, say}: ScreenProps) {
	const services = useServices();
	const {fleet, theme, now} = services;
	const list = listAt(place);
	const [asking, setAsking] = useState<Asking>();
	const [isChoosing, setIsChoosing] = useState(false);
	const pane = useSyncExternalStore(list.pane.subscribe, list.pane.get);
	const layout = useMemo(() => layoutOf(size, pane.kind !== undefined), [size, pane]);
	const columns = useShownColumns(list, layout.listWidth - GUTTER);
	useHolding(place, list);
	useRows(list, layout.rows, asking !== undefined || isChoosing);
	const standing = useFleet(list, () =>
		standingOf(fleet.state.get(), list.sieve.get(), list.table.state.get().shown.length),
	);
	const top = useTopLine(list, size.columns);
	if (asking !== undefined) {
		return (
			<AskingPart
				{...{asking, held: list.held, size, say}}
				// What was marked was marked for this.
				onAgreed={() => list.table.markNone()}
				onClose={() => setAsking(undefined)}
			/>
		);
	}
	if (pane.isZoomed) return <PaneOver list={list} size={size} />;
	const target = instancesTarget({
		list,
		fleet,
		router,
		columns,
		chooseColumns: () => setIsChoosing(true),
		size,
		say,
		now,
		services,
		ask: setAsking,
	});
	const body = {width: size.columns, height: size.rows - (layout.isNarrow ? 1 : 2)};
	return (
		<KeyScope title="Instances" bindings={instanceListBindings} target={target}>
			<FilterScope list={list}>
				<Box flexDirection="column">
					{layout.isNarrow ? null : <Text wrap="truncate">{top}</Text>}
					<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
					{isChoosing ? (
						<ColumnChooser
							{...{...columns, columns: columns.all, theme, ...body}}
							onChange={columns.setChoice}
							onClose={() => setIsChoosing(false)}
						/>
					) : standing === 'rows' ? (
						<InstanceRows {...{list, layout, pane, columns: columns.shown}} width={size.columns} />
					) : (
						<InstancesNotice {...{standing, list, ...body}} />
					)}
				</Box>
			</FilterScope>
		</KeyScope>
	);
}

/** Says what is not done yet to whoever leaves. */
function useHolding(place: Place, {held}: InstanceList): void {
	const {fleet} = useServices();
	useEffect(() => {
		holdingAt(place).lost = () => {
			const waiting = held.get()?.count;
			if (waiting !== undefined) return `a sweep of ${waiting} was not sent yet`;
			const {rows} = fleet.state.get();
			const vanishing = rows.filter(({condition}) => condition === 'destroying').length;
			return vanishing === 0 ? undefined : `${vanishing} to be destroyed were not seen to be gone`;
		};
	}, [place, held, fleet]);
}

/** While the cursor was just moved, no row moves under it. */
const STILL_MS = 5000;

/** Keeps the rows of the list what the fleet is, and looks closely at the one under the cursor. */
function useRows(list: InstanceList, height: number, isCovered: boolean): void {
	const {fleet, now} = useServices();
	const {table, sieve, movedAt} = list;
	useLayoutEffect(() => table.resize(height), [table, height]);
	useLayoutEffect(() => {
		function load(): void {
			const state = fleet.state.get();
			const isHeld = isCovered || now().getTime() - movedAt.get() < STILL_MS;
			const held = isHeld && state.rows.length > 0;
			if (!isSifting(sieve.get())) table.refresh(state.rows, held);
			else if (held)
				table.refresh(siftBeside(state.rows, sieve.get(), table.state.get().shown), held);
			// Rows that a filter hides are not gone, and are not to be shown as such.
			else table.load(sift(state.rows, sieve.get()));
		}
		const siftAgain = () => table.load(sift(fleet.state.get().rows, sieve.get()));
		load();
		const stops = [fleet.state.subscribe(load), sieve.subscribe(siftAgain)];
		return () => {
			for (const stop of stops) stop();
		};
	}, [fleet, table, sieve, now, movedAt, isCovered]);
	useEffect(() => fleet.watch(), [fleet]);
	useEffect(() => {
		const follow = () => fleet.follow(table.current()?.instance.id);
		follow();
		const stop = table.state.subscribe(follow);
		return () => {
			stop();
			fleet.follow(undefined);
		};
	}, [fleet, table]);
}

/** Something about fleet and list; who asks is drawn anew only when it is another. */
function useFleet<Value extends string>(list: InstanceList, read: () => Value): Value {
	const {fleet} = useServices();
	const subscribe = useMemo(
		() => (listener: () => void) => {
			const stores = [fleet.state, list.sieve, list.table.state, list.table.view];
			const stops = stores.map(store => store.subscribe(listener));
			return () => {
				for (const stop of stops) stop();
			};
		},
		[fleet, list],
	);
	return useSyncExternalStore(subscribe, read);
}

function useTopLine(list: InstanceList, width: number): string {
	const {fleet, theme} = useServices();
	return useFleet(list, () => {
		const sieve = list.sieve.get();
		const field = drawLine(theme, sieve.line, {
			width: Math.min(30, Math.floor(width / 3)),
			hasFocus: sieve.isOpen,
		});
		return topLine(fleet.state.get(), sieve, {view: list.table.view.get(), field, width});
	});
}
