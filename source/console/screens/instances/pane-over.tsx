import {zoomedBindings} from './bindings.ts';
import {useMemo, useState} from 'react';
import {Painted} from '../../ui/painted.tsx';
import {inHeight} from '../../ui/panes.ts';
import {useStore} from '../../ui/use-store.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {useServices} from '../../services/services.tsx';
import {createStore, derived} from '../../../renter/state/store.ts';
import type {Size} from '../../terminal/terminal.ts';
import {type InstanceList, wantedIn} from './list.ts';
import {nextPane, paneLines, zoomPane} from './pane.ts';
import {Notice} from '../../ui/notice.tsx';
import {incompleteText} from '../../../renter/fleet/fleet-words.ts';
import {count, sentence} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import type {ListStatus} from './list-status.ts';

type Props = {readonly list: InstanceList; readonly size: Size};

/** The pane in the place of the list: then keys act on no instance, since none is in view. */
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

type InstancesNoticeProps = {
	readonly status: ListStatus;
	readonly list: InstanceList;
	readonly width: number;
	readonly height: number;
};

/** The notice in place of a list without rows. */
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
