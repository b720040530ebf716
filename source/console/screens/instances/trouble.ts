/** Instances in trouble, or not as ordered: notes, lines, order, and the hidden ones. */
import {
	countedFrom,
	isTrouble,
	loadingLimits,
	type InstanceCondition,
} from '../../../renter/instance/condition.ts';
import {type FleetRow, type FleetState, troublesOf} from '../../../renter/fleet/fleet-state.ts';
import {troubleCount} from '../../../renter/fleet/fleet-texts.ts';
import {fit, widthOf, printable} from '../../../renter/text/text-width.ts';
import {jointRule} from '../../ui/rules.ts';
import type {List} from '../../list/list.ts';
import type {ListState} from '../../list/state.ts';
import type {Theme} from '../../ui/theme.ts';
import {wholeGigabytes, known} from '../../../renter/text/format.ts';
import {minutes, roughly} from './words.ts';
import {wrapText} from '../../../renter/text/wrap.ts';
import {useStore} from '../../ui/painted.tsx';
import {unlikeText, type Differing} from '../../../renter/orders/instance-comparisons.ts';
import {useRenting, useServices} from '../../services/services.tsx';
import type {Size} from '../../terminal/terminal.ts';
import type {Column} from '../../list/columns.ts';
import {MINUTE_MS} from '../../../contract/rules/durations.ts';

/** The service's own sentence about an instance, on one line; empty if it sent none. */
export function statusMessage({
	instance: {status_msg: message},
}: Pick<FleetRow, 'instance'>): string {
	return printable(message ?? '').trim();
}

const disk = known((size: number) => `disk ${wholeGigabytes(size)}`);

const endings: Readonly<Record<string, string>> = {
	offline: 'host lost',
	unknown: 'host silent',
	exited: 'not by you',
};

type Writer = (row: FleetRow) => string;

const saysUsual: Writer = ({usualMs, instance}) =>
	usualMs === undefined ? statusMessage({instance}) : `usual ${minutes(usualMs)}`;

const notes: Readonly<Record<InstanceCondition, Writer>> = {
	undead: ({observation: {destroyedAt}, now}) => `sent ${roughly(now - (destroyedAt ?? now))}`,
	stuck: row => `limit ${Math.round(limitOf(row) / MINUTE_MS)}m`,
	dead: ({instance}) => endings[instance.actual_status ?? ''] ?? statusMessage({instance}),
	noSsh: ({observation: {sshSilentSince}, now}) =>
		`silent ${roughly(now - (sshSilentSince ?? now))}`,
	failing: ({instance}) => endings[instance.actual_status ?? ''] ?? statusMessage({instance}),
	failed: statusMessage,
	slow: saysUsual,
	provisioning: saysUsual,
	loading: saysUsual,
	destroying: () => 'until gone',
	other: statusMessage,
	running: () => '-',
	idle: ({observation: {idleSince}, now}) => `IDLE ${roughly(now - (idleSince ?? now))}`,
	waiting: statusMessage,
	stopped: ({instance}) => disk(instance.disk_space),
	unlisted: ({observation: {firstSeenAt}, now}) => `since ${roughly(now - firstSeenAt)}`,
	gone: () => '-',
};

export function conditionNote(row: FleetRow): string {
	const note = notes[row.condition](row);
	return note === '' ? '-' : note;
}

/** Milliseconds that the present step of a boot may take. */
export function limitOf({instance, observation, limits, usualMs}: FleetRow): number {
	const isProvisioning = (instance.actual_status ?? null) === null && observation.setbacks === 0;
	return isProvisioning
		? limits.nullStuckMinutes * MINUTE_MS
		: loadingLimits(limits, usualMs).stuckMs;
}

/** The instances in trouble among some, the newest trouble first. */
export function troubledRows(rows: readonly FleetRow[]): readonly FleetRow[] {
	return rows
		.filter(({condition}) => isTrouble(condition))
		.toSorted((a, b) => troubledSince(b) - troubledSince(a));
}

function troubledSince({becameAt, observation, skewMs}: FleetRow): number {
	return becameAt ?? countedFrom(observation) - skewMs;
}

type Cursor = Pick<List<FleetRow>, 'current' | 'wasMoved' | 'isNews' | 'state'>;

/** The next instance to show: new hidden trouble first, else the next below the cursor. */
export function nextInTrouble(
	troubled: readonly FleetRow[],
	{current, wasMoved, isNews, state}: Cursor,
): FleetRow | undefined {
	const {shown, top, height} = state.get();
	const inView = new Set(shown.slice(top, top + height));
	const news = troubled.find(row => isNews(row) && !inView.has(row));
	const row = current();
	const place = wasMoved() && row !== undefined ? troubled.indexOf(row) : -1;
	return news ?? troubled[(place + 1) % troubled.length];
}

