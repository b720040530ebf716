import {useMemo} from 'react';
import {Box, Text} from 'ink';
import {
	asShown,
	fitColumns,
	type Column,
	chosenColumns,
	unsentColumns,
} from '../../list/columns.ts';
import type {FleetRow, FleetState} from '../../../renter/fleet/fleet-state.ts';
import {useRenting, useServices, useTime} from '../../services/services.tsx';
import {instanceColumns, mayBeUnsent, ROOMY, type FleetColumn} from './columns.ts';
import type {InstanceListState} from './list.tsx';
import {useViewColumns} from './views.tsx';
import {withOrderNotes, differenceLine} from './trouble.ts';
import type {Size} from '../../terminal/terminal.ts';
import {jointRule, paneLine} from '../../ui/rules.ts';
import {draggedWidth, inHeight, REST_MS} from '../../ui/panes.ts';
import {Painted, useStore} from '../../ui/painted.tsx';
import {ListRows, ListRule, useFitting} from '../../list/list-view.tsx';
import {band, narrowBand, timelineLines, bootBar} from './band.ts';
import {halfHourLines} from './use-chart.ts';
import {groupBand} from './grouped.tsx';
import {type FleetLine, groupColumns, instanceRowsIn} from './grouped-list.ts';
import {hourlySum} from '../../../renter/fleet/fleet-texts.ts';
import type {RuleTexts} from '../../list/lines.ts';
import type {List} from '../../list/list.ts';
import {fitsAllPanes, instancePaneLines, type InstancePane} from './pane.tsx';
import {derived, debounced} from '../../../renter/state/store.ts';

export type Layout = {
	readonly isNarrow: boolean;
	/** Columns of the list and of the band under it. */
	readonly listWidth: number;
	/** Columns of the pane of money; 0 if there is none. */
	readonly paneWidth: number;
	readonly rows: number;
	readonly band: number;
};

/** Least columns of the pane, and of the list beside it. */
const [LEAST_PANE, LEAST_LIST] = [30, 80];
/** Line of the filter, rule, titles, rule above the band, rule at the foot. */
const LINES_AROUND = 5;

type Shown = {
	readonly hasPane: boolean;
	readonly isTyping: boolean;
	/** Columns of the pane, as its edge was dragged. */
	readonly pane: number;
};

function dragPane(columns: InstanceListState['paneColumns'], by: number, width: number): void {
	const limits = {least: LEAST_PANE, most: width - LEAST_LIST};
	columns.set(draggedWidth(columns.get(), by, limits));
}

export function layoutOf({columns, rows}: Size, {hasPane, isTyping, pane}: Shown): Layout {
	if (columns < 80) {
		// A rule or the two lines of a query above the rows, and one line under another rule.
		const lines = Math.max(1, rows - (isTyping ? 4 : 3));
		return {isNarrow: true, listWidth: columns, paneWidth: 0, rows: lines, band: 1};
	}
	const most = Math.min(pane, columns - LEAST_LIST);
	const paneWidth = hasPane && fitsAllPanes({columns, rows}) ? most : 0;
	const bandRows = fitsAllPanes({columns, rows}) ? 14 : rows >= 18 ? 5 : 0;
	const lines = Math.max(1, rows - LINES_AROUND - bandRows);
	return {isNarrow: false, listWidth: columns - paneWidth, paneWidth, rows: lines, band: bandRows};
}

/** The columns of the list, those of them in view, and a way to choose others for good. */
export function useInstanceColumns(list: InstanceListState, room: number) {
	const {table} = list;
	const {fleet} = useServices();
	const {orders} = useRenting();
	const differing = useStore(orders);
	const choosing = useViewColumns(list);
	const {choice} = choosing;
	const order = useStore(table.view, state => state.order);
	const unsentIds = useStore(fleet.state, unsentIn);
	const idWidth = useStore(fleet.state, longestId);
	const columns = useMemo(() => {
		const unsent = new Set(unsentIds.split(' '));
		const needed = new Set(order.map(({columnId}) => columnId));
		const all = instanceColumns(room, idWidth);
		const sent = chosenColumns(all, choice, needed).filter(({id}) => !unsent.has(id));
		const shown = withOrderNotes(fitColumns(sent, room), differing);
		return {all: asShown(all, shown), unsent, shown};
	}, [room, idWidth, choice, order, unsentIds, differing]);
	return {...columns, ...choosing};
}

/** Width of the longest number of an instance; undefined without one. */
function longestId({rows}: FleetState): number | undefined {
	if (rows.length === 0) return undefined;
	return Math.max(...rows.map(({instance}) => String(instance.id).length));
}

/** Columns that the service fills for no instance. */
function unsentIn({rows}: FleetState): string {
	return [...unsentColumns(factColumns, rows)].join(' ');
}

const factColumns = instanceColumns(ROOMY).filter(mayBeUnsent);

