/** Other services and accounts, by the names of their profiles: `@lab`. */
import type {Desk} from '../desk.ts';
import {PRACTICE} from '../../renter/profiles/profile.ts';
import {nameOf, type Target} from '../../renter/profiles/target.ts';
import {printable} from '../../renter/text/text-width.ts';
import type {Entry} from './state.ts';

export function profileEntries(desk: Desk): readonly Entry[] {
	const own = desk.book.profiles.get();
	const targets: readonly Target[] = [
		...own.map((profile): Target => ({kind: 'profile', profile})),
		// Without profiles of their own, people are there already.
		...(own.length === 0 ? [] : [{kind: PRACTICE} as const]),
	];
	return targets.map(target => {
		const name = nameOf(target);
		const isOpen = target.kind === desk.target.kind && name === nameOf(desk.target);
		return {
			id: `profile ${name}`,
			title: `@${name}`,
			about: printable(serverOf(target)),
			names: [name],
			keys: '',
			reason: isOpen ? 'it is the one that is in use' : undefined,
			run: () => desk.open(target),
		};
	});
}

function serverOf(target: Target): string {
	if (target.kind !== 'profile') return 'profile: no money';
	const {url, mode} = target.profile;
	return `profile ${mode === 'read-only' ? 'RO' : 'RW'} ${new URL(url).host}`;
}
