/** Status of the list of instances, in the line above it or instead of its rows. */
import {Text} from 'ink';
import {useMemo} from 'react';
import type {ChosenView} from '../../list/list.ts';
import type {ListView} from '../../list/state.ts';
import {filterLine} from '../../list/lines.ts';
import type {FleetState} from '../../../renter/fleet/fleet-state.ts';
import {hourlySum, incompleteText} from '../../../renter/fleet/fleet-texts.ts';
import {count, sentence, timeOfDay} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {
	filterInstances,
	type InstanceFilter,
	type InstanceListState,
	wantedIn,
	InstanceQueryScope,
	QueryLines,
} from './list.tsx';
import {derived} from '../../../renter/state/store.ts';
import {Notice} from '../../ui/notice.tsx';
import {formatLineEdit} from '../../ui/line-edit.ts';
import {useStore} from '../../ui/painted.tsx';
import {useServices} from '../../services/services.tsx';
import {instanceRowsIn} from './grouped-list.ts';
import type {Layout} from './instance-rows.tsx';
import {outOfSight, troubleRule} from './trouble.ts';

export type ListStatus = 'unasked' | 'failed' | 'none' | 'filtered' | 'rows';

/** @param shown count of rows in the list: more than the filter finds while no row may move */
export function listStatusOf(
	{rows, checkedAt, error}: FleetState,
	wanted: InstanceFilter,
	shown: number,
): ListStatus {
	if (checkedAt === undefined && rows.length === 0) {
		return error === undefined ? 'unasked' : 'failed';
	}
	if (rows.length === 0) return 'none';
	return shown > 0 || filterInstances(rows, wanted).length > 0 ? 'rows' : 'filtered';
}

function describeList(
	state: FleetState,
	wanted: InstanceFilter,
	{order}: Pick<ListView, 'order'>,
	isWide: boolean,
): string {
	const {checkedAt, reading, incomplete} = state;
	if (checkedAt === undefined && reading === undefined) return '';
	const rows = state.rows.filter(({condition}) => condition !== 'gone');
	const listed = filterInstances(rows, wanted);
	const found = listed.length;
	const amount = `${count(rows.length)} instance${rows.length === 1 ? '' : 's'}`;
	const cost = isWide ? `, ${hourlySum(listed)}` : '';
	const shown = found === rows.length ? amount : `${count(found)} of ${amount}${cost}`;
	const view = wanted.view === undefined ? [] : [describeView(wanted.view, wanted.words)];
	const sort = order.length === 0 && view.length === 0 ? ['trouble first, then cost'] : [];
	// Missing instances matter more than the order of the listed ones.
	const part = incomplete === undefined ? shown : incompleteText(incomplete);
	const beside = incomplete === undefined ? [...view, ...sort] : view;
	return [part, ...beside, ...progress(reading), freshness(state, isWide)].join(' · ');
}

function describeView({name, words}: ChosenView, asked: string): string {
	return `view ${printable(name)}${words === asked ? '' : ', other words'}`;
}

/** Progress of a list that is read page by page. */
function progress(reading: FleetState['reading']): readonly string[] {
	if (reading === undefined) return [];
	const all = reading.total === undefined ? '' : ` of ${count(reading.total)}`;
	return [`reading ${count(reading.read)}${all}`];
}

/** Notice that the list may be out of date, and since when; empty while it is fresh. */
export function staleness(state: FleetState): string {
	return state.isPaused || state.error !== undefined ? freshness(state, false) : '';
}

function freshness(state: FleetState, isWide: boolean): string {
	const {error, isPaused, checkedAt, slowness} = state;
	const from = checkedAt === undefined ? '' : ` from ${timeOfDay(new Date(checkedAt))}`;
	if (isPaused) return `paused${from}`;
	const every = `every ${Math.round(state.everyMs / 1000)}s`;
	// With little room, the header alone says that the call is repeated.
	if (error !== undefined) return `stale${from}${isWide ? `, trying again ${every}` : ''}`;
	if (slowness > 1) return `${isWide ? 'the service wants fewer calls: ' : ''}slowed to ${every}`;
	return isWide ? `live, ${every} · p pauses` : 'live';
}

