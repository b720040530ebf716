import type {Message} from '../../message.ts';
import type {Place, Router} from '../../router.ts';
import type {Services} from '../../services.tsx';
import type {Rent} from './rent-state.ts';

/** Surroundings of a rental. */
export type Renting = {
	readonly rent: Rent;
	readonly services: Services;
	readonly say: (message: Message) => void;
	readonly router: Router;
	readonly place: Place;
};
