/** Entries of the palette beyond the open service: instances of other profiles, and help on all keys. */
import {screenBindings} from '../../screens/index.ts';
import type {ProfileSwitcher} from '../../services/profile-switcher.ts';
import {writeKeys, type BindingSet} from '../../ui/bindings.ts';
import type {ReachableScope} from '../../ui/keymap.ts';
import {PRACTICE} from '../../../renter/profiles/profile.ts';
import {targetName, targetUrlOf, type Target} from '../../../renter/profiles/target.ts';
import type {KeptLists} from '../../../renter/fleet/kept-list.ts';
import {duration, priceTag} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {nothing, type PaletteEntry} from './state.ts';

/** Every service that can be opened, the open one as well. */
export function listServiceTargets(switcher: Pick<ProfileSwitcher, 'book'>): readonly Target[] {
	const own = switcher.book.profiles.get();
	return [
		...own.map((profile): Target => ({kind: 'profile', profile})),
		// Users without profiles are on the practice market already.
		...(own.length === 0 ? [] : [{kind: PRACTICE} as const]),
	];
}

export function isOpenTarget({target}: Pick<ProfileSwitcher, 'target'>, other: Target): boolean {
	return other.kind === target.kind && targetName(other) === targetName(target);
}

type Elsewhere = {
	readonly switcher: Pick<ProfileSwitcher, 'book' | 'target' | 'open'>;
	readonly lists: Pick<KeptLists, 'of'>;
	/** Milliseconds since 1970. */
	readonly now: number;
};

/** Instances of other profiles, as they were listed last: nothing is asked for them. */
export function instancesElsewhere({switcher, lists, now}: Elsewhere): readonly PaletteEntry[] {
	return listServiceTargets(switcher)
		.filter(target => !isOpenTarget(switcher, target))
		.flatMap(target => {
			const profile = targetName(target);
			const kept = lists.of({name: profile, url: targetUrlOf(target)});
			const age = kept === undefined ? '' : duration(Math.max(0, now - kept.at) / 1000);
			return (kept?.instances ?? []).map(({id, label, state, gpus, perHour}): PaletteEntry => {
				const name = printable(label);
				return {
					...nothing,
					kind: 'instance',
					id: `instance ${id} of ${profile}`,
					title: name === '' ? `instance ${id}` : `${name} ${id}`,
					about: printable(`${state} @${profile} ${age}, ${gpus} ${priceTag(perHour)}`),
					names: [String(id), name].filter(text => text !== ''),
					run: () => switcher.open(target, {name: 'instance', id}),
				};
			});
		});
}

/** Help on keys that are not in reach: each leads to all keys of its screen. */
export function helpEntries(
	scopes: readonly ReachableScope[],
	open: (scope: ReachableScope) => void,
): readonly PaletteEntry[] {
	const here = new Set(scopes.flatMap(({bindings}) => bindings.map(({title}) => title)));
	return screenBindings.flatMap(set =>
		set.bindings
			.filter(({title}) => !here.has(title))
			.map(({id, title, keys}) => ({
				...nothing,
				kind: 'help' as const,
				id: `help ${set.id} ${id}`,
				title,
				about: `help: ${set.title}`,
				keys: writeKeys(keys),
				run: () => open(scopeOf(set)),
			})),
	);
}

function scopeOf({title, bindings}: BindingSet): ReachableScope {
	return {
		title,
		bindings: bindings.map(
			({keys, title: does, hint, isChange = false, changesService = false}) => ({
				keys,
				title: does,
				hint,
				isChange,
				changesService,
				isAlways: false,
				keepsHint: false,
				run: () => {},
				unavailable: () => undefined,
			}),
		),
	};
}
