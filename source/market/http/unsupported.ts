import {unavailable} from '../../contract/nouns/unsupported.ts';
import {Refusal} from '../base/refusal.ts';

/** Refusal of a copy: credentials of others would lie on hosts. */
export function noClouds(): Refusal {
	return new Refusal('notSupported', 'Cloud connections are not available on this market.');
}

/** Refusal of a call that existing services have, and no market; undefined for any other path. */
export function notHere(path: string): Refusal | undefined {
	const [, family = ''] = /^\/api\/v\d+\/([^/]+)/.exec(path) ?? [];
	const what = unavailable.get(family);
	if (what === undefined) return undefined;
	return new Refusal('notSupported', `${what} not available on this market.`);
}
