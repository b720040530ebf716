/** Commands of the user's own as bindings: in the list of actions, in help, and in the palette. */
import type {BindingSet, Bindings} from '../../ui/bindings.ts';
import type {
	CustomCommand,
	SavedView,
	Settings,
} from '../../../renter/settings/default-settings.ts';
import {isUnusable} from '../key-choices.ts';
import {isKey, type Key} from '../../terminal/input/keys.ts';

export type CustomTarget = {
	/** Shows a view of the instances, or all again. */
	readonly show: (name: string) => void;
	readonly run: (command: CustomCommand) => void;
	readonly unavailable: (command: CustomCommand) => string | undefined;
};

/** Bindings of the commands of one screen; those whose keys are taken have none. */
export function customBindings(
	commands: readonly CustomCommand[],
	screen: CustomCommand['screen'] | undefined,
	taken: (key: Key) => string | undefined,
): Bindings<CustomTarget> {
	const claimed = new Set<Key>();
	return commands
		.filter(command => command.screen === screen)
		.map(command => {
			const {key} = command;
			const isFree = key !== undefined && keyProblem(key, taken) === undefined && !claimed.has(key);
			if (isFree) claimed.add(key);
			return {
				keys: isFree ? [key] : [],
				id: command.name,
				title: command.name,
				isChange: true,
				// What asks is taken for a change: a read-only profile has none of it.
				changesService: command.asks,
				does: ['run', command],
				unavailable: ['unavailable', command],
			};
		});
}

/** Bindings of the views that have a key which is free. */
export function viewBindings(
	settings: Settings,
	taken: (key: Key) => string | undefined,
): Bindings<CustomTarget> {
	return settings.views.flatMap(view => {
		const {name, key} = view;
		if (key === undefined || viewKeyProblem(settings, view, taken) !== undefined) return [];
		return [{keys: [key], id: name, title: `view ${name}, or all`, does: ['show', name]}] as const;
	});
}

/** Why a view cannot have its key; undefined where it can. Of several views the first has it. */
export function viewKeyProblem(
	{views, commands}: Settings,
	{name, key}: SavedView,
	taken: (key: Key) => string | undefined,
): string | undefined {
	if (key === undefined) return undefined;
	if (!isKey(key)) return 'is no key';
	if (isUnusable(key)) return 'is left to the terminal and to correcting what is typed';
	const command = commands.find(other => other.screen === 'instances' && other.key === key);
	const own = views.findIndex(view => view.name === name);
	const before = own === -1 ? views : views.slice(0, own);
	const owner = taken(key) ?? command?.name ?? before.find(view => view.key === key)?.name;
	return owner === undefined ? undefined : `is already "${owner}"`;
}

/** A sentence about the first command or view whose key something else has. */
export function keyProblems(
	settings: Settings,
	takenOn: (screen: string) => (key: Key) => string | undefined,
): string | undefined {
	const {commands, views} = settings;
	for (const {name, key, screen} of commands) {
		const problem = key === undefined ? undefined : keyProblem(key, takenOn(screen));
		if (problem !== undefined) {
			return `commands: "${key}" for "${name}" ${problem}. It has no key; a lists it.`;
		}
	}
	for (const view of views) {
		const problem = viewKeyProblem(settings, view, takenOn('instances'));
		if (problem !== undefined) {
			return `views: "${view.key}" for "${view.name}" ${problem}. It has no key; b lists it.`;
		}
	}
	return undefined;
}

function keyProblem(key: Key, taken: (key: Key) => string | undefined): string | undefined {
	if (!isKey(key)) return 'is no key';
	if (/^[[\]~ABCDFHIOPQRSZ]$/.test(key)) return 'is what a broken arrow key looks like';
	const owner = taken(key);
	return owner === undefined ? undefined : `is already "${owner}"`;
}

/** Finds what a key does on any screen, on one of them before all others: one letter has one meaning. */
export function ownerIn(sets: readonly BindingSet[], screen = '') {
	const nearest = sets.toSorted((a, b) => Number(b.id === screen) - Number(a.id === screen));
	return (key: Key): string | undefined =>
		nearest.flatMap(({bindings}) => bindings).find(({keys}) => keys.includes(key))?.title;
}
