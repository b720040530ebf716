import type {Message} from '../message.ts';
import type {Place, Router} from '../router.ts';
import type {Size} from '../terminal/terminal.ts';

/** Props of every screen: its place, its size, and ways to go elsewhere. */
export type ScreenProps = {
	readonly place: Place;
	readonly router: Router;
	readonly size: Size;
	/** Says something at the foot of the screen, until the next key. */
	readonly say: (message: Message) => void;
};
