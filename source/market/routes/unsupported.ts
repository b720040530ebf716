import type {Contract} from '../../contract/index.ts';
import {unavailable} from '../../contract/nouns/unsupported.ts';
import {Refusal} from '../refusal.ts';
import type {Handler} from './handler.ts';

type Calls = Contract['unsupported'];

/** Refusal of a copy: credentials of others would lie on hosts. */
export function noClouds(): Refusal {
	return new Refusal('notSupported', 'Cloud connections are not available on this market.');
}

export const startCloudCopy: Handler<Calls['startCloudCopy']> = () => {
	throw noClouds();
};

export const cancelCloudCopy: Handler<Calls['cancelCloudCopy']> = () => {
	throw noClouds();
};

export const cloudConnections: Handler<Calls['cloudConnections']> = () => [];

export const twoStep: Handler<Calls['twoStep']> = () => ({
	success: true,
	tfa_enabled: false,
	backup_codes_remaining: 0,
	new_method_authorized: false,
	methods: [],
});

export const endpointJobs: Handler<Calls['endpointJobs']> = () => ({success: true, results: []});

export const networkRoom: Handler<Calls['networkRoom']> = () => ({offers: []});

/** Refusal of a call that existing services have, and no market; undefined for any other path. */
export function notHere(path: string): Refusal | undefined {
	const [, family = ''] = /^\/api\/v\d+\/([^/]+)/.exec(path) ?? [];
	const what = unavailable.get(family);
	if (what === undefined) return undefined;
	return new Refusal('notSupported', `${what} not available on this market.`);
}
