/** The pane beside the list of instances, or in its place: money, events or all that was sent. */
import {useMemo, useState} from 'react';
import type {Instance} from '../../../contract/nouns/instance-record.ts';
import {printable, fit} from '../../../renter/text/text-width.ts';
import {shownRequest, shownValue} from '../../../renter/orders/request-text.ts';
import type {
	FleetEvent,
	FleetRow,
	FleetState,
	BurnSample,
} from '../../../renter/fleet/fleet-state.ts';
import {timeOfDay, cents, hourly, money} from '../../../renter/text/format.ts';
import type {Theme} from '../../ui/theme.ts';
import {conditionWord} from '../../../renter/nouns/activity.ts';
import {nameOf, ageOf, labelOf, roughly} from './words.ts';
import {
	creditHours,
	wasteIn,
	type Burn,
	type BurnGroup,
	type Share,
	type Waste,
} from '../../../renter/instance/burn.ts';
import {hoursText} from '../../../renter/fleet/fleet-words.ts';
import {zoomedBindings} from './bindings.ts';
import {Painted, useStore} from '../../ui/painted.tsx';
import {percentBars} from '../../ui/graph.ts';
import {inHeight} from '../../ui/panes.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {useServices} from '../../services/services.tsx';
import {createStore, derived, type Store} from '../../../renter/state/store.ts';
import type {Size} from '../../terminal/terminal.ts';
import type {List} from '../../list/list.ts';

/** Columns of the pane, until its edge is dragged. */
export const PANE = 40;

const secretName = /(?:token|key|password|secret)$/i;

/** The whole record of an instance, without the secrets in it. */
export function rawLines(instance: Instance): readonly string[] {
	const variables = instance.extra_env ?? undefined;
	const shown = Object.entries({
		...shownRequest(instance),
		...(variables !== undefined && {
			extra_env: variables.map(([name, value]) => [name, shownValue(name, value)]),
		}),
	}).map(([name, value]) => [
		name,
		secretName.test(name) && typeof value === 'string' ? '***' : value,
	]);
	return JSON.stringify(Object.fromEntries(shown), undefined, 2).split('\n').map(printable);
}

type Paper = {readonly theme: Theme; readonly width: number};

function moneyLines(state: FleetState, {theme, width}: Paper): readonly string[] {
	const title = (text: string) => theme.style('heading', fit(text, width));
	const rest = (text: string) => fit(text, width);
	const waste = wasteIn(state.rows);
	return [
		title('BURN RATE'),
		...burnLines(state.burn).map(rest),
		...spentLines(state).map(rest),
		rest(creditLine(state)),
		'',
		...plotLines(state.samples).map(rest),
		...(waste.length === 0
			? []
			: [title('WASTE FOUND'), ...wasteLines(state.rows, waste).map(rest), '']),
	];
}

const groupNames: ReadonlyArray<readonly [group: BurnGroup, name: string, note: string]> = [
	['running', 'running', ''],
	['stopped', 'stopped', '(disk only)'],
	['booting', 'booting', ''],
	['stuck', 'stuck', 'wasted'],
	['dead', 'dead', 'wasted'],
];

function burnLines({groups, now, atMost, unpriced}: Burn): readonly string[] {
	const shown = groupNames.filter(([group]) => groups[group].count > 0);
	const unknown = unpriced === 0 ? [] : [` ${unpriced} without a known price`];
	return [
		...shown.map(([group, name, note]) => groupLine(name, groups[group], note)),
		` now ${hourly(now)}    at most ${hourly(atMost)} /h`,
		...unknown,
	];
}

function groupLine(name: string, {count, now, atMost}: Share, note: string): string {
	const sign = atMost > now ? '<=' : '  ';
	return ` ${fit(name, 8)}${sign} ${fit(hourly(atMost), 8, 'right')} /h  ${count} ${note}`;
}

/** Lines of the bills so far, by days of UTC. */
function spentLines({spent}: FleetState): readonly string[] {
	return spent === undefined
		? []
		: [` today ${cents(spent.today)}   month ${cents(spent.month)}  (UTC)`];
}

function creditLine({credit, burn}: FleetState): string {
	return credit === undefined ? '' : ` credit ${money(credit)}${lastsText(credit, burn)}`;
}

function lastsText(credit: number, burn: Burn): string {
	const hours = creditHours(credit, burn);
	return hours === undefined ? '' : `  lasts ${hoursText(hours)}`;
}

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** Highest possible cost of the fleet in each hour of a day; empty for the first minutes. */
function plotLines(samples: readonly BurnSample[]): readonly string[] {
	const [first, last] = [samples[0], samples.at(-1)];
	if (first === undefined || last === undefined || last.at - first.at < 600_000) return [];
	const peak = Math.max(...samples.map(({atMost}) => atMost));
	const percents = Array.from({length: HOURS}, (_, index) => {
		const from = last.at - (HOURS - index) * HOUR_MS;
		const own = samples.filter(({at}) => at > from && at <= from + HOUR_MS);
		if (own.length === 0) return undefined;
		return peak === 0 ? 0 : (Math.max(...own.map(({atMost}) => atMost)) / peak) * 100;
	});
	const title = ` burn, last 24 h, at most ${hourly(peak)} /h`;
	return [title, ` |${percentBars(percents)}|`, ''];
}

