/** Hints for fingers that know another program. */
import type {Reachable} from '../ui/bindings.ts';
import {troubleCount} from '../../renter/fleet/fleet-words.ts';
import type {Outcome, ReachableScope} from '../ui/keymap.ts';
import type {Message} from '../ui/message.ts';
import type {Services} from '../services/services.tsx';
import type {Store} from '../../renter/state/store.ts';
import type {Key} from '../terminal/input/keys.ts';

/** After so many times it was read, or is not wanted. */
const TIMES = 3;

type HabitHints = (
	key: Key,
	outcome: Outcome,
	reachable: () => readonly ReachableScope[],
) => Message | undefined;

/**
 * Says of keys that remove things elsewhere what they do here, each of them three times, and in a first
 * session what marks are for, once.
 */
export function createHabitHints(isFirstSession = false): HabitHints {
	const said = new Map<Key, number>();
	return (key, outcome, reachable) => {
		const lesson = lessons[key];
		const times = said.get(key) ?? 0;
		if (lesson === undefined || lesson.on !== outcome.kind) return undefined;
		if (times >= (lesson.isTip === true ? Number(isFirstSession) : TIMES)) return undefined;
		const text = lesson.says(reachable());
		if (text !== undefined) said.set(key, times + 1);
		return text === undefined ? undefined : {text, isError: false};
	};
}

type Lesson = {
	/** Outcome of the key that triggers the hint. */
	readonly on: Outcome['kind'];
	/** Text of the hint, given the keys that work here; undefined for none. */
	readonly says: (scopes: readonly ReachableScope[]) => string | undefined;
	/** Said once, in a first session. */
	readonly isTip?: boolean;
};

const lessons: Readonly<Record<Key, Lesson>> = {
	'Ctrl-D': {
		on: 'ran',
		says: scopes => aboutRemoval('Ctrl-D moves half a page and never deletes.', scopes),
	},
	'Ctrl-K': {
		on: 'unbound',
		says: scopes => aboutRemoval('Ctrl-K does nothing here.', scopes),
	},
	Backspace: {
		on: 'unbound',
		says: scopes => `Backspace never acts on rows. ${removalIn(scopes) ?? 'Esc is one step back.'}`,
	},
	Delete: {
		on: 'unbound',
		says: scopes => `Delete never acts on rows. ${removalIn(scopes) ?? 'Esc is one step back.'}`,
	},
	Space: {
		on: 'ran',
		isTip: true,
		says: scopes =>
			bindingIn(scopes, ({title}) => title.startsWith('mark, ')) === undefined
				? undefined
				: 'Marked. Keys then act on all that is marked; U marks none, v marks a range.',
	},
};

type Told = {
	readonly fleet: Pick<Services['fleet'], 'state'>;
	readonly message: Store<Message | undefined>;
};

/** Says once, in a first session, what to do about the first instance that is stuck or dead. */
export function tellOfTrouble({fleet, message}: Told): void {
	const unfollow = fleet.state.subscribe(() => {
		// What is being read is more to the point: there will be another look.
		if (troubleCount(fleet.state.get().troubles) === 0 || message.get() !== undefined) return;
		unfollow();
		const text =
			'Something is stuck or dead: 2 shows it; there x destroys one, X all that is proven, after a review.';
		message.set({text, isError: false});
	});
}

function aboutRemoval(said: string, scopes: readonly ReachableScope[]): string | undefined {
	const removal = removalIn(scopes);
	return removal && `${said} ${removal}`;
}

function bindingIn(
	scopes: readonly ReachableScope[],
	isWanted: (binding: Reachable) => boolean,
): Reachable | undefined {
	return scopes.flatMap(({bindings}) => bindings).find(isWanted);
}

/** The key that removes something: "x: destroy, after a review." */
function removalIn(scopes: readonly ReachableScope[]): string | undefined {
	const binding = bindingIn(
		scopes,
		({keys, title}) => keys.length > 0 && /^(destroy|delete|remove)/.test(title),
	);
	return binding && `${binding.keys[0] ?? ''}: ${binding.title}, after a review.`;
}
