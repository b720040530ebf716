/** What is said to fingers that know another program. */
import type {Outcome, ReachableScope} from './keymap.ts';
import type {Message} from './message.ts';
import type {Key} from './terminal/input/keys.ts';

/** After so many times it was read, or is not wanted. */
const TIMES = 3;

export type Teacher = (
	key: Key,
	outcome: Outcome,
	reachable: () => readonly ReachableScope[],
) => Message | undefined;

/** Says of keys that remove things elsewhere what they do here, each of them three times. */
export function createTeacher(): Teacher {
	const said = new Map<Key, number>();
	return (key, outcome, reachable) => {
		const lesson = lessons[key];
		const times = said.get(key) ?? 0;
		if (lesson === undefined || lesson.on !== outcome.kind || times >= TIMES) return undefined;
		const text = lesson.says(removalIn(reachable()));
		if (text !== undefined) said.set(key, times + 1);
		return text === undefined ? undefined : {text, isError: false};
	};
}

type Lesson = {
	/** What must have become of the key. */
	readonly on: Outcome['kind'];
	/** What is said, given how something is removed here; undefined where there is nothing to say. */
	readonly says: (removal: string | undefined) => string | undefined;
};

const lessons: Readonly<Record<Key, Lesson>> = {
	'Ctrl-D': {
		on: 'ran',
		says: removal => removal && `Ctrl-D moves half a page and never deletes. ${removal}`,
	},
	'Ctrl-K': {on: 'unbound', says: removal => removal && `Ctrl-K does nothing here. ${removal}`},
	Backspace: {
		on: 'unbound',
		says: (removal = 'Esc is one step back.') => `Backspace never acts on rows. ${removal}`,
	},
	Delete: {
		on: 'unbound',
		says: (removal = 'Esc is one step back.') => `Delete never acts on rows. ${removal}`,
	},
};

/** The key that removes something: "x: destroy, after a review." */
function removalIn(scopes: readonly ReachableScope[]): string | undefined {
	const binding = scopes
		.flatMap(({bindings}) => bindings)
		.find(({keys, title}) => keys.length > 0 && /^(destroy|delete|remove)/.test(title));
	return binding && `${binding.keys[0] ?? ''}: ${binding.title}, after a review.`;
}
