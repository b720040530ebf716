import {useMemo, useState} from 'react';
import {alertLine, type KeptAlert} from '../../../renter/alerts/kept-alerts.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {count} from '../../../renter/text/format.ts';
import {Notice} from '../../ui/notice.tsx';
import {useStore} from '../../ui/use-store.ts';
import {GUTTER} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {idOfText} from '../../list/text-columns.ts';
import {kept, type Destination, type ScreenProps} from '../../services/router.ts';
import {useServices, useTerminal, useTime} from '../../services/services.tsx';
import {ChangeLease, extended, notExtendable} from '../instances/lease-prompt.tsx';
import {shortState} from '../instances/words.ts';
import {ListScreen} from '../list-screen.tsx';
import {alertBindings, alertColumns, type AlertsTarget} from './alerts.ts';

const listAt = kept(() =>
	createList(
		alertColumns(120, new Date(0), () => undefined),
		({id}: KeptAlert) => idOfText(id),
	),
);

const alertsList = {
	title: 'Alerts',
	heading: 'ALERTS',
	bindings: alertBindings,
	note: ({length}: readonly KeptAlert[]) => `${count(length)} new`,
	about: aboutAlert,
} as const;

/** Alerts that nobody has acknowledged, newest first. */
export function AlertsScreen({place, router, size, say}: ScreenProps) {
	const {fleet} = useServices();
	const {alerts, copy} = useTerminal();
	const {now} = useTime();
	const list = listAt(place);
	const all = useStore(alerts);
	const shown = useMemo(() => all.filter(({isNew}) => isNew), [all]);
	const [extending, setExtending] = useState<FleetRow>();
	const {rows} = useStore(fleet.state);
	const columns = useMemo(() => {
		const conditions = new Map(rows.map(row => [row.instance.id, shortState(row)]));
		const stateNow = ({instance}: KeptAlert) => conditions.get(instance ?? Number.NaN);
		return alertColumns(size.columns - GUTTER, now(), stateNow);
	}, [size.columns, now, rows]);
	const row = () => rows.find(({instance}) => instance.id === list.current()?.instance);
	const target: AlertsTarget = {
		open: list.act(alert => {
			const subject = subjectOf(alert);
			if (subject !== undefined) router.go(subject);
		}),
		noSubject: () => noSubject(list.current()),
		acknowledge: list.act(({id}) => alerts.acknowledge([id])),
		acknowledgeAll: () => alerts.acknowledge(shown.map(({id}) => id)),
		extend: () => setExtending(row()),
		notExtendable() {
			const found = row();
			return found === undefined ? 'it is about no instance that is there' : notExtendable(found);
		},
		copy: list.act(alert => copy(alertLine(alert))),
	};
	return (
		<ListScreen
			{...alertsList}
			{...{list, columns, router, target, rows: shown, size}}
			instead={<Notice {...nothing} width={size.columns} height={size.rows} />}
		>
			{extending !== undefined && (
				<ChangeLease
					row={extending}
					change={extended}
					say={say}
					onClose={() => setExtending(undefined)}
				/>
			)}
		</ListScreen>
	);
}

const nothing = {
	title: 'There is no new alert.',
	lines: ['What rentty tells is listed here until it is acknowledged.', 'Esc goes back.'],
};

function subjectOf({kind, instance, offer}: KeptAlert): Destination | undefined {
	if (kind === 'price-rise') return {name: 'rises'};
	if (instance !== undefined) return {name: 'instance', id: instance};
	return offer === undefined ? undefined : {name: 'offer', id: offer};
}

function noSubject(alert: KeptAlert | undefined): string | undefined {
	if (alert === undefined) return 'there is no new alert';
	return subjectOf(alert) === undefined ? 'it is about no single instance or offer' : undefined;
}

/** The whole text, as far as the line goes. */
function aboutAlert(alert: KeptAlert | undefined): string {
	return alert === undefined ? '' : ` ${alertLine(alert)}`;
}
