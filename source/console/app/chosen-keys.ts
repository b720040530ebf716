/**
 * The keys that the user chose: those of our bindings, and those of the user's own commands and views;
 * matched with their bindings, and refused where they collide.
 */
import {
	writeKeys,
	type BindingFacts,
	type BindingSet,
	type Bindings,
	type Rebound,
} from '../ui/bindings.ts';
import {characterOf, isKey, type Key} from '../terminal/input/keys.ts';
import type {
	CustomCommand,
	SavedView,
	Settings,
	SettingsStore,
} from '../../renter/settings/default-settings.ts';
import {appBindings} from './app-bindings.ts';
import {bindingAliases} from './binding-aliases.ts';
import {screenBindings} from '../screens/index.ts';
import {createStore, once} from '../../renter/state/store.ts';

/** The sets of keys by which bindings are named, those that work everywhere first. */
export const namedSets: readonly BindingSet[] = [
	{id: 'everywhere', title: 'Everywhere', bindings: appBindings},
	...screenBindings,
];

/** Follows the settings: saved changes hold from the next key on. */
export function followKeys(settings: SettingsStore) {
	const choicesOf = once((keys: Settings['keys']) => chooseKeys(namedSets, keys));
	const choices = () => choicesOf(settings.get().keys);
	const problemOf = () => choices().problems[0] ?? keyProblems(settings.get());
	const problem = createStore(problemOf());
	const close = settings.subscribe(() => problem.set(problemOf()));
	const rebound: Rebound = bindings => {
		const {keys} = choices();
		if (keys.size === 0) return bindings;
		return bindings.map(binding => {
			const chosen = keys.get(binding);
			return chosen === undefined ? binding : {...binding, keys: chosen};
		});
	};
	return {rebound, problem, close};
}

type KeyChoices = {
	/** Keys of bindings that the user has changed. */
	readonly keys: ReadonlyMap<BindingFacts, readonly Key[]>;
	/** A sentence for each refused choice. */
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

/** Last characters of a broken arrow key, which must not begin a change. */
const leftovers = new Set('[]~ABCDFHIOPQRSZ');

/** Scopes that decide about changes; their keys are not to be pressed by habit. */
const questions = new Set(['question', 'question-answered-by-typing']);

type Choice = {
	readonly name: string;
	readonly binding: BindingFacts;
	readonly keys: readonly Key[];
};

/** Takes the valid choices. The first of the sets has the keys that work everywhere. */
export function chooseKeys(sets: readonly BindingSet[], choices: Settings['keys']): KeyChoices {
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

function bindingsNamed(sets: readonly BindingSet[], written: string): readonly BindingFacts[] {
	const name = written.replace(/[^.]+$/, id => bindingAliases.get(id) ?? id);
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

/** True for a set without a letter among its keys: letters are typed there. */
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

/** Another binding with one of the keys, where both can be pressed. */
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
			// A binding keeps its default keys, such as Esc.
			if (key === undefined || other === binding || binding.keys.includes(key)) continue;
			return {key, title: other.title, name: bindingName(set, other)};
		}
	}
	return undefined;
}

export type CustomTarget = {
	/** Shows a view of the instances, or all of them again. */
	readonly show: (name: string) => void;
	readonly run: (command: CustomCommand) => void;
	readonly unavailable: (command: CustomCommand) => string | undefined;
};

/** Bindings of the commands of a screen, without commands whose keys are taken. */
export function customBindings(
	commands: readonly CustomCommand[],
	screen: CustomCommand['screen'] | undefined,
): Bindings<CustomTarget> {
	const claimed = new Set<Key>();
	return commands
		.filter(command => command.screen === screen)
		.map(command => {
			const {key} = command;
			const isFree =
				key !== undefined && keyProblem(key, screen) === undefined && !claimed.has(key);
			if (isFree) claimed.add(key);
			return {
				keys: isFree ? [key] : [],
				id: command.name,
				title: command.name,
				isChange: true,
				// A command that asks counts as a change: a read-only profile has none of it.
				changesService: command.asks,
				run: target => target.run(command),
				unavailable: target => target.unavailable(command),
			};
		});
}

/** Bindings of the views whose key is free. */
export function viewBindings(settings: Settings): Bindings<CustomTarget> {
	return settings.views.flatMap(view => {
		const {name, key} = view;
		if (key === undefined || viewKeyProblem(settings, view) !== undefined) return [];
		return [
			{keys: [key], id: name, title: `view ${name}, or all`, run: target => target.show(name)},
		] as const;
	});
}

/** Reason why a view cannot have its key; undefined if it can. Of several views the first has it. */
export function viewKeyProblem(
	{views, commands}: Settings,
	{name, key}: SavedView,
): string | undefined {
	if (key === undefined) return undefined;
	if (!isKey(key)) return 'is no key';
	if (unusable.has(key)) return 'is left to the terminal and to correcting what is typed';
	const command = commands.find(other => other.screen === 'instances' && other.key === key);
	const own = views.findIndex(view => view.name === name);
	const before = own === -1 ? views : views.slice(0, own);
	const owner =
		ownerOf(key, 'instances') ?? command?.name ?? before.find(view => view.key === key)?.name;
	return owner === undefined ? undefined : `is already "${owner}"`;
}

/** A sentence about the first command or view whose key is taken. */
export function keyProblems(settings: Settings): string | undefined {
	const {commands, views} = settings;
	for (const {name, key, screen} of commands) {
		const problem = key === undefined ? undefined : keyProblem(key, screen);
		if (problem !== undefined) {
			return `commands: "${key}" for "${name}" ${problem}. It has no key; a lists it.`;
		}
	}
	for (const view of views) {
		const problem = viewKeyProblem(settings, view);
		if (problem !== undefined) {
			return `views: "${view.key}" for "${view.name}" ${problem}. It has no key; b lists it.`;
		}
	}
	return undefined;
}

function keyProblem(key: Key, screen: string | undefined): string | undefined {
	if (!isKey(key)) return 'is no key';
	if (leftovers.has(key)) return 'is what a broken arrow key looks like';
	const owner = ownerOf(key, screen);
	return owner === undefined ? undefined : `is already "${owner}"`;
}

/** Meaning of a key on any screen, on the given one first. */
function ownerOf(key: Key, screen: string | undefined): string | undefined {
	const nearest = namedSets.toSorted((a, b) => Number(b.id === screen) - Number(a.id === screen));
	return nearest.flatMap(({bindings}) => bindings).find(({keys}) => keys.includes(key))?.title;
}
