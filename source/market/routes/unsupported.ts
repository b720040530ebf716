import type {Contract} from '../../contract/index.ts';
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

/** Nobody signs in: there are keys alone. */
function refuseTwoStep(): never {
	throw new Refusal('notSupported', 'Two-step sign-in is not available on this market.');
}

export const removeTwoStep: Handler<Calls['removeTwoStep']> = refuseTwoStep;
export const changeTwoStep: Handler<Calls['changeTwoStep']> = refuseTwoStep;
