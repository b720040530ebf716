/** Doubles: instances that a service created from one order beside the wanted one. */
import {requestMarkOf} from '../../contract/rules/env.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {instancesWithMark} from './made-instance.ts';
import type {Doubles, PendingRent} from './pending-rent.ts';

export function areNone({certain, perhaps}: Doubles): boolean {
	return certain.length + perhaps.length === 0;
}

/** Seconds within which a proxy may send a request twice. */
const TOGETHER_S = 60;

/** @param rents all known ones: an instance of another rent is no double */
export function doublesOf(
	rent: PendingRent,
	instances: readonly Instance[],
	rents: readonly PendingRent[],
): Doubles {
	const {state} = rent;
	if (state.kind !== 'created') return {certain: [], perhaps: []};
	const certain = instancesWithMark(rent, instances).filter(({id}) => id !== state.id);
	const own = instances.find(({id}) => id === state.id);
	const isMarkShown = own === undefined || requestMarkOf(own.extra_env) !== undefined;
	if (isMarkShown || certain.length > 0) return {certain, perhaps: []};
	const taken = new Set(
		rents.flatMap(other => (other.state.kind === 'created' ? [other.state.id] : [])),
	);
	const before = new Set([...(rent.before ?? []), ...(rent.known ?? [])]);
	const perhaps = instances.filter(
		other =>
			!taken.has(other.id) && !before.has(other.id) && other.id !== state.id && isAlike(own, other),
	);
	return {certain, perhaps};
}

function isAlike(own: Instance, other: Instance): boolean {
	const [start, otherStart] = [own.start_date ?? Number.NaN, other.start_date ?? Number.NaN];
	return (
		requestMarkOf(other.extra_env) === undefined &&
		(own.label ?? '') === (other.label ?? '') &&
		own.gpu_name === other.gpu_name &&
		own.num_gpus === other.num_gpus &&
		Math.abs(start - otherStart) <= TOGETHER_S
	);
}