function wasteLines(rows: readonly FleetRow[], waste: readonly Waste[]): readonly string[] {
	const saved = waste.reduce((sum, {perHour: rate}) => sum + rate, 0);
	const lines = waste.slice(0, MOST_WASTE).map(({id, reason, perHour: rate, isAtMost}) => {
		const row = rows.find(({instance}) => instance.id === id);
		const lasted = row === undefined ? '' : ` ${lastingOf(reason, row)}`;
		const label = row === undefined ? '' : labelOf(row.instance);
		// A bare number beside a reason would read as a count.
		const name = label === '' ? `id ${id}` : label;
		return ` ${fit(reason + lasted, 12)} ${fit(name, 11)} ${isAtMost ? '<=' : '  '} ${hourly(rate)} /h`;
	});
	const more = waste.length - lines.length;
	return [
		...lines,
		...(more > 0 ? [` and ${more} more`] : []),
		` if cleaned: save up to ${hourly(saved)} /h`,
	];
}

const MOST_WASTE = 6;

/** Time of cost without use; for stuck instances the list has it. */
function lastingOf(reason: Waste['reason'], row: FleetRow): string {
	if (reason === 'idle') return roughly(row.now - (row.seen.idleSince ?? row.now));
	return reason === 'stopped' ? ageOf(row) : '';
}

type PaneKind = 'money' | 'events' | 'raw';

export type Pane = {
	/** The pane's content; undefined for no pane. */
	readonly kind: PaneKind | undefined;
	/** True where the pane has the whole screen. */
	readonly isZoomed: boolean;
};

const kinds: ReadonlyArray<PaneKind | undefined> = ['money', 'events', 'raw', undefined];

/** The next pane. A pane with the whole screen is never empty. */
export function nextPane({kind, isZoomed}: Pane): Pane {
	const next = kinds[(kinds.indexOf(kind) + 1) % kinds.length];
	return {kind: next === undefined && isZoomed ? 'money' : next, isZoomed};
}

/** Gives the pane the whole screen, or takes that back. An empty pane becomes the one of money. */
export function zoomPane({kind = 'money', isZoomed}: Pane): Pane {
	return {kind, isZoomed: !isZoomed};
}

type Shown = {
	readonly kind: PaneKind;
	readonly state: FleetState;
	/** The instance under the cursor. */
	readonly row: FleetRow | undefined;
	readonly theme: Theme;
	readonly width: number;
};

export function paneLines({kind, state, row, theme, width}: Shown): readonly string[] {
	const title = (text: string) => theme.style('heading', fit(text, width));
	switch (kind) {
		case 'money':
			return [
				...moneyLines(state, {theme, width}),
				...(state.events.length === 0 ? [] : [title('LAST EVENTS')]),
				...eventLines(state.events, width),
			];
		case 'events':
			return [title('EVENTS'), ...eventLines(state.events, width), ...none(state.events)];
		case 'raw':
			return row === undefined
				? [title('RAW')]
				: [
						title(`RAW  ${nameOf(row.instance)}, as the service sent it`),
						...rawLines(row.instance).map(line => fit(` ${line}`, width)),
					];
	}
}

const none = (events: readonly FleetEvent[]) =>
	events.length === 0 ? [' Nothing has changed so far.'] : [];

function eventLines(events: readonly FleetEvent[], width: number): readonly string[] {
	return events.map(event => fit(eventLine(event), width));
}

function eventLine({at, id, label, from, to}: FleetEvent): string {
	const change = from === undefined ? 'appeared' : `${conditionWord(from)} > ${conditionWord(to)}`;
	const text = ` ${timeOfDay(new Date(at))} ${id} ${change}`;
	return label === '' ? text : `${text}  ${printable(label)}`;
}

type Props = {
	readonly list: {readonly table: List<FleetRow>; readonly pane: Store<Pane>};
	readonly size: Size;
};

/** The pane in the place of the list: keys act on no instance, as none is in view. */
export function PaneOver({list: {table, pane}, size: {columns, rows}}: Props) {
	const {theme, fleet} = useServices();
	const {kind = 'money'} = useStore(pane);
	const [top] = useState(() => createStore(0));
	const source = useMemo(
		() =>
			derived([fleet.state, top], () => {
				const shown = {kind, state: fleet.state.get(), row: table.current(), theme, width: columns};
				return inHeight(paneLines(shown).slice(top.get()), rows);
			}),
		[fleet, table, theme, kind, top, columns, rows],
	);
	const target = {
		next() {
			top.set(0);
			pane.set(nextPane(pane.get()));
		},
		close: () => pane.set(zoomPane(pane.get())),
		scroll(step: 1 | -1) {
			const shown = {kind, state: fleet.state.get(), row: table.current(), theme, width: columns};
			const last = Math.max(0, paneLines(shown).length - rows);
			top.set(Math.max(0, Math.min(top.get() + step * (rows - 1), last)));
		},
	};
	return (
		<KeyScope isModal title="Pane" bindings={zoomedBindings} target={target}>
			<Painted source={source} width={columns} height={rows} />
		</KeyScope>
	);
}

/** True where all panes fit side by side. */
export function isWide({columns, rows}: Size): boolean {
	return columns >= 140 && rows >= 30;
}
