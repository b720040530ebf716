/** Keys of the user's own: which bindings they mean, and which of them cannot be had. */
import {writeKeys, type BindingFacts, type BindingSet} from './bindings.ts';
import {characterOf, isKey, type Key} from './terminal/input/keys.ts';

/** The settings: by the name of a binding, with or without that of its screen, a key or several. */
export type KeyWishes = Readonly<Record<string, string | readonly string[]>>;

export type KeyChoices = {
	/** The keys of those bindings that do not have their usual ones. */
	readonly keys: ReadonlyMap<BindingFacts, readonly Key[]>;
	/** A sentence for each wish that is not followed. */
	readonly problems: readonly string[];
};

/** The name of a binding: "offers.open-detail". */
export function nameOf(set: BindingSet, binding: BindingFacts): string {
	return `${set.id}.${binding.id}`;
}

/** Keys that terminals, tmux, screen and SSH keep for themselves, and keys that correct typing. */
const unusable = new Set([
	'Backspace',
	'Delete',
	'Ctrl-A',
	'Ctrl-B',
	'Ctrl-S',
	'Ctrl-Q',
	'Ctrl-\\',
]);

/** Remains of a broken arrow key: they must not begin a change. */
const leftovers = new Set('[]~ABCDFHIOPQRSZ');

/** These decide about changes; what answers them is not to be pressed by habit. */
const questions = new Set(['question', 'question-answered-by-typing']);

type Wish = {
	readonly name: string;
	readonly binding: BindingFacts;
	readonly keys: readonly Key[];
};

/** Follows the wishes that can be followed. The first of the sets has the keys that work everywhere. */
export function chooseKeys(sets: readonly BindingSet[], wishes: KeyWishes): KeyChoices {
	const problems: string[] = [];
	const followed: Wish[] = [];
	for (const [name, wish] of Object.entries(wishes)) {
		const keys = typeof wish === 'string' ? [wish] : wish;
		const bindings = bindingsNamed(sets, name);
		const problem =
			bindings.length === 0
				? 'there is no binding of this name; docs/key-bindings.md lists them'
				: bindings
						.map(binding => refusalOf(sets, binding, keys))
						.find(reason => reason !== undefined);
		if (problem === undefined) followed.push(...bindings.map(binding => ({name, binding, keys})));
		else problems.push(`keys: "${name}" has its usual keys: ${problem}.`);
	}
	const {kept, conflicts} = withoutConflicts(sets, followed);
	return {
		keys: new Map(kept.map(({binding, keys}) => [binding, keys])),
		problems: [...problems, ...conflicts],
	};
}

function bindingsNamed(sets: readonly BindingSet[], name: string): readonly BindingFacts[] {
	const found = sets.flatMap(set =>
		set.bindings.filter(binding => [nameOf(set, binding), binding.id].includes(name)),
	);
	return [...new Set(found)];
}

/** Reason why a binding cannot have these keys, apart from conflicts; undefined when it can. */
function refusalOf(
	sets: readonly BindingSet[],
	binding: BindingFacts,
	keys: readonly Key[],
): string | undefined {
	const owners = sets.filter(({bindings}) => bindings.includes(binding));
	if (binding.isAlways === true) return 'it has to work whatever happens';
	if (owners.some(({id}) => questions.has(id))) return 'questions keep their answers';
	for (const key of keys) {
		if (!isKey(key)) return `"${key}" is no key`;
		if (unusable.has(key)) return `${key} is left to the terminal and to correcting what is typed`;
		if (binding.isChange === true && leftovers.has(key)) {
			return `a broken arrow key looks like ${key}, and must not begin a change`;
		}
		if (isTyped(key) && owners.some(takesText)) return `${key} is typed as text there`;
	}
	return undefined;
}

/** True if letters are typed here, for none is bound. */
function takesText({bindings}: BindingSet): boolean {
	return bindings.every(({keys}) => !keys.some(isTyped));
}

/** True if a key types a character other than a blank. */
function isTyped(key: Key): boolean {
	return key !== 'Space' && characterOf(key) !== undefined;
}

/** Leaves wishes out until no two bindings that can be pressed together have the same key. */
function withoutConflicts(sets: readonly BindingSet[], wishes: readonly Wish[]) {
	const conflicts: string[] = [];
	let kept = wishes;
	for (;;) {
		const conflict = kept
			.map(wish => ({wish, other: otherOwner(sets, wish, kept)}))
			.find(({other}) => other !== undefined);
		if (conflict?.other === undefined) return {kept, conflicts};
		const {wish, other} = conflict;
		conflicts.push(
			`keys: "${other.key}" for "${wish.name}" is already "${other.title}" (${other.name}). ` +
				`It keeps ${writeKeys(wish.binding.keys) || 'no key'} until that is changed.`,
		);
		kept = kept.filter(({binding}) => binding !== wish.binding);
	}
}

type Owner = {readonly key: Key; readonly title: string; readonly name: string};

/** Another binding that would have one of the keys, where both can be pressed. */
function otherOwner(
	sets: readonly BindingSet[],
	{binding, keys}: Wish,
	wishes: readonly Wish[],
): Owner | undefined {
	const keysOf = (other: BindingFacts) =>
		wishes.find(wish => wish.binding === other)?.keys ?? other.keys;
	const [everywhere] = sets;
	const isEverywhere = everywhere?.bindings.includes(binding) === true;
	for (const set of sets) {
		if (!isEverywhere && set !== everywhere && !set.bindings.includes(binding)) continue;
		for (const other of set.bindings) {
			const key = keys.find(wanted => keysOf(other).includes(wanted));
			// What a binding has by itself, such as Esc, it may go on having.
			if (key === undefined || other === binding || binding.keys.includes(key)) continue;
			return {key, title: other.title, name: nameOf(set, other)};
		}
	}
	return undefined;
}
