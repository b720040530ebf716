import type {Message} from '../../message.ts';
import type {Place, Router} from '../../router.ts';
import type {Services} from '../../services.tsx';
import type {Rent} from './rent-state.ts';

/** What a rental is carried on with. */
export type Renting = {
	readonly rent: Rent;
	readonly services: Services;
	readonly say: (message: Message) => void;
	readonly router: Router;
	readonly place: Place;
};
