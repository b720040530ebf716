import {Box, Text} from 'ink';
import {useEffect, useLayoutEffect, useMemo, useState} from 'react';
import {drawLine} from '../../components/text-field.tsx';
import {useStore} from '../../components/use-store.ts';
import {GUTTER} from '../../list/lines.ts';
import {ListScope} from '../../list/list-scope.tsx';
import {holdingAt, type Place} from '../../router.ts';
import {useServices, useTime} from '../../services.tsx';
import {derived} from '../../../renter/store.ts';
import {ColumnChooser} from '../../list/column-chooser.tsx';
import type {ScreenProps} from '../place.ts';
import {AskingPart} from './asking.tsx';
import {emptyFleetBindings, instanceListBindings} from './bindings.ts';
import type {Asking} from './deed-target.ts';
import {InstancesNotice} from './instances-notice.tsx';
import {instancesTarget} from './instances-target.ts';
import {layoutOf, type Layout} from './layout.ts';
import {
	filtered,
	filteredBeside,
	goToBest,
	isFiltering,
	listAt,
	wantedIn,
	type InstanceList,
} from './list.ts';
import {InstanceRows} from './instance-rows.tsx';
import {InstanceQuery, QueryLines} from './query.tsx';
import type {Pane} from './pane.ts';
import {PaneOver} from './pane-over.tsx';
import {useShownColumns} from './shown-columns.ts';
import {standingOf, topLine, type Standing} from './standing.ts';
import {outOfSight, troubleRule} from './trouble.ts';

/** What is rented, as a list: trouble first, then what costs most. */
export function InstancesScreen({place, router, size, say}: ScreenProps) {
	const services = useServices();
	const {fleet} = services;
	const list = listAt(place);
	const [asking, setAsking] = useState<Asking>();
	const [isChoosing, setIsChoosing] = useState(false);
	const pane = useStore(list.pane);
	const isTyping = useStore(list.edit, edit => edit !== undefined);
	const layout = useMemo(
		() => layoutOf(size, {hasPane: pane.kind !== undefined, isTyping}),
		[size, pane, isTyping],
	);
	const columns = useShownColumns(list, layout.listWidth - GUTTER);
	useHolding(place, list);
	useRows(list, asking !== undefined || isChoosing);
	const standing = useStanding(list);
	if (asking !== undefined) {
		return (
			<AskingPart
				{...{asking, held: list.held, size, say}}
				// What was marked was marked for this.
				onAgreed={() => list.table.markNone()}
				onWork={(count, work) => countWork(list, count, work)}
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
		services,
		ask: setAsking,
	});
	return (
		<ListScope
			title="Instances"
			list={list.table}
			columns={columns.shown}
			bindings={standing === 'rows' ? instanceListBindings : emptyFleetBindings}
			router={router}
			target={target}
		>
			<Box flexDirection="column">
				<TopLines {...{list, isTyping}} isNarrow={layout.isNarrow} width={size.columns} />
				<ListBody
					{...{list, standing, layout, pane, columns}}
					width={size.columns}
					height={size.rows - (layout.isNarrow && !isTyping ? 1 : 2)}
					isChoosing={isChoosing}
					onChosen={() => setIsChoosing(false)}
				/>
			</Box>
		</ListScope>
	);
}

type TopProps = {
	readonly list: InstanceList;
	readonly isTyping: boolean;
	readonly isNarrow: boolean;
	readonly width: number;
};

/** The lines above the rows: what is looked for and what is out of sight, or the open query line. */
function TopLines({list, isTyping, isNarrow, width}: TopProps) {
	const top = useTopLine(list, width);
	return (
		<InstanceQuery list={list}>
			{isTyping ? (
				<QueryLines list={list} width={width} />
			) : (
				<>
					{isNarrow ? null : <Text wrap="truncate">{top}</Text>}
					<TroubleRule list={list} width={width} />
				</>
			)}
		</InstanceQuery>
	);
}

