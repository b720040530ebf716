import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import type {Router} from '../../router.ts';
import type {RentKeys} from './rent-keys.ts';

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
