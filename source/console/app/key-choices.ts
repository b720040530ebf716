/** Keys of the user's own: which bindings they mean, and which of them cannot be had. */
import {writeKeys, type BindingFacts, type BindingSet} from '../ui/bindings.ts';
import {characterOf, isKey, type Key} from '../terminal/input/keys.ts';

/** The settings: by the name of a binding, with or without that of its screen, a key or several. */
export type KeySettings = Readonly<Record<string, string | readonly string[]>>;

export type KeyChoices = {
	/** The keys of those bindings that do not have their usual ones. */
	readonly keys: ReadonlyMap<BindingFacts, readonly Key[]>;
	/** A sentence for each choice that is not followed. */
	readonly problems: readonly string[];
};

/** The name of a binding: "offers.open-detail". */
export function bindingName(set: BindingSet, binding: BindingFacts): string {
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

/** True for keys that are left to the terminal and to correcting what is typed. */
export const isUnusable = (key: Key): boolean => unusable.has(key);

/** Remains of a broken arrow key: they must not begin a change. */
const leftovers = new Set('[]~ABCDFHIOPQRSZ');

/** These decide about changes; what answers them is not to be pressed by habit. */
const questions = new Set(['question', 'question-answered-by-typing']);

type Choice = {
	readonly name: string;
	readonly binding: BindingFacts;
	readonly keys: readonly Key[];
};

/** Follows the choices that can be followed. The first of the sets has the keys that work everywhere. */
export function chooseKeys(sets: readonly BindingSet[], choices: KeySettings): KeyChoices {
	const problems: string[] = [];
	const followed: Choice[] = [];
	for (const [name, choice] of Object.entries(choices)) {
		const keys = typeof choice === 'string' ? [choice] : choice;
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
		set.bindings.filter(binding => [bindingName(set, binding), binding.id].includes(name)),
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

/** Leaves choices out until no two bindings that can be pressed together have the same key. */
function withoutConflicts(sets: readonly BindingSet[], choices: readonly Choice[]) {
	const conflicts: string[] = [];
	let kept = choices;
	for (;;) {
		const conflict = kept
			.map(choice => ({choice, other: otherOwner(sets, choice, kept)}))
			.find(({other}) => other !== undefined);
		if (conflict?.other === undefined) return {kept, conflicts};
		const {choice, other} = conflict;
		conflicts.push(
			`keys: "${other.key}" for "${choice.name}" is already "${other.title}" (${other.name}). ` +
				`It keeps ${writeKeys(choice.binding.keys) || 'no key'} until that is changed.`,
		);
		kept = kept.filter(({binding}) => binding !== choice.binding);
	}
}

type Owner = {readonly key: Key; readonly title: string; readonly name: string};

/** Another binding that would have one of the keys, where both can be pressed. */
function otherOwner(
	sets: readonly BindingSet[],
	{binding, keys}: Choice,
	choices: readonly Choice[],
): Owner | undefined {
	const keysOf = (other: BindingFacts) =>
		choices.find(choice => choice.binding === other)?.keys ?? other.keys;
	const [everywhere] = sets;
	const isEverywhere = everywhere?.bindings.includes(binding) === true;
	for (const set of sets) {
		if (!isEverywhere && set !== everywhere && !set.bindings.includes(binding)) continue;
		for (const other of set.bindings) {
			const key = keys.find(wanted => keysOf(other).includes(wanted));
			// What a binding has by itself, such as Esc, it may go on having.
			if (key === undefined || other === binding || binding.keys.includes(key)) continue;
			return {key, title: other.title, name: bindingName(set, other)};
		}
	}
	return undefined;
}
