/** Leaving the console where something would be lost: it is said first, and the same key again leaves. */
import type {Message} from '../ui/message.ts';
import {holdingAt, type Router} from '../services/router.ts';
import type {Store} from '../../renter/state/store.ts';

type Options = {
	readonly router: Pick<Router, 'places'>;
	readonly message: Pick<Store<Message | undefined>, 'set'>;
	readonly now: () => Date;
	/** Work behind all screens that leaving would end; undefined for none. */
	readonly underWay?: () => string | undefined;
};

/** For so long the key means yes when it is pressed once more. */
const AGAIN_MS = 10_000;

/** Leaves as it is told to: quits, or goes to another service. */
type QuitWarning = (leave: () => void) => void;

export function createQuitWarning({router, message, now, underWay}: Options): QuitWarning {
	let warnedAt = Number.NEGATIVE_INFINITY;
	return leave => {
		const held = router.places().map(place => holdingAt(place).lost());
		const lost = [...held, underWay?.()].filter(what => what !== undefined);
		const at = now().getTime();
		if (lost.length === 0 || at - warnedAt < AGAIN_MS) return leave();
		warnedAt = at;
		message.set({text: `Not left: ${lost.join('; ')}. Again leaves all the same.`, isError: true});
	};
}
