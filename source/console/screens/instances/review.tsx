import {useMemo, useSyncExternalStore} from 'react';
import {Dialog} from '../../components/dialog.tsx';
import type {FleetRow} from '../../fleet/fleet-state.ts';
import {useServices} from '../../services.tsx';
import type {ScreenProps} from '../place.ts';
import {doomed, factsAbout, questionAbout} from './deeds.ts';
import type {Deed} from './deeds.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly deed: Deed;
	/** What it is done to: frozen when the review opened. */
	readonly rows: readonly FleetRow[];
	readonly note?: string;
	readonly onConfirm: (rows: readonly FleetRow[]) => void;
	readonly onClose: () => void;
};

/** Asks before instances are changed. What happens to them meanwhile is said, and asks again. */
export function Review({deed, rows, note, size, say, onConfirm, onClose}: Props) {
	const {fleet, theme, now, linkMs} = useServices();
	const state = useSyncExternalStore(fleet.state.subscribe, fleet.state.get);
	const present = useMemo(() => state.rows.map(row => doomed(deed, row)), [deed, state.rows]);
	const facts = factsAbout(deed, rows);
	return (
		<Dialog
			question={questionAbout(deed, rows, state.rows.length)}
			present={present}
			facts={note === undefined ? facts : [...facts, ['After that', note]]}
			theme={theme}
			size={size}
			now={now}
			linkMs={linkMs()}
			say={say}
			onConfirm={targets => {
				const ids = new Set(targets.map(({id}) => id));
				onClose();
				onConfirm(rows.filter(({instance: {id}}) => ids.has(id)));
			}}
			onCancel={onClose}
		/>
	);
}
