/** Compares an instance with its order, from its first record to the one that shows its ports. */
import type {AgreedOrder} from '../../client/rentals/agreed-order.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {
	fields,
	pricePerHour,
	verdictsOf,
	type Difference,
	type Field,
	type Verdict,
} from './differences.ts';

export type NotAsOrdered = {
	readonly differences: readonly Difference[];
	/** Dollars an hour with the disk, by the record; by the order where that does not say. */
	readonly perHour: number | undefined;
};

export type InstanceComparison = {
	/** Compares a record; answers the differences that no earlier record showed. */
	readonly look: (instance: Instance) => readonly Difference[];
	/** All differences so far; undefined where there are none. */
	readonly found: () => NotAsOrdered | undefined;
	/** True while a later record can show more. */
	readonly isOpen: () => boolean;
};

/** Time for which ports must be missing: services may list them a little after the start. */
export const PORTS_MS = 3000;

/**
 * Each field is compared once, at the first record that says it: afterwards its renter may have
 * changed it. Once the instance runs, ports alone are waited for.
 *
 * @param now milliseconds of any clock
 */
export function createInstanceComparison(
	agreed: AgreedOrder,
	now: () => number,
): InstanceComparison {
	const open = new Set<Field>(fields);
	let found: NotAsOrdered | undefined;
	let missingSince: number | undefined;

	/** True for a verdict that a later record may change. */
	function isDoubtful(field: Field, verdict: Verdict): boolean {
		if (field !== 'ports') return verdict === 'unsaid';
		missingSince = typeof verdict === 'object' ? (missingSince ?? now()) : undefined;
		const isEarly = missingSince !== undefined && now() - missingSince < PORTS_MS;
		return verdict === 'unsaid' || isEarly;
	}

	function conclude(instance: Instance): readonly Difference[] {
		const verdicts = [...verdictsOf(agreed, instance)].filter(([field]) => open.has(field));
		const certain = verdicts.filter(([field, verdict]) => !isDoubtful(field, verdict));
		for (const [field] of certain) open.delete(field);
		return certain.flatMap(([, verdict]) => (typeof verdict === 'object' ? [verdict] : []));
	}

	return {
		look(instance) {
			const fresh = conclude(instance);
			if (instance.actual_status === 'running') {
				for (const field of fields) if (field !== 'ports') open.delete(field);
			}
			if (fresh.length > 0) {
				const differences = [...(found?.differences ?? []), ...fresh];
				const perHour = pricePerHour(instance, agreed.perHour) ?? agreed.perHour;
				found = {differences, perHour};
			}
			return fresh;
		},
		found: () => found,
		isOpen: () => open.size > 0,
	};
}
