import type {FleetRow} from '../../renter/fleet/fleet-state.ts';
import type {Router} from '../services/router.ts';
import type {Binding, Bindings} from '../ui/bindings.ts';

/** Target of the rent key, wherever there is something to rent. */
export type RentKeys = {
	/** Opens the form; nothing is sent before its review was answered. */
	readonly rent: () => void;
	/** Reason why there is nothing to rent; undefined where there is. */
	readonly rentUnavailable: () => string | undefined;
};

const rent: Omit<Binding<RentKeys>, 'keys' | 'id' | 'title'> = {
	hint: 'rent',
	isChange: true,
	changesService: true,
	does: 'rent',
	unavailable: 'rentUnavailable',
};

export const rentOfferKeys: Bindings<RentKeys> = [
	{keys: ['r'], id: 'rent-it', title: 'rent it: opens the form and its review', ...rent},
];

export const rentTemplateKeys: Bindings<RentKeys> = [
	{keys: ['r'], id: 'rent-with-it', title: 'rent with it: opens the form', ...rent},
];

export const rentLikeKeys: Bindings<RentKeys> = [
	{keys: ['r', 'n'], id: 'rent-one-like-it', title: 'rent one like it: opens the form', ...rent},
];

/** Rents one like the instance that the keys act on: its settings, on the cheapest equal offer. */
export function rentLike(router: Router, chosen: () => readonly FleetRow[]): RentKeys {
	return {
		rent() {
			const [row] = chosen();
			if (row !== undefined) router.go({name: 'rent', likeInstance: row.instance.id});
		},
		rentUnavailable() {
			const {length} = chosen();
			if (length === 0) return 'there is no instance to rent one like';
			return length === 1 ? undefined : 'it is for one instance at a time';
		},
	};
}