type BodyProps = {
	readonly list: InstanceList;
	readonly standing: Standing;
	readonly layout: Layout;
	readonly pane: Pane;
	readonly columns: ReturnType<typeof useShownColumns>;
	readonly width: number;
	readonly height: number;
	/** Whether columns are chosen in the place of the rows. */
	readonly isChoosing: boolean;
	readonly onChosen: () => void;
};

/** The rows with what belongs to them, or what is there in their place. */
function ListBody({standing, columns, isChoosing, onChosen, ...body}: BodyProps) {
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
	if (standing === 'rows') return <InstanceRows {...body} columns={columns.shown} />;
	return <InstancesNotice {...body} standing={standing} />;
}

/** The rule above the rows, which counts the trouble that is out of sight. */
function TroubleRule({list: {table}, width}: Pick<BodyProps, 'list' | 'width'>) {
	const {fleet, theme} = useServices();
	const {state} = table;
	const text = useStore(
		useMemo(
			() => derived([fleet.state, state], () => outOfSight(state.get(), fleet.state.get())),
			[fleet, state],
		),
	);
	return <Text wrap="truncate">{troubleRule(theme, width, text)}</Text>;
}

/** Counts what is acted on, for as long as it is. */
function countWork({underWay}: InstanceList, count: number, work: Promise<void>): void {
	underWay.set(underWay.get() + count);
	void work.finally(() => underWay.set(underWay.get() - count));
}

/** Says what is not done yet to whoever leaves. */
function useHolding(place: Place, {held, underWay}: InstanceList): void {
	useEffect(() => {
		holdingAt(place).lost = () => {
			const waiting = held.get()?.ids.length;
			if (waiting !== undefined) return `a sweep of ${waiting} was not sent yet`;
			const count = underWay.get();
			const what = count === 1 ? 'one instance is' : `${count} instances are`;
			return count === 0 ? undefined : `${what} still being acted on`;
		};
	}, [place, held, underWay]);
}

/** Keeps the rows of the list what the fleet is, and looks closely at the one under the cursor. */
function useRows(list: InstanceList, isCovered: boolean): void {
	const {fleet} = useServices();
	const {now} = useTime();
	const {table} = list;
	useLayoutEffect(() => {
		function load(): void {
			const {rows} = fleet.state.get();
			const wanted = wantedIn(list);
			const isHeld = (isCovered || table.isMovedIn(now())) && rows.length > 0;
			if (!isFiltering(wanted)) table.refresh(rows, isHeld);
			else if (isHeld) table.refresh(filteredBeside(rows, wanted, table.state.get().shown), isHeld);
			// Rows that a filter hides are not gone, and are not to be shown as such.
			else table.load(filtered(rows, wanted));
		}
		function filterAgain(): void {
			const {rows} = fleet.state.get();
			table.load(filtered(rows, wantedIn(list)));
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
		const follow = () => fleet.follow(table.current()?.instance.id);
		follow();
		const stop = table.state.subscribe(follow);
		return () => {
			stop();
			fleet.follow(undefined);
		};
	}, [fleet, table]);
}

function useStanding(list: InstanceList): Standing {
	const {fleet} = useServices();
	const standing = useMemo(() => {
		const {table} = list;
		return derived([fleet.state, table.filter.state, list.edit, table.state], () =>
			standingOf(fleet.state.get(), wantedIn(list), table.state.get().shown.length),
		);
	}, [fleet, list]);
	return useStore(standing);
}

/** What is looked for, and how many there are. A cursor that moves changes nothing of it. */
function useTopLine(list: InstanceList, width: number): string {
	const {fleet, theme} = useServices();
	const line = useMemo(() => {
		const {filter, view} = list.table;
		return derived([fleet.state, filter.state, view], () => {
			const {line: words} = filter.state.get();
			const look = {width: Math.min(30, Math.floor(width / 3)), hasFocus: false};
			const field = words.text === '' ? undefined : drawLine(theme, words, look);
			return topLine(fleet.state.get(), wantedIn(list), {view: view.get(), field, width});
		});
	}, [fleet, theme, list, width]);
	return useStore(line);
}
