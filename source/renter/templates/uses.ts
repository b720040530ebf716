/** Uses of a template: its instances, their boots, and if it is the user's default. */
import type {Template} from '../../contract/templates.ts';
import type {Settings} from '../settings/default-settings.ts';
import {median} from '../fleet/boot-times.ts';
import type {FleetState} from '../fleet/fleet-state.ts';
import {duration} from '../format.ts';
import {fullImage} from './templates.ts';

export type Uses = {
	/** Count of rented instances of this very version. */
	readonly instances: number;
	/** Boots of its image that were seen here, and the usual boot time. */
	readonly boots: number;
	readonly usualMs: number | undefined;
	/** Rents use it unless another one is chosen. */
	readonly isUsual: boolean;
	/** Lease of rentals with it; undefined where the user has set none. */
	readonly ends: string | undefined;
};

const unused: Uses = {instances: 0, boots: 0, usualMs: undefined, isUsual: false, ends: undefined};

export function usesOf(
	template: Template | undefined,
	{rows, boots}: Pick<FleetState, 'rows' | 'boots'>,
	{templateHash, templateLeases}: Pick<Settings, 'templateHash' | 'templateLeases'>,
): Uses {
	if (template === undefined) return unused;
	const {hash_id: hash} = template;
	const times = boots[`image ${fullImage(template)}`] ?? [];
	return {
		instances: rows.filter(({instance}) => instance.template_hash_id === hash).length,
		boots: times.length,
		usualMs: median(times),
		isUsual: templateHash === hash,
		ends: templateLeases[hash],
	};
}

/** The same as words; none where there is nothing to say. */
export function usesWords({instances, boots, usualMs, isUsual, ends}: Uses): readonly string[] {
	return [
		...(isUsual ? ['your usual one'] : []),
		...(ends === undefined ? [] : [`rentals end: ${ends}`]),
		...(instances === 0 ? [] : [instances === 1 ? '1 instance' : `${instances} instances`]),
		...(usualMs === undefined
			? []
			: [`${boots === 1 ? '1 boot' : `${boots} boots`}, usually ${duration(usualMs / 1000)}`]),
	];
}
