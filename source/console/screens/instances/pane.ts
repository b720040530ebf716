/** The pane beside the list of instances, or in its place: money, events or requests. */
import type {FleetEvent, FleetRow, FleetState} from '../../../renter/fleet/fleet-state.ts';
import {timeOfDay} from '../../../renter/format.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import type {Theme} from '../../theme.ts';
import {moneyLines} from './money-lines.ts';
import {rawLines} from './raw-lines.ts';
import {conditionWord} from '../../../renter/activity.ts';
import {nameOf} from './words.ts';

type PaneKind = 'money' | 'events' | 'raw';

export type Pane = {
	/** The pane's content; undefined for no pane. */
	readonly kind: PaneKind | undefined;
	/** True where the pane has the whole screen. */
	readonly isZoomed: boolean;
};

const kinds: ReadonlyArray<PaneKind | undefined> = ['money', 'events', 'raw', undefined];

/** The next one. What has the whole screen shows something. */
export function nextPane({kind, isZoomed}: Pane): Pane {
	const next = kinds[(kinds.indexOf(kind) + 1) % kinds.length];
	return {kind: next === undefined && isZoomed ? 'money' : next, isZoomed};
}

/** Gives the pane the whole screen, or takes that back. Where there is none, it is the one of money. */
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
