/** What there is on a machine to keep containers within what they have rented, and apart. */
import {BOUNDABLE} from '../../contract/isolation.ts';
import type {Engine} from './engine.ts';
import {limitsOf} from './limits.ts';
import type {Limits} from './limits.ts';
import {canRaiseWalls} from './walls.ts';

export type Means = {readonly limits: Limits; readonly hasWalls: boolean};

export const noMeans: Means = {
	limits: {memory: false, swap: false, processors: false, processes: false},
	hasWalls: false,
};

export async function findMeans(engine: Engine): Promise<Means> {
	const [limits, hasWalls] = await Promise.all([limitsOf(engine), canRaiseWalls()]);
	return {limits, hasWalls};
}

/**
 * What is not bounded, in words. The disk never is as a whole: volumes of engines have no limit, and
 * what they take is measured.
 */
export function lackingMeans({limits}: Means): readonly string[] {
	const bounded = Object.entries(limits).flatMap(([name, can]) => (can ? [name] : []));
	return BOUNDABLE.filter(name => !bounded.includes(name));
}
