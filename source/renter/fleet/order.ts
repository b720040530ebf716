/** The order of a fleet for whoever watches it: trouble, what boots, what runs, what rests. */
import type {Condition} from '../instance/condition.ts';
import type {Rated} from '../instance/burn.ts';

const ranks: Readonly<Record<Condition, number>> = {
	undead: 0,
	stuck: 1,
	dead: 2,
	failing: 3,
	noSsh: 3,
	slow: 4,
	provisioning: 4,
	loading: 4,
	destroying: 5,
	other: 5,
	running: 5,
	idle: 5,
	waiting: 6,
	stopped: 7,
	unlisted: 4,
	gone: 8,
};

/** Trouble first, then the dearest, then the oldest. */
export function byTrouble(a: Rated, b: Rated): number {
	return (
		ranks[a.condition] - ranks[b.condition] ||
		(b.rate.atMost ?? 0) - (a.rate.atMost ?? 0) ||
		a.instance.id - b.instance.id
	);
}

/** Counts of troubled instances, under the words that are shown for them. */
export type Troubles = {readonly undead: number; readonly stuck: number; readonly dead: number};

export function troublesOf(fleet: ReadonlyArray<Pick<Rated, 'condition'>>): Troubles {
	const count = (wanted: Condition) => fleet.filter(({condition}) => condition === wanted).length;
	return {undead: count('undead'), stuck: count('stuck'), dead: count('dead')};
}
