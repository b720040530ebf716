import {OfferScreen} from './offers/offer-screen.tsx';
import {OffersScreen} from './offers/offers-screen.tsx';
import type {ScreenProps} from './place.ts';

/** The screen of a place. */
export function Screen(props: ScreenProps) {
	const {destination} = props.place;
	switch (destination.name) {
		case 'offers':
			return <OffersScreen {...props} />;
		case 'offer':
			return <OfferScreen {...props} id={destination.id} />;
	}
}
