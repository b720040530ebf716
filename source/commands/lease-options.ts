/** The options that say when an instance ends: those of `rentty rent` and of `rentty lease`. */
import {UsageError} from '../renter/text/usage-error.ts';
import {busyKinds, usualBefore, actions, type Before} from '../renter/words/lease.ts';
import {
	LeaseTermsError,
	readAction,
	readCost,
	readIgnores,
	readLength,
	type Terms,
} from '../renter/leases/lease-terms.ts';
import type {Given, Option} from './command.ts';

export const leaseOptions: Readonly<Record<string, Option>> = {
	for: {value: 'TIME', about: 'end it after a time, such as 6h or 1h30m'},
	idle: {value: 'TIME', about: 'end it when it has done nothing for so long'},
	budget: {value: 'DOLLARS', about: 'end it when it has cost so much'},
	// oxlint-disable-next-line unicorn/no-thenable -- a word of the command line, and no function
	then: {
		value: 'WHAT',
		oneOf: actions,
		about: 'stop, destroy (default), or stop-destroy: an hour later',
	},
	before: {value: 'COMMAND', about: 'what runs in it before the end, to save results'},
	'before-limit': {value: 'TIME', about: 'how long that may take (default 5m)'},
	grace: {value: 'TIME', about: 'by how much the end is put off where that fails (default 10m)'},
	ignore: {value: 'WHAT', about: `what is not busy, of ${busyKinds.join(',')}`},
	keep: {about: 'no rule ends it but its own deadline'},
};

/** The terms that are given; undefined where none is. @throws UsageError */
export function readLeaseOptions(given: Given): Partial<Terms> | undefined {
	const terms: Partial<Terms> = {
		...termOf(given, 'for', text => ({forSeconds: readLength(text)})),
		...termOf(given, 'idle', text => ({idleSeconds: readLength(text)})),
		...termOf(given, 'budget', text => ({maxCost: readCost(text)})),
		...termOf(given, 'then', text => ({action: readAction(text)})),
		...termOf(given, 'ignore', text => ({ignores: readIgnores(text)})),
		...(given.isGiven('keep') && {isKept: true}),
	};
	return Object.keys(terms).length === 0 ? undefined : terms;
}

/** The command to run before the end; undefined where none is given. @throws UsageError */
export function readBeforeOptions(given: Given): Before | undefined {
	const command = given.textOf('before');
	const limit = termOf(given, 'before-limit', text => ({limitSeconds: readLength(text)}));
	const grace = termOf(given, 'grace', text => ({graceSeconds: readLength(text)}));
	if (command === undefined) {
		if (limit ?? grace) throw new UsageError('--before-limit and --grace need --before.');
		return undefined;
	}
	return {...usualBefore, command, ...limit, ...grace};
}

/** Parses an option's value. @throws UsageError */
export function termOf<Term>(
	given: Given,
	name: string,
	read: (text: string) => Term,
): Term | undefined {
	const text = given.textOf(name);
	try {
		return text === undefined ? undefined : read(text);
	} catch (error) {
		if (!(error instanceof LeaseTermsError)) throw error;
		throw new UsageError(`--${name}: ${error.message}.`, {cause: error});
	}
}
