/** Key methods of a sweep, in the list of instances and on the overview. */
import type {Fleet} from '../../../renter/fleet/fleet.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {agentOf} from '../../../renter/instance/agent-tag.ts';
import {isSweepable, isTrouble, whyLeft} from '../../../renter/instance/condition.ts';
import type {Services} from '../../services/services.tsx';
import {sweepable} from './actions.ts';
import type {InstanceDialog} from './instance-actions.ts';
import type {createHeldSweep} from './use-actions.ts';

type Sweeping = {
	readonly held: ReturnType<typeof createHeldSweep>;
	readonly fleet: Fleet;
	readonly services: Services;
	readonly ask: (asking: InstanceDialog) => void;
	readonly shown: () => number;
	readonly announce: (text: string) => void;
};

export type SweepTarget = ReturnType<typeof sweepTarget>;

export function sweepTarget({held, shown, fleet, ask, services, announce}: Sweeping) {
	const rows = () => fleet.state.get().rows;
	const ofAgents = () => rows().filter(isOfAgent);
	return {
		/** Asks whether all that agents rented is destroyed. */
		endAgents() {
			const [found, left] = [ofAgents(), []];
			ask({kind: 'action', action: 'destroy', rows: found, leftOut: left, shown: shown()});
		},
		noAgents: () => (ofAgents().length > 0 ? undefined : 'no agent rented any of them'),
		sweep: () => ask({kind: 'sweep', rows: sweepable(rows()), shown: shown()}),
		noTrouble: () => {
			if (held.get() !== undefined) return 'one waits to be sent; u takes it back';
			if (rows().some(isSweepable)) return undefined;
			const left = rows().find(({condition}) => isTrouble(condition));
			const why = left && whyLeft(left);
			return left === undefined || why === undefined
				? 'nothing is stuck or dead'
				: `${left.instance.id} is ${left.condition}: ${why}; x destroys it`;
		},
		takeBack() {
			const {ids = []} = held.get() ?? {};
			held.takeBack();
			announce(`Taken back: none of the ${ids.length} was destroyed, and nothing was sent.`);
			// A failed entry in the journal does not undo the cancellation.
			void services
				.client()
				.then(async ({journal}) => journal.takenBack(ids))
				.catch(() => undefined);
		},
		nothingHeld: () => (held.get() === undefined ? 'nothing waits to be sent' : undefined),
	};
}

/** True for an existing instance that an agent rented. */
function isOfAgent({condition, instance}: FleetRow): boolean {
	return condition !== 'gone' && agentOf(instance.label) !== undefined;
}