type TopProps = {
	readonly list: InstanceListState;
	readonly isTyping: boolean;
	readonly isGrouped: boolean;
	readonly layout: Pick<Layout, 'isNarrow' | 'paneWidth'>;
	readonly status: ListStatus;
	readonly width: number;
};

/** The lines above the rows: filter and hidden trouble, or the open query line. */
export function TopLines(props: TopProps) {
	const {list, isTyping, layout, width} = props;
	const top = useTopLine(list, width);
	return (
		<InstanceQueryScope list={list}>
			{isTyping ? (
				<QueryLines list={list} width={width} />
			) : (
				<>
					{layout.isNarrow ? null : <Text wrap="truncate">{top}</Text>}
					<TroubleRule {...props} />
				</>
			)}
		</InstanceQueryScope>
	);
}

/** The rule above the rows, which counts the trouble that is out of sight. */
function TroubleRule({list: {table, grouped}, isGrouped, layout, status, width}: TopProps) {
	const {fleet, theme} = useServices();
	const {state} = table;
	const text = useStore(
		useMemo(
			() =>
				isGrouped
					? derived([fleet.state, grouped.table.state], () =>
							outOfSight(grouped.table.state.get(), fleet.state.get(), instanceRowsIn),
						)
					: derived([fleet.state, state], () =>
							outOfSight(state.get(), fleet.state.get(), rows => rows),
						),
			[fleet, state, grouped, isGrouped],
		),
	);
	return (
		<Text wrap="truncate">
			{troubleRule(theme, width, text, status === 'rows' ? layout.paneWidth : 0)}
		</Text>
	);
}

/** The query and its counts; moving the cursor does not change them. */
function useTopLine(list: InstanceListState, width: number): string {
	const {fleet, theme} = useServices();
	const line = useMemo(() => {
		const {filter, view} = list.table;
		return derived([fleet.state, filter.state, view], () => {
			const {line: words} = filter.state.get();
			const look = {width: Math.min(30, Math.floor(width / 3)), hasFocus: false};
			const field = words.text === '' ? '' : formatLineEdit(theme, words, look);
			const said = describeList(fleet.state.get(), wantedIn(list), view.get(), width >= 120);
			return filterLine(theme, width, field, said);
		});
	}, [fleet, theme, list, width]);
	return useStore(line);
}

type InstancesNoticeProps = {
	readonly status: ListStatus;
	readonly list: InstanceListState;
	readonly width: number;
	readonly height: number;
};

export function InstancesNotice({status, list, ...room}: InstancesNoticeProps) {
	const {fleet} = useServices();
	const {error, rows, incomplete} = useStore(fleet.state);
	switch (status) {
		case 'rows':
		case 'unasked':
			return <Notice title="Asking what is rented" {...room} />;
		case 'failed': {
			const lines = ['Instances that run are not affected, and keep charging.', 'R tries again.'];
			return <Notice title={sentence(error?.message ?? 'It failed')} lines={lines} {...room} />;
		}
		case 'none': {
			if (incomplete !== undefined) {
				const lines = ['What runs is charged. R asks again.'];
				return <Notice title={`${incompleteText(incomplete)}.`} lines={lines} {...room} />;
			}
			const lines = ['Nothing is charged as far as this key can see.', '1 looks for offers.'];
			return <Notice title="Nothing is running." lines={lines} {...room} />;
		}
		case 'filtered': {
			const {words, view} = wantedIn(list);
			const amount = `${count(rows.length)} instance${rows.length === 1 ? '' : 's'}`;
			const why =
				view?.words === words ? `none in the view "${view.name}"` : `none match "${words}"`;
			const title = printable(`${amount}, ${why}.`);
			return <Notice title={title} lines={['Esc shows all.']} {...room} />;
		}
	}
}
