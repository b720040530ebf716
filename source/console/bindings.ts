import {isKey, type Key} from './terminal/input/keys.ts';

/**
 * A key and what it does, written once. The help screen, the hints at the foot, the list of
 * actions and docs/key-bindings.md are all drawn from these literals.
 */
export type Binding<Target> = {
	readonly keys: readonly Key[];
	/** The name by which users' settings know it; it stays when the title changes. */
	readonly id: string;
	/** What it does, for the help screen: "open detail". */
	readonly title: string;
	/** One or two words for the foot of the screen; without it the binding is not hinted there. */
	readonly hint?: string;
	readonly run: (target: Target) => void;
	/** Why it cannot be pressed now; undefined when it can. */
	readonly unavailable?: (target: Target) => string | undefined;
	/** It opens or confirms a change: typed together with other keys in one burst, it is dropped. */
	readonly isChange?: boolean;
	/** It changes something at the service, or opens what does: read-only profiles have none of it. */
	readonly changesService?: boolean;
	/** It works behind modal scopes too, unless one of them has another use for its key. */
	readonly isAlways?: boolean;
	/** Its hint is kept where there is no room for all of them. */
	readonly keepsHint?: boolean;
};

/** Bindings that belong together, under the name that help shows. */
export type BindingSet<Target> = {
	/** The name by which users' settings know it; it stays when the title changes. */
	readonly id: string;
	readonly title: string;
	readonly bindings: ReadonlyArray<Binding<Target>>;
};

/** A binding joined with what it acts on. */
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

/** Joins bindings with what they act on. */
export function reach<Target>(
	bindings: ReadonlyArray<Binding<Target>>,
	target: Target,
): readonly Reachable[] {
	return bindings.map(binding => ({
		keys: binding.keys,
		title: binding.title,
		hint: binding.hint,
		isChange: binding.isChange === true,
		changesService: binding.changesService === true,
		isAlways: binding.isAlways === true,
		keepsHint: binding.keepsHint === true,
		run: () => binding.run(target),
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

/** How keys are written for people: letters as they are, `Up` and `Down` by name. */
export function writeKeys(keys: readonly Key[]): string {
	return keys.join(' ');
}
