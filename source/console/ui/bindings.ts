import {isKey, type Key} from '../terminal/input/keys.ts';

/**
 * A key and the words about it, written once. The help screen, the hints at the foot, the list of
 * actions and docs/key-bindings.md are all drawn from these literals.
 */
export type BindingFacts = {
	readonly keys: readonly Key[];
	/** Name in users' settings, which stays when the title changes. */
	readonly id: string;
	/** Title on the help screen: "open detail". */
	readonly title: string;
	/** A word or two for the foot of the screen; without them the binding is not hinted there. */
	readonly hint?: string;
	/** The binding opens or confirms a change: typed together with other keys in one burst, it is dropped. */
	readonly isChange?: boolean;
	/** The binding changes the service, or opens a dialog that does: read-only profiles have none of it. */
	readonly changesService?: boolean;
	/** The binding works behind modal scopes too, unless one of them has another use for its key. */
	readonly isAlways?: boolean;
	/** The hint is kept if there is no space for all of them. */
	readonly keepsHint?: boolean;
};

export type Binding<Target> = BindingFacts & {
	readonly run: (target: Target) => void | Promise<void>;
	/** Reason why the key is unavailable; undefined when it is not. */
	readonly unavailable?: (target: Target) => string | undefined;
};

export type Bindings<Target> = ReadonlyArray<Binding<Target>>;

/** Gives bindings the keys that the user chose for them. */
export type Rebound = <One extends BindingFacts>(bindings: readonly One[]) => readonly One[];

/** Bindings that belong together, under the name that help shows. */
export type BindingSet = {
	/** Name in users' settings, which stays when the title changes. */
	readonly id: string;
	readonly title: string;
	readonly bindings: readonly BindingFacts[];
};

export type Reachable = {
	readonly keys: readonly Key[];
	readonly title: string;
	readonly hint: string | undefined;
	readonly isChange: boolean;
	readonly changesService: boolean;
	readonly isAlways: boolean;
	readonly keepsHint: boolean;
	readonly run: () => void;
	readonly unavailable: () => string | undefined;
};

/** Binding as it is shown, without its target. */
export function shownOf(binding: BindingFacts): Omit<Reachable, 'run' | 'unavailable'> {
	return {
		keys: binding.keys,
		title: binding.title,
		hint: binding.hint,
		isChange: binding.isChange === true,
		changesService: binding.changesService === true,
		isAlways: binding.isAlways === true,
		keepsHint: binding.keepsHint === true,
	};
}

export function reach<Target>(bindings: Bindings<Target>, target: Target): readonly Reachable[] {
	return bindings.map(binding => ({
		...shownOf(binding),
		run: () => void binding.run(target),
		unavailable: () => binding.unavailable?.(target),
	}));
}

type Named = {readonly keys: readonly Key[]; readonly title: string};

/** Refuses two bindings of one scope that claim the same key, and keys that no terminal sends. */
export function assertNoCollisions(title: string, bindings: readonly Named[]): void {
	const owners = new Map<Key, string>();
	for (const binding of bindings) {
		for (const key of binding.keys) {
			if (!isKey(key)) throw new Error(`${title}: "${key}" (${binding.title}) is not a key`);
			const owner = owners.get(key);
			if (owner !== undefined) {
				throw new Error(`${title}: "${key}" is both "${owner}" and "${binding.title}"`);
			}
			owners.set(key, binding.title);
		}
	}
}

/** Keys as people read them: letters as they are, `Up` and `Down` by name. */
export function writeKeys(keys: readonly Key[]): string {
	return keys.join(' ');
}
