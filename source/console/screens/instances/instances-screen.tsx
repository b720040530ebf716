import {Box} from 'ink';
import {useEffect, useLayoutEffect, useMemo, useState, type ReactNode} from 'react';
import {useStore} from '../../ui/painted.tsx';
import {GUTTER} from '../../list/lines.ts';
import {ListScope} from '../../list/list-view.tsx';
import type {ScreenProps} from '../../services/router.ts';
import {useServices, useTime} from '../../services/services.tsx';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {derived} from '../../../renter/state/store.ts';
import {ColumnChooser} from '../../list/overlays.tsx';
import {AskingPart} from './asking.tsx';
import {emptyFleetBindings, groupedFleetBindings, instanceListBindings} from './bindings.ts';
import type {FleetColumn} from './columns.ts';
import type {InstanceDialog} from './instance-actions.ts';
import {instancesTarget, type InstancesTarget} from './instances-target.ts';
import {
	filterInstances,
	filteredBeside,
	goToBest,
	isFiltering,
	instanceListAt,
	wantedIn,
	type InstanceListState,
} from './list.tsx';
import {InstanceRows, useInstanceColumns, layoutOf, type Layout} from './instance-rows.tsx';
import {actingOn, ChooseGrouping, groupedTarget, useGrouped} from './grouped.tsx';
import {groupColumns} from './grouped-list.ts';
import {InstancesNotice, TopLines, listStatusOf, type ListStatus} from './list-status.tsx';
import {type InstancePane, PaneOver} from './pane.tsx';
import {ValueCounts} from './value-counts.tsx';
import {counting, useHolding} from './use-actions.ts';
import {useViews, ViewsOver} from './views.tsx';

/** The list of instances: trouble first, then the dearest. */
export function InstancesScreen({stackEntry, router, size, say}: ScreenProps) {
	const services = useServices();
	const list = instanceListAt(stackEntry);
	const [asking, setAsking] = useState<InstanceDialog>();
	const [choosing, setChoosing] = useState<'columns' | 'grouping' | 'values'>();
	const pane = useStore(list.pane);
	const isTyping = useStore(list.edit, edit => edit !== undefined);
	const layout = useLayout(list, size);
	const columns = useInstanceColumns(list, layout.listWidth - GUTTER);
	useHolding(stackEntry, list);
	const isCovered = asking !== undefined || choosing !== undefined;
	useRows(list, isCovered);
	const status = useListStatus(list);
	const isGrouped = useGrouped(list, isCovered) && status === 'rows';
	const isListingViews = useViews(list);
	if (asking !== undefined) {
		return (
			<AskingPart
				{...{asking, held: list.held, size, say}}
				// The change clears the marks.
				onAgreed={() => actingOn(list).table.markNone()}
				onWork={counting(list.underWay)}
				onClose={() => setAsking(undefined)}
			/>
		);
	}
	if (isListingViews) return <ViewsOver {...{list, size, say}} />;
	if (pane.isZoomed) return <PaneOver list={actingOn(list)} size={size} />;
	if (choosing === 'grouping') {
		return <ChooseGrouping {...{list, size}} onClose={() => setChoosing(undefined)} />;
	}
	if (choosing === 'values') {
		return <ValueCounts {...{list, size}} onClose={() => setChoosing(undefined)} />;
	}
	const target = instancesTarget({
		list: actingOn(list),
		fleet: services.fleet,
		router,
		columns,
		choose: setChoosing,
		size,
		say,
		services,
		ask: setAsking,
	});
	return (
		<FleetScope {...{list, isGrouped, status, router, say, target}} columns={columns.shown}>
			<TopLines {...{list, isTyping, isGrouped, layout, status}} width={size.columns} />
			<ListBody
				{...{list, status, layout, pane, columns, isGrouped}}
				width={size.columns}
				height={size.rows - (layout.isNarrow && !isTyping ? 1 : 2)}
				isChoosing={choosing === 'columns'}
				onChosen={() => setChoosing(undefined)}
			/>
		</FleetScope>
	);
}

function useLayout(list: InstanceListState, size: ScreenProps['size']): Layout {
	const hasPane = useStore(list.pane, ({kind}) => kind !== undefined);
	const isTyping = useStore(list.edit, edit => edit !== undefined);
	const pane = useStore(list.paneColumns);
	return useMemo(() => layoutOf(size, {hasPane, isTyping, pane}), [size, hasPane, isTyping, pane]);
}

