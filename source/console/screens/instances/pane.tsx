/** The pane beside the list of instances, or instead of it: money, events or the raw record. */
import {useMemo, useState} from 'react';
import type {Instance} from '../../../contract/nouns/instance-record.ts';
import {printable, fit} from '../../../renter/text/text-width.ts';
import {shownRequest, shownValue} from '../../../renter/orders/request-text.ts';
import type {FleetEvent, FleetRow, FleetState} from '../../../renter/fleet/fleet-state.ts';
import type {Theme} from '../../ui/theme.ts';
import {eventLines, moneyPaneLines} from './money-pane.ts';
import {instanceNameOf} from './words.ts';
import {zoomedBindings} from './pane-bindings.ts';
import {Painted, useStore} from '../../ui/painted.tsx';
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

type PaneKind = 'money' | 'events' | 'raw';

export type InstancePane = {
	/** The pane's content; undefined for no pane. */
	readonly kind: PaneKind | undefined;
	readonly isZoomed: boolean;
};

const kinds: ReadonlyArray<PaneKind | undefined> = ['money', 'events', 'raw', undefined];

/** The next pane. A pane with the whole screen is never empty. */
export function nextInstancePane({kind, isZoomed}: InstancePane): InstancePane {
	const next = kinds[(kinds.indexOf(kind) + 1) % kinds.length];
	return {kind: next === undefined && isZoomed ? 'money' : next, isZoomed};
}

/** Gives the pane the whole screen, or takes that back. An empty pane becomes the one of money. */
export function zoomPane({kind = 'money', isZoomed}: InstancePane): InstancePane {
	return {kind, isZoomed: !isZoomed};
}

type Shown = {
	readonly kind: PaneKind;
	readonly state: FleetState;
	readonly row: FleetRow | undefined;
	readonly theme: Theme;
	readonly width: number;
};

export function instancePaneLines({kind, state, row, theme, width}: Shown): readonly string[] {
	const title = (text: string) => theme.style('heading', fit(text, width));
	switch (kind) {
		case 'money':
			return moneyPaneLines(state, {theme, width});
		case 'events':
			return [title('EVENTS'), ...eventLines(state.events, {theme, width}), ...none(state.events)];
		case 'raw':
			return row === undefined
				? [title('RAW')]
				: [
						title(`RAW  ${instanceNameOf(row.instance)}, as the service sent it`),
						...rawLines(row.instance).map(line => fit(` ${line}`, width)),
					];
	}
}

const none = (events: readonly FleetEvent[]) =>
	events.length === 0 ? [' Nothing has changed so far.'] : [];

type Props = {
	readonly list: {readonly table: List<FleetRow>; readonly pane: Store<InstancePane>};
	readonly size: Size;
};

/** The pane in place of the list: keys act on no instance, as none is in view. */
export function PaneOver({list: {table, pane}, size: {columns, rows}}: Props) {
	const {theme, fleet} = useServices();
	const {kind = 'money'} = useStore(pane);
	const [top] = useState(() => createStore(0));
	const source = useMemo(
		() =>
			derived([fleet.state, top], () => {
				const shown = {kind, state: fleet.state.get(), row: table.current(), theme, width: columns};
				return inHeight(instancePaneLines(shown).slice(top.get()), rows);
			}),
		[fleet, table, theme, kind, top, columns, rows],
	);
	const target = {
		next() {
			top.set(0);
			pane.set(nextInstancePane(pane.get()));
		},
		close: () => pane.set(zoomPane(pane.get())),
		scroll(step: 1 | -1) {
			const shown = {kind, state: fleet.state.get(), row: table.current(), theme, width: columns};
			const last = Math.max(0, instancePaneLines(shown).length - rows);
			top.set(Math.max(0, Math.min(top.get() + step * (rows - 1), last)));
		},
	};
	return (
		<KeyScope isModal title="Pane" bindings={zoomedBindings} target={target}>
			<Painted source={source} width={columns} height={rows} />
		</KeyScope>
	);
}

export function fitsAllPanes({columns, rows}: Size): boolean {
	return columns >= 140 && rows >= 30;
}
