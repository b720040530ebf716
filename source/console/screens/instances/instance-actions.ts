import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {notPrepayable} from '../../../renter/nouns/prepaying.ts';
import type {InstanceActions} from './action-bindings.ts';
import type {Action} from '../../../renter/actions/instance-actions.ts';
import {refusal} from './actions.ts';
import {notExtendable, notKeepable} from './lease-prompt.tsx';

/** The dialog before anything is sent. */
export type Asking =
	| (Asked & {
			readonly kind: 'action';
			readonly action: Action;
			/** Those that it makes no sense for. */
			readonly leftOut: readonly FleetRow[];
	  })
	| (Asked & {readonly kind: 'sweep'})
	| OneAsked;

type OneAsked = {
	readonly kind:
		| 'label'
		| 'lease'
		| 'extend'
		| 'keep'
		| 'bid'
		| 'prepay'
		| 'forward'
		| 'transfer'
		| 'sshName';
	readonly row: FleetRow;
};

type Asked = {
	readonly rows: readonly FleetRow[];
	/** The count of listed instances, which tells whether these are all. */
	readonly shown: number;
};

/** Key methods that change instances: each opens a review first. */
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

	const askOne = (kind: OneAsked['kind']) => () => {
		const row = only();
		if (row !== undefined) ask({kind, row});
	};
	const refuseOne = (why: (row: FleetRow) => string | undefined) => () => {
		const row = only();
		return row === undefined ? oneOnly() : why(row);
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
		editLabel: askOne('label'),
		editLease: askOne('lease'),
		extendLease: askOne('extend'),
		notExtendable: refuseOne(notExtendable),
		keep: askOne('keep'),
		notKeepable: refuseOne(notKeepable),
		editBid: askOne('bid'),
		prepay: askOne('prepay'),
		notPrepayable: refuseOne(({instance}) => notPrepayable(instance)),
		oneOnly,
		noBid: refuseOne(({instance}) =>
			instance.is_bid === true ? undefined : 'it was not rented by a bid',
		),
	};
}

/** The action of the stop-or-start key: start where all are stopped, else stop the running ones. */
function actionFor(wanted: Action | 'stopOrStart', rows: readonly FleetRow[]): Action {
	if (wanted !== 'stopOrStart') return wanted;
	return rows.every(({condition}) => condition === 'stopped') ? 'start' : 'stop';
}
