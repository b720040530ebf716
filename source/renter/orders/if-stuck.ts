/** Choices for an instance that never comes to run: their words, and when they apply. */
import type {Values} from './order-fields.ts';
import type {FleetRow} from '../fleet/fleet-state.ts';
import {whyLeft} from '../fleet/sweepable.ts';

/** Actions without a question: none, unless the renter wants it for this one rental. */
export const stuckChoices = ['ask', 'destroy', 'destroy+next'] as const;

const words: Readonly<Record<string, string>> = {
	destroy: 'destroy it',
	'destroy+next': 'destroy + next',
};

export function stuckText(choice: string, bootMinutes: number): string {
	return `${words[choice] ?? 'ask me'} after ${bootMinutes} min`;
}

/** Review's line about it; undefined where nothing is done without a question. */
export function stuckMeans({stuck: choice = '', tries, ceiling}: Values): string | undefined {
	if (words[choice] === undefined) return undefined;
	const then =
		choice === 'destroy+next'
			? `; then an equal one is rented, ${tries} at most, none more than +${ceiling} % dearer`
			: '';
	return `what never ran and is stuck or dead is DESTROYED without a question${then}. Only while rentty runs`;
}

export type Boot = 'under way' | 'over' | 'failed';

/** Progress of a boot. It is over when the instance ran, and when somebody ended it. */
export function bootOf(row: FleetRow | undefined, wasListed: boolean): Boot {
	if (row === undefined) return wasListed ? 'over' : 'under way';
	if (row.seen.hasRun || endings.has(row.condition)) return 'over';
	return failures.has(row.condition) && whyLeft(row) === undefined ? 'failed' : 'under way';
}

const endings = new Set<FleetRow['condition']>(['stopped', 'destroying', 'undead', 'gone']);
const failures = new Set<FleetRow['condition']>(['stuck', 'dead']);
