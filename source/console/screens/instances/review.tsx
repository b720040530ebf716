import {useMemo} from 'react';
import type {ActionTarget} from '../../components/confirmation.ts';
import {ConfirmDialog} from '../dialogs.tsx';
import {useStore} from '../../components/use-store.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {useServices} from '../../services.tsx';
import type {ScreenProps} from '../place.ts';
import {
	targetOf,
	factsAbout,
	leftAloneFact,
	leftOutFact,
	questionAbout,
	replacingFact,
	sweepQuestion,
	type Action,
} from './actions.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly action: Action;
	/** The instances acted on: frozen when the review opened. */
	readonly rows: readonly FleetRow[];
	/** The count of listed instances. */
	readonly shown: number;
	/** Those that it makes no sense for, and that nothing is done to. */
	readonly leftOut?: readonly FleetRow[];
	/** It begins with those in trouble, and others can be chosen or left out. */
	readonly isSweep?: boolean;
	/** A sentence about what follows the answer. */
	readonly note?: string;
	readonly onConfirm: (rows: readonly FleetRow[], isReplacing: boolean) => void;
	readonly onClose: () => void;
};

/** Asks before instances are changed. What happens to them meanwhile is said, and asks again. */
export function Review(props: Props) {
	const {action, rows, shown, leftOut = [], isSweep = false, note} = props;
	const {size, say, onConfirm, onClose} = props;
	const {fleet} = useServices();
	const state = useStore(fleet.state);
	const present = useMemo(() => state.rows.map(row => targetOf(action, row)), [action, state.rows]);
	const chosen = (targets: readonly ActionTarget[]) => {
		const ids = new Set(targets.map(({id}) => id));
		return rows.filter(({instance: {id}}) => ids.has(id));
	};
	const after = note === undefined ? [] : ([['After that', note]] as const);
	return (
		<ConfirmDialog
			question={isSweep ? sweepQuestion(rows, shown) : questionAbout(action, rows, shown)}
			present={present}
			facts={(targets, isReplacing) => [
				...factsAbout(action, chosen(targets)),
				...(isReplacing ? replacingFact(chosen(targets)) : []),
				...leftOutFact(action, leftOut),
				...(isSweep ? leftAloneFact(state.rows) : []),
				...after,
			]}
			size={size}
			say={say}
			onConfirm={(targets, isReplacing) => {
				const byId = new Map(state.rows.map(row => [row.instance.id, row]));
				onClose();
				// As they are by now: that is what was agreed to.
				onConfirm(
					chosen(targets).map(row => byId.get(row.instance.id) ?? row),
					isReplacing,
				);
			}}
			onCancel={onClose}
		/>
	);
}
