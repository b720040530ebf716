/** The row that a command of the user's own is for: that under the cursor, or that which is shown. */
import type {CustomCommand} from '../../renter/settings/default-settings.ts';
import {seenOffers} from '../queries/offers.ts';
import type {Place} from '../router.ts';
import {listAt as instancesAt} from '../screens/instances/list.ts';
import {tableAt as offersAt} from '../screens/offers/list.ts';
import {listAt as templatesAt} from '../screens/templates/list-state.ts';
import type {Services} from '../services.tsx';
import type {Fields} from './fields.ts';

type Screen = CustomCommand['screen'];

const screens: Readonly<Partial<Record<Place['destination']['name'], Screen>>> = {
	offers: 'offers',
	offer: 'offers',
	instances: 'instances',
	instance: 'instances',
	templates: 'templates',
};

/** Which commands can be run at a place. */
export function screenOf({destination}: Place): Screen | undefined {
	return screens[destination.name];
}

export function rowAt(
	place: Place,
	{fleet, live}: Pick<Services, 'fleet' | 'live'>,
): Fields | undefined {
	const {destination} = place;
	if (destination.name === 'offers') return offersAt(place).current();
	if (destination.name === 'instances') return instancesAt(place).table.current()?.instance;
	if (destination.name === 'templates') return templatesAt(place).current();
	if (destination.name === 'instance') {
		return fleet.state.get().rows.find(({instance}) => instance.id === destination.id)?.instance;
	}
	if (destination.name !== 'offer') return undefined;
	return seenOffers(live).find(({id}) => id === destination.id);
}
