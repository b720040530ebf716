import {zoomedBindings} from './bindings.ts';
import {useMemo, useState} from 'react';
import {Painted} from '../../components/painted.tsx';
import {inHeight} from '../../components/panes.ts';
import {useStore} from '../../components/use-store.ts';
import {KeyScope} from '../../key-scope.tsx';
import {useServices} from '../../services.tsx';
import {createStore, derived} from '../../../renter/store.ts';
import type {Size} from '../../terminal/terminal.ts';
import type {InstanceList} from './list.ts';
import {nextPane, paneLines, zoomPane} from './pane.ts';

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
