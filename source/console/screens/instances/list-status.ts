/** Status of the list of instances: read or not, how fresh, and what it shows. */
import type {ChosenView} from '../../list/filter.ts';
import type {ListView} from '../../list/loading.ts';
import {spread} from '../../ui/chrome.ts';
import type {FleetState} from '../../../renter/fleet/fleet-state.ts';
import {incompleteText} from '../../../renter/fleet/fleet-words.ts';
import {count, timeOfDay} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {filtered, type Wanted} from './list.ts';

export type ListStatus = 'unasked' | 'failed' | 'none' | 'filtered' | 'rows';

/**
 * @param shown how many rows the list shows: while nothing may move, more than the filter finds
 */
export function listStatusOf(
	{rows, checkedAt, error}: FleetState,
	wanted: Wanted,
	shown: number,
): ListStatus {
	if (checkedAt === undefined && rows.length === 0) {
		return error === undefined ? 'unasked' : 'failed';
	}
	if (rows.length === 0) return 'none';
	return shown > 0 || filtered(rows, wanted).length > 0 ? 'rows' : 'filtered';
}

/** Count, order and freshness of the list, in words. */
function describeList(
	state: FleetState,
	wanted: Wanted,
	{order}: Pick<ListView, 'order'>,
	isWide: boolean,
): string {
	const {checkedAt, reading, incomplete} = state;
	if (checkedAt === undefined && reading === undefined) return '';
	const rows = state.rows.filter(({condition}) => condition !== 'gone');
	const listed = filtered(rows, wanted);
	const found = listed.length;
	const amount = `${count(rows.length)} instance${rows.length === 1 ? '' : 's'}`;
	const shown = found === rows.length ? amount : `${count(found)} of ${amount}`;
	const view = wanted.view === undefined ? [] : [describeView(wanted.view, wanted.words)];
	const sort = order.length === 0 && view.length === 0 ? ['trouble first, then cost'] : [];
	// What is not there counts for more than the order of what is.
	const part = incomplete === undefined ? shown : incompleteText(incomplete);
	const beside = incomplete === undefined ? [...view, ...sort] : view;
	return [part, ...beside, ...progress(reading), freshness(state, isWide)].join(' | ');
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

/** That what is shown may have changed, and since when; empty where it is as fresh as it is meant to be. */
export function staleness(state: FleetState): string {
	return state.isPaused || state.error !== undefined ? freshness(state, false) : '';
}

function freshness(state: FleetState, isWide: boolean): string {
	const {error, isPaused, checkedAt, slowness} = state;
	const from = checkedAt === undefined ? '' : ` from ${timeOfDay(new Date(checkedAt))}`;
	if (isPaused) return `paused${from}`;
	const every = `every ${Math.round(state.everyMs / 1000)}s`;
	// Where there is little room, the header says what is done about it.
	if (error !== undefined) return `stale${from}${isWide ? `, trying again ${every}` : ''}`;
	if (slowness > 1) return `${isWide ? 'the service wants fewer calls: ' : ''}slowed to ${every}`;
	return isWide ? `live: one list call ${every}, p pauses` : 'live';
}

type TopLine = {
	readonly view: ListView;
	/** The line of the filter; undefined for one that is empty and closed. */
	readonly field: string | undefined;
	readonly width: number;
};

export function topLine(state: FleetState, wanted: Wanted, {view, field, width}: TopLine): string {
	const left = field === undefined ? 'filter>' : `filter> ${field}`;
	return spread(width, left, describeList(state, wanted, view, width >= 120));
}
