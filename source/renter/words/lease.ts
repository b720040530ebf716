/** A lease: when an instance ends by itself, what happens then, and what is done before. */
import {createHash} from 'node:crypto';

/** Stops it, destroys it, or stops it first and destroys it an hour later. */
export const actions = ['stop', 'destroy', 'stop-destroy'] as const;
export type Action = (typeof actions)[number];

/** Kinds of activity beside the GPUs: each can be switched off. */
export const busyKinds = ['cpu', 'disk', 'network', 'ssh'] as const;
export type BusyKind = (typeof busyKinds)[number];

/** A command that runs in the instance before it ends. */
export type Before = {
	/** Undefined where it stands in the instance's environment, as `RENTTY_BEFORE`. */
	readonly command: string | undefined;
	/** For how long it may run. */
	readonly limitSeconds: number;
	/** By how much the end is postponed where it fails; at most once. */
	readonly graceSeconds: number;
};

export type Lease = {
	/** The deadline: seconds since 1970 on the service's clock. */
	readonly endsAt: number | undefined;
	/** For how long it may idle. */
	readonly idleSeconds: number | undefined;
	/** Cost limit in dollars. */
	readonly maxCost: number | undefined;
	readonly action: Action;
	readonly before: Before | undefined;
	/** Only the deadline ends it. */
	readonly isKept: boolean;
	readonly ignores: readonly BusyKind[];
};

/** The environment variable that holds the command to run before the end. */
export const BEFORE_VARIABLE = 'RENTTY_BEFORE';

/** Time from stopping to destroying an instance, where both are wanted. */
export const DESTROY_AFTER_SECONDS = 3600;

export const usualBefore = {limitSeconds: 300, graceSeconds: 600} as const;

/** A lease that ends nothing. */
export const endlessLease: Lease = {
	endsAt: undefined,
	idleSeconds: undefined,
	maxCost: undefined,
	action: 'destroy',
	before: undefined,
	isKept: false,
	ignores: [],
};

/** True if any rule of the lease can end its instance. */
export function hasEnd({endsAt, idleSeconds, maxCost, isKept}: Lease): boolean {
	return endsAt !== undefined || (!isKept && (idleSeconds ?? maxCost) !== undefined);
}

/** Action to take; undefined where nothing is left to do. */
export function actionOf(
	{action}: Pick<Lease, 'action'>,
	isStopped: boolean,
): 'stop' | 'destroy' | undefined {
	switch (action) {
		case 'stop':
			return isStopped ? undefined : 'stop';
		case 'destroy':
			return 'destroy';
		case 'stop-destroy':
			return isStopped ? 'destroy' : 'stop';
	}
}

/** What its deadline does next, and when, in milliseconds since 1970; undefined where nothing is left to do. */
export function dueAct({endsAt, action: wanted}: Lease, isStopped: boolean) {
	const action = actionOf({action: wanted}, isStopped);
	if (endsAt === undefined || action === undefined) return undefined;
	const isSecond = wanted === 'stop-destroy' && isStopped;
	return {action, at: (endsAt + (isSecond ? DESTROY_AFTER_SECONDS : 0)) * 1000};
}

/** The most seconds by which saving results may put off the end: both tries, and the grace between. */
export function slackSeconds({before}: Pick<Lease, 'before'>): number {
	return before === undefined ? 0 : 2 * before.limitSeconds + before.graceSeconds;
}

/** A short text by which two leases are told apart. */
export function leaseKey(lease: Lease): string {
	const {endsAt, idleSeconds, maxCost, action, before, isKept, ignores} = lease;
	const saving = before && [before.limitSeconds, before.graceSeconds, before.command];
	const text = JSON.stringify([endsAt, idleSeconds, maxCost, action, ignores, isKept, saving]);
	return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** Seconds before an end at which it is announced: one minute, ten minutes and an hour. */
export const warnings = [60, 600, 3600] as const;

/** The seconds left, where that is to be told and was not told before. @param date in milliseconds */
export function warningFor(lease: Lease, date: number, warned = Infinity) {
	const {endsAt} = lease;
	const seconds = endsAt === undefined ? 0 : Math.round(endsAt - date / 1000);
	const near = warnings.find(warning => seconds <= warning);
	if (near === undefined || seconds <= 0 || warned <= near) return undefined;
	return {seconds, due: `${near} ${leaseKey(lease)}`};
}
