import {useMemo} from 'react';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {actOnAll, hasFailed, type Action} from '../../../renter/actions/instance-actions.ts';
import {replaceAll} from '../../../renter/actions/replacement.ts';
import {hourly} from '../../../renter/text/format.ts';
import type {Message} from '../../ui/message.ts';
import {useServices, type Services} from '../../services/services.tsx';
import {isReplaceable} from './actions.ts';
import {describeBeginning, describeOutcomes} from './outcomes.ts';
import type {Timers} from '../../../renter/state/timers.ts';
import {createStore} from '../../../renter/state/store.ts';

/** Time in which a sweep can be taken back before anything is sent. */
export const HOLD_MS = 5000;

type Held = {readonly ids: readonly number[]; readonly cancel: () => void};

/** Something that is done in a moment, unless it is taken back. */
export function createHeldSweep() {
	const store = createStore<Held | undefined>(undefined);
	return {
		/** The held sweep; undefined for none. */
		get: store.get,
		hold({after}: Timers, ids: readonly number[], run: () => void) {
			store.get()?.cancel();
			const cancel = after(HOLD_MS, () => {
				store.set(undefined);
				run();
			});
			store.set({ids, cancel});
		},
		takeBack() {
			store.get()?.cancel();
			store.set(undefined);
		},
	};
}

type Say = (message: Message) => void;

/** Does what was agreed to, and says of each instance what came of it. */
export function useActions(say: Say) {
	const services = useServices();
	return useMemo(() => ({run: createRun(services, say)}), [services, say]);
}

/** @param isReplacing whether an equal one is rented in the place of each that is gone */
type Run = (action: Action, rows: readonly FleetRow[], isReplacing?: boolean) => Promise<void>;

function createRun(services: Services, say: Say): Run {
	const {fleet} = services;
	return async (action, rows, isReplacing = false) => {
		say({text: describeBeginning(action, rows.length), isError: false});
		const outcomes = await actOnAll(action, rows, services);
		const gone = new Set(outcomes.filter(({ending}) => ending.kind === 'gone').map(({id}) => id));
		const left =
			gone.size > 0 ? ` What is left costs ${hourly(fleet.state.get().burn.now)}/h.` : '';
		say({text: describeOutcomes(action, outcomes) + left, isError: outcomes.some(hasFailed)});
		if (!isReplacing) return;
		const replaced = rows.filter(row => gone.has(row.instance.id) && isReplaceable(row));
		await replaceAll(
			services,
			replaced.map(({instance}) => instance),
		);
	};
}