type FleetScopeProps = Pick<BodyProps, 'list' | 'status' | 'isGrouped'> &
	Pick<ScreenProps, 'router' | 'say'> & {
		readonly columns: readonly FleetColumn[];
		readonly target: InstancesTarget;
		readonly children: ReactNode;
	};

function FleetScope(props: FleetScopeProps) {
	const {list, status, isGrouped, columns, router, say, target, children} = props;
	const {now} = useTime();
	const scope = {
		title: 'Instances',
		router,
		children: <Box flexDirection="column">{children}</Box>,
	};
	if (isGrouped) {
		const announce = (text: string) => say({text, isError: false});
		return (
			<ListScope
				{...scope}
				list={list.grouped.table}
				columns={groupColumns}
				bindings={groupedFleetBindings}
				target={{...target, ...groupedTarget({list, router, now, announce})}}
			/>
		);
	}
	const bindings = status === 'rows' ? instanceListBindings : emptyFleetBindings;
	return <ListScope {...scope} {...{bindings, columns, target}} list={list.table} />;
}

type BodyProps = {
	readonly list: InstanceListState;
	readonly status: ListStatus;
	readonly layout: Layout;
	readonly pane: InstancePane;
	readonly columns: ReturnType<typeof useInstanceColumns>;
	readonly width: number;
	readonly height: number;
	readonly isGrouped: boolean;
	/** True while columns are chosen in place of the rows. */
	readonly isChoosing: boolean;
	readonly onChosen: () => void;
};

function ListBody({status, columns, isChoosing, onChosen, isGrouped, ...body}: BodyProps) {
	const {theme} = useServices();
	if (isChoosing) {
		return (
			<ColumnChooser
				{...{...columns, columns: columns.all, theme, ...body}}
				onChange={columns.setChoice}
				onClose={onChosen}
			/>
		);
	}
	if (status === 'rows') return <InstanceRows {...{...body, isGrouped}} columns={columns.shown} />;
	return <InstancesNotice {...body} status={status} />;
}

function showFleet(list: InstanceListState, rows: readonly FleetRow[], isHeld: boolean): void {
	const {table} = list;
	const wanted = wantedIn(list);
	if (!isFiltering(wanted)) table.refresh(rows, isHeld);
	else if (isHeld) table.refresh(filteredBeside(rows, wanted, table.state.get().shown), isHeld);
	// Rows that a filter hides are not gone, and are not to be shown as such.
	else table.load(filterInstances(rows, wanted));
}

/** Keeps the rows of the list in sync with the fleet, and polls the one under the cursor more often. */
function useRows(list: InstanceListState, isCovered: boolean): void {
	const {fleet} = useServices();
	const {now} = useTime();
	const {table} = list;
	// The rows that a list was left with are never drawn again: they are what was.
	useState(() => showFleet(list, fleet.state.get().rows, false));
	useLayoutEffect(() => {
		function load(): void {
			const {rows} = fleet.state.get();
			showFleet(list, rows, (isCovered || table.isMovedIn(now())) && rows.length > 0);
		}
		function filterAgain(): void {
			const {rows} = fleet.state.get();
			table.load(filterInstances(rows, wantedIn(list)));
			goToBest(list, rows);
		}
		load();
		const stops = [
			fleet.state.subscribe(load),
			table.filter.state.subscribe(filterAgain),
			list.edit.subscribe(filterAgain),
		];
		return () => {
			for (const stop of stops) stop();
		};
	}, [fleet, list, table, now, isCovered]);
	useEffect(() => fleet.watch(), [fleet]);
	useEffect(() => {
		const follow = () => fleet.follow(actingOn(list).table.current()?.instance.id);
		follow();
		const stops = [table.state.subscribe(follow), list.grouped.table.state.subscribe(follow)];
		return () => {
			for (const stop of stops) stop();
			fleet.follow(undefined);
		};
	}, [fleet, list, table]);
}

function useListStatus(list: InstanceListState): ListStatus {
	const {fleet} = useServices();
	const status = useMemo(() => {
		const {table} = list;
		return derived([fleet.state, table.filter.state, list.edit, table.state], () =>
			listStatusOf(fleet.state.get(), wantedIn(list), table.state.get().shown.length),
		);
	}, [fleet, list]);
	return useStore(status);
}
