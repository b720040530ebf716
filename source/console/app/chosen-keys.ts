/** The keys that the user chose, as they are in the settings at present. */
import {appBindings} from './app-bindings.ts';
import type {BindingSet, Rebound} from '../ui/bindings.ts';
import {keyProblems, ownerIn} from './custom/bindings.ts';
import type {SettingsStore} from '../../renter/settings/default-settings.ts';
import {chooseKeys, type KeyChoices} from './key-choices.ts';
import {screenBindings} from '../screens/index.ts';
import {createStore, type Readable} from '../../renter/state/store.ts';

export type ChosenKeys = {
	readonly rebound: Rebound;
	/** Problem of the chosen keys; undefined where there is none. */
	readonly problem: Readable<string | undefined>;
	readonly close: () => void;
};

/** The sets of keys by which bindings are named, those that work everywhere first. */
export const namedSets: readonly BindingSet[] = [
	{id: 'everywhere', title: 'Everywhere', bindings: appBindings},
	...screenBindings,
];

/** Follows the settings: what is saved there holds from the next key on. */
export function followKeys(settings: SettingsStore): ChosenKeys {
	let setKeys = settings.get().keys;
	let choices = choose();
	const problem = createStore(problemOf());
	function problemOf(): string | undefined {
		return choices.problems[0] ?? keyProblems(settings.get(), screen => ownerIn(namedSets, screen));
	}
	function choose(): KeyChoices {
		if (Object.keys(setKeys).length === 0) return {keys: new Map(), problems: []};
		return chooseKeys(namedSets, setKeys);
	}
	const close = settings.subscribe(() => {
		if (settings.get().keys !== setKeys) {
			setKeys = settings.get().keys;
			choices = choose();
		}
		problem.set(problemOf());
	});
	return {
		rebound(bindings) {
			const {keys} = choices;
			if (keys.size === 0) return bindings;
			return bindings.map(binding => {
				const chosen = keys.get(binding);
				return chosen === undefined ? binding : {...binding, keys: chosen};
			});
		},
		problem,
		close,
	};
}
