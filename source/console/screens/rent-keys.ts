import type {FleetRow} from '../../renter/fleet/fleet-state.ts';
import type {Router} from '../router.ts';
import type {Binding} from '../bindings.ts';

/** What the key to rent acts on, wherever there is something that can be rented. */
export type RentKeys = {
	/** Opens the form; nothing is sent before its review was answered. */
	readonly rent: () => void;
	/** Why there is nothing to rent; undefined where there is. */
	readonly rentUnavailable: () => string | undefined;
};

type Bindings = ReadonlyArray<Binding<RentKeys>>;

const run = {
	hint: 'rent',
	isChange: true,
	changesService: true,
	run: (target: RentKeys) => target.rent(),
	unavailable: (target: RentKeys) => target.rentUnavailable(),
};

export const rentOfferKeys: Bindings = [
	{keys: ['r'], id: 'rent-it', title: 'rent it: opens the form and its review', ...run},
];

export const rentTemplateKeys: Bindings = [
	{keys: ['r'], id: 'rent-with-it', title: 'rent with it: opens the form', ...run},
];

export const rentLikeKeys: Bindings = [
	{keys: ['r', 'n'], id: 'rent-one-like-it', title: 'rent one like it: opens the form', ...run},
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