type Props = {
	readonly list: InstanceListState;
	readonly columns: readonly FleetColumn[];
	/** True if the rows are in groups, which have columns of their own. */
	readonly isGrouped: boolean;
	readonly layout: Layout;
	readonly pane: InstancePane;
	readonly width: number;
};

/** Lines of a boot's steps and the sentence below them. */
const ROOM_FOR_STEPS = 12;

/** The rows, the band of the one under the cursor, and the pane of money if there is space. */
export function InstanceRows(props: Props) {
	const {list, columns, isGrouped, layout, width} = props;
	const {theme} = useServices();
	const sources = useSources(props);
	const {table, grouped} = list;
	const plain = {list: table, columns, words: ofInstances};
	const inGroups = {
		list: grouped.table,
		columns: useFitting(groupColumns, layout.listWidth),
		words: ofGroups,
	};
	const listed = (
		<Box flexDirection="column" width={layout.listWidth} flexShrink={0}>
			{isGrouped ? <Listed {...inGroups} layout={layout} /> : <Listed {...plain} layout={layout} />}
			<Painted source={sources.band} width={layout.listWidth} height={layout.band} />
		</Box>
	);
	if (layout.isNarrow) return listed;
	const height = layout.rows + layout.band + 2;
	return (
		<Box flexDirection="column">
			<Box>
				{listed}
				{layout.paneWidth === 0 ? null : (
					<Painted source={sources.pane} width={layout.paneWidth} height={height} />
				)}
			</Box>
			<Text wrap="truncate">
				{jointRule(theme, width, {at: layout.paneWidth === 0 ? 0 : layout.listWidth, sign: '┴'})}
			</Text>
		</Box>
	);
}

type ListedProps<Row> = {
	readonly list: List<Row>;
	readonly columns: ReadonlyArray<Column<Row>>;
	readonly layout: Layout;
	readonly words: RuleTexts<Row>;
};

/** Rules under the lists, with the sum of the marked rows. */
const ofInstances: RuleTexts<FleetRow> = {summary: hourlySum};
const ofGroups: RuleTexts<FleetLine> = {summary: lines => hourlySum(instanceRowsIn(lines))};

function Listed<Row extends object>({list, columns, layout, words}: ListedProps<Row>) {
	const {listWidth: width, rows: height, isNarrow} = layout;
	return (
		<>
			<ListRows {...{list, columns, width, height}} hasTitles={!isNarrow} />
			<ListRule {...{list, width, words}} />
		</>
	);
}

function textIn(lines: readonly string[]): readonly string[] {
	return lines.filter(line => line.trim() !== '');
}

function useSources({list: {table, grouped, paneColumns}, isGrouped, layout, pane}: Props) {
	const {theme, fleet} = useServices();
	const {orders} = useRenting();
	const {after} = useTime().timers;
	return useMemo(() => {
		const {listWidth, isNarrow, paneWidth, band: bandHeight, rows} = layout;
		const listed = isGrouped ? grouped.table : table;
		const current = isGrouped ? grouped.current : table.current;
		const drawn = {
			band: derived([listed.state, orders], () => {
				const row = current();
				const group = isGrouped ? grouped.table.current()?.group : undefined;
				if (group !== undefined) return groupBand(group, listWidth).slice(0, isNarrow ? 1 : 5);
				const unlike = differenceLine(row, orders.get(), listWidth);
				if (isNarrow) return [unlike ?? narrowBand(row, listWidth)].flat();
				const plain = band(row, listWidth);
				// Differences from the order matter more than advice about a state.
				const said = unlike === undefined ? plain : [...plain.slice(0, -1), unlike];
				if (bandHeight < ROOM_FOR_STEPS || row === undefined) return said;
				const below = said.slice(2);
				const use = halfHourLines(row, {theme, width: listWidth});
				// The use is headed by what it has cost.
				if (use.length > 0) return [...use, ...textIn(below.toSpliced(1, 1))];
				return [
					...timelineLines(row, listWidth),
					'',
					...bootBar(row, {theme, width: listWidth}),
					...below,
				];
			}),
			pane: derived(pane.kind === 'raw' ? [listed.state] : [fleet.state], () => {
				if (pane.kind === undefined) return [];
				const shown = {state: fleet.state.get(), row: current(), theme};
				const lines = instancePaneLines({...shown, kind: pane.kind, width: paneWidth - 2});
				return inHeight(lines, rows + bandHeight + 2).map(line => paneLine(theme, line));
			}),
		};
		return {
			band: debounced(drawn.band, after, REST_MS),
			pane: {
				...debounced(drawn.pane, after, REST_MS),
				drag: (by: number) => dragPane(paneColumns, by, listWidth + paneWidth),
			},
		};
	}, [table, grouped, paneColumns, isGrouped, layout, pane, theme, fleet, orders, after]);
}
