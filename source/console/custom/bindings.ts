/** Commands of the user's own as bindings: in the list of actions, in help, and in the palette. */
import type {BindingSet, Bindings} from '../bindings.ts';
import type {CustomCommand} from '../../renter/settings/default-settings.ts';
import {isKey, type Key} from '../terminal/input/keys.ts';

export type CustomTarget = {
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

/** A sentence about the first command whose key something else has. */
export function keyProblems(
	commands: readonly CustomCommand[],
	taken: (key: Key) => string | undefined,
): string | undefined {
	for (const {name, key} of commands) {
		const problem = key === undefined ? undefined : keyProblem(key, taken);
		if (problem !== undefined) {
			return `commands: "${key}" for "${name}" ${problem}. It has no key; a lists it.`;
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

/** Finds what a key does on any screen: one letter has one meaning. */
export function ownerIn(sets: readonly BindingSet[]) {
	return (key: Key): string | undefined =>
		sets.flatMap(({bindings}) => bindings).find(({keys}) => keys.includes(key))?.title;
}