/**
 * Counts of instances in trouble out of sight: "4 stuck above, 2 dead below".
 *
 * @param instancesIn the instances that rows of the list show
 */
export function outOfSight<Row>(
	{shown, top, height}: Pick<ListState<Row>, 'shown' | 'top' | 'height'>,
	{rows, troubles}: Pick<FleetState, 'rows' | 'troubles'>,
	instancesIn: (shown: readonly Row[]) => readonly FleetRow[],
): string {
	if (troubleCount(troubles) === 0) return '';
	const listed = new Set(instancesIn(shown).map(({instance: {id}}) => id));
	const hidden = rows.filter(({instance: {id}}) => !listed.has(id));
	const places = [
		[instancesIn(shown.slice(0, top)), 'above'],
		[instancesIn(shown.slice(top + height)), 'below'],
		[hidden, 'not listed'],
	] as const;
	return places
		.map(([some, place]) => countedAt(some, place))
		.filter(text => text !== '')
		.join(', ');
}

function countedAt(rows: readonly FleetRow[], place: string): string {
	const counts = Object.entries(troublesOf(rows)).filter(([, amount]) => amount > 0);
	return counts.length === 0
		? ''
		: `${counts.map(([kind, amount]) => `${amount} ${kind === 'undead' ? 'not gone' : kind}`).join(' ')} ${place}`;
}

/** A rule that counts hidden trouble, if there is any; otherwise the rule of a pane of some width begins in it. */
export function troubleRule(theme: Theme, width: number, text: string, pane = 0): string {
	if (text === '') return jointRule(theme, width, {at: pane === 0 ? 0 : width - pane, sign: '┬'});
	const said = fit(`✖ ${text}`, Math.min(width - 4, widthOf(text) + 2));
	const start = `${theme.glyphs.rule} `;
	const rest = ` ${theme.glyphs.rule.repeat(Math.max(0, width - widthOf(said) - 3))}`;
	return theme.style('quiet', start) + theme.style('danger', said) + theme.style('quiet', rest);
}

const MOST_LINES = 3;
/** Least lines that are left for the page below. */
const LEAST_PAGE = 6;
const END = 'x destroys it.';

/** Lines above the pages of an instance; none if it is as ordered, or gone. */
export function useDifferenceLines(row: FleetRow | undefined, size: Size): readonly string[] {
	const {theme} = useServices();
	const {orders} = useRenting();
	const differing = useStore(orders);
	const unlike = row && differing.get(row.instance.id);
	if (unlike === undefined) return [];
	const width = size.columns;
	const lines = wrapText(`! ${unlikeText(unlike)} ${END}`, width);
	const most = Math.min(MOST_LINES, Math.max(0, size.rows - LEAST_PAGE));
	const shown = lines.length <= most ? lines : [...lines.slice(0, most - 1), `... ${END}`];
	return shown.slice(0, most).map(line => theme.style('danger', fit(line, width)));
}

/** Line below the list, where the instance under the cursor is not as ordered. */
export function differenceLine(
	row: FleetRow | undefined,
	differing: Differing,
	width: number,
): string | undefined {
	const unlike = row && differing.get(row.instance.id);
	return unlike && fit(`! ${unlikeText(unlike)} ${END}`, width);
}

const NOTE = 'not as ordered';

/** The same columns; the note says first of all that an instance is not as ordered. */
export function withOrderNotes(
	columns: ReadonlyArray<Column<FleetRow>>,
	differing: Differing,
): ReadonlyArray<Column<FleetRow>> {
	if (differing.size === 0) return columns;
	const hasNote = columns.some(({id}) => id === 'note');
	return columns.map(column => {
		if (column.id === 'label' && !hasNote) return withSign(column, differing);
		if (column.id !== 'note') return column;
		return {
			...column,
			cell: (row, width) => {
				if (!differing.has(row.instance.id)) return column.cell(row, width);
				return width < NOTE.length ? 'differs' : NOTE;
			},
		};
	});
}

/** The column of labels, with a sign before the label of what is not as ordered. */
function withSign(column: Column<FleetRow>, differing: Differing): Column<FleetRow> {
	return {
		...column,
		draw(row, width) {
			const isUnlike = differing.has(row.instance.id);
			const text = isUnlike ? `! ${column.cell(row, width - 2)}` : column.cell(row, width);
			return [{text: fit(text, width), style: isUnlike ? 'danger' : 'strong'}];
		},
	};
}
