import {useMemo, useSyncExternalStore} from 'react';
import type {Doomed} from '../../components/confirmation.ts';
import {Dialog} from '../../components/dialog.tsx';
import type {FleetRow} from '../../fleet/fleet-state.ts';
import {useServices} from '../../services.tsx';
import type {ScreenProps} from '../place.ts';
import {doomed, factsAbout, questionAbout, sweepQuestion} from './deeds.ts';
import type {Deed} from './deeds.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly deed: Deed;
	/** What it is done to: frozen when the review opened. */
	readonly rows: readonly FleetRow[];
	/** It begins with those in trouble, and others can be chosen or left out. */
	readonly isSweep?: boolean;
	/** What comes after the answer. */
	readonly note?: string;
	readonly onConfirm: (rows: readonly FleetRow[]) => void;
	readonly onClose: () => void;
};

/** Asks before instances are changed. What happens to them meanwhile is said, and asks again. */
export function Review(props: Props) {
	const {deed, rows, isSweep = false, note, size, say, onConfirm, onClose} = props;
	const {fleet, theme, now, linkMs} = useServices();
	const state = useSyncExternalStore(fleet.state.subscribe, fleet.state.get);
	const present = useMemo(() => state.rows.map(row => doomed(deed, row)), [deed, state.rows]);
	const chosen = (targets: readonly Doomed[]) => {
		const ids = new Set(targets.map(({id}) => id));
		return rows.filter(({instance: {id}}) => ids.has(id));
	};
	const after = note === undefined ? [] : ([['After that', note]] as const);
	const all = state.rows.length;
	return (
		<Dialog
			question={isSweep ? sweepQuestion(rows, all) : questionAbout(deed, rows, all)}
			present={present}
			facts={targets => [...factsAbout(deed, chosen(targets)), ...after]}
			theme={theme}
			size={size}
			now={now}
			linkMs={linkMs()}
			say={say}
			onConfirm={targets => {
				onClose();
				onConfirm(chosen(targets));
			}}
			onCancel={onClose}
		/>
	);
}
