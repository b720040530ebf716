import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import type {InstanceActions} from './action-bindings.ts';
import {refusal, type Action} from './actions.ts';
import {notExtendable} from './lease-prompt.tsx';

/** What is asked before anything is sent. */
export type Asking =
	| (Asked & {
			readonly kind: 'action';
			readonly action: Action;
			/** Those that it makes no sense for. */
			readonly leftOut: readonly FleetRow[];
	  })
	| (Asked & {readonly kind: 'sweep'})
	| {
			readonly kind: 'label' | 'lease' | 'extend' | 'bid' | 'forward' | 'transfer' | 'sshName';
			readonly row: FleetRow;
	  };

type Asked = {
	readonly rows: readonly FleetRow[];
	/** How many are shown, so that it is known whether these are all. */
	readonly shown: number;
};

/** What the keys do that change instances: open a review of those that they are about. */
export function instanceActions(
	chosen: () => readonly FleetRow[],
	ask: (asking: Asking) => void,
	shown: () => number = () => chosen().length,
): InstanceActions {
	function only(): FleetRow | undefined {
		const rows = chosen();
		return rows.length === 1 ? rows[0] : undefined;
	}
	const oneOnly = () => {
		if (chosen().length === 0) return 'there is no instance to act on';
		return only() === undefined ? 'it is for one instance at a time' : undefined;
	};

	return {
		review(wanted) {
			const action = actionFor(wanted, chosen());
			const isFor = (row: FleetRow) => refusal(action, row) === undefined;
			const rows = chosen().filter(isFor);
			const leftOut = chosen().filter(row => !isFor(row));
			if (rows.length > 0) ask({kind: 'action', action, rows, leftOut, shown: shown()});
		},
		refuses(wanted) {
			const rows = chosen();
			if (rows.length === 0) return 'there is no instance to act on';
			const action = actionFor(wanted, rows);
			const reasons = rows.map(row => refusal(action, row));
			return reasons.includes(undefined) ? undefined : reasons[0];
		},
		editLabel() {
			const row = only();
			if (row !== undefined) ask({kind: 'label', row});
		},
		editLease() {
			const row = only();
			if (row !== undefined) ask({kind: 'lease', row});
		},
		extendLease() {
			const row = only();
			if (row !== undefined) ask({kind: 'extend', row});
		},
		notExtendable() {
			const row = only();
			return row === undefined ? oneOnly() : notExtendable(row);
		},
		editBid() {
			const row = only();
			if (row !== undefined) ask({kind: 'bid', row});
		},
		oneOnly,
		noBid: () => {
			const reason = oneOnly();
			if (reason !== undefined) return reason;
			return only()?.instance.is_bid === true ? undefined : 'it was not rented by a bid';
		},
	};
}

/** Where all of them are stopped the key starts them, and else it stops what runs. */
function actionFor(wanted: Action | 'stopOrStart', rows: readonly FleetRow[]): Action {
	if (wanted !== 'stopOrStart') return wanted;
	return rows.every(({condition}) => condition === 'stopped') ? 'start' : 'stop';
}
