/** Leaving the program where something would be lost: it is said first, and the same key again leaves. */
import type {Message} from './message.ts';
import {holdingAt} from './router.ts';
import type {Router} from './router.ts';
import type {Store} from './store.ts';

type Options = {
	readonly router: Pick<Router, 'places'>;
	readonly message: Pick<Store<Message | undefined>, 'set'>;
	readonly now: () => Date;
	readonly quit: () => void;
};

/** For so long the key means yes when it is pressed once more. */
const AGAIN_MS = 10_000;

export function createLeaving({router, message, now, quit}: Options): () => void {
	let warnedAt = Number.NEGATIVE_INFINITY;
	return () => {
		const lost = router.places().flatMap(place => holdingAt(place).lost() ?? []);
		const at = now().getTime();
		if (lost.length === 0 || at - warnedAt < AGAIN_MS) return quit();
		warnedAt = at;
		message.set({text: `Not left: ${lost.join('; ')}. Again leaves all the same.`, isError: true});
	};
}
