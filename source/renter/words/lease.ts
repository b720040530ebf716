/** A lease: the end of an instance, its action, and the command before it. */
import {createHash} from 'node:crypto';
import {countCharacters} from '../../contract/grammar/harmless-text.ts';
import {parseWhenDone, printWhenDone, type WhenDone} from './when-done.ts';

/** Stops it, destroys it, or stops it first and destroys it an hour later. */
export const actions = ['stop', 'destroy', 'stop-destroy'] as const;
export type LeaseAction = (typeof actions)[number];

/** Kinds of activity beside the GPUs: each can be switched off. */
export const busyKinds = ['cpu', 'disk', 'network', 'ssh'] as const;
export type BusyKind = (typeof busyKinds)[number];

/** A command that runs in the instance before it ends. */
export type Before = {
	/** Undefined if it is in the instance's environment, as `RENTTY_BEFORE`. */
	readonly command: string | undefined;
	readonly limitSeconds: number;
	/** Seconds by which the end is postponed if the command fails; at most once. */
	readonly graceSeconds: number;
};

export type Lease = {
	/** The deadline: seconds since 1970 on the service's clock. */
	readonly endsAt: number | undefined;
	/** Longest idle time. */
	readonly idleSeconds: number | undefined;
	/** Cost limit in dollars. */
	readonly maxCost: number | undefined;
	readonly action: LeaseAction;
	readonly before: Before | undefined;
	/** True if only the deadline ends it. */
	readonly isKept: boolean;
	readonly ignores: readonly BusyKind[];
	/** Work after which it ends before its deadline; only a guard enforces that. */
	readonly whenDone?: WhenDone | undefined;
};

/** The environment variable that holds the command to run before the end. */
export const BEFORE_VARIABLE = 'RENTTY_BEFORE';

/** Time from stopping to destroying an instance, if both are wanted. */
export const DESTROY_AFTER_SECONDS = 3600;

export const usualBefore = {limitSeconds: 300, graceSeconds: 600} as const;

export const endlessLease: Lease = {
	endsAt: undefined,
	idleSeconds: undefined,
	maxCost: undefined,
	action: 'destroy',
	before: undefined,
	isKept: false,
	ignores: [],
};

export function hasEnd({endsAt, idleSeconds, maxCost, isKept}: Lease): boolean {
	return endsAt !== undefined || (!isKept && (idleSeconds ?? maxCost) !== undefined);
}

/** Action to take; undefined if none is left. */
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

/** Next act of the deadline, and its time in milliseconds since 1970; undefined if none is left. */
export function dueAct({endsAt, action: wanted}: Lease, isStopped: boolean) {
	const action = actionOf({action: wanted}, isStopped);
	if (endsAt === undefined || action === undefined) return undefined;
	const isSecond = wanted === 'stop-destroy' && isStopped;
	return {action, at: (endsAt + (isSecond ? DESTROY_AFTER_SECONDS : 0)) * 1000};
}

/**
 * The most seconds by which saving results may postpone the end: both tries, and the grace period
 * between.
 */
export function slackSeconds({before}: Pick<Lease, 'before'>): number {
	return before === undefined ? 0 : 2 * before.limitSeconds + before.graceSeconds;
}

/** A short text that differs for any two leases. */
export function leaseKey(lease: Lease): string {
	const {endsAt, idleSeconds, maxCost, action, before, isKept, ignores, whenDone} = lease;
	const saving = before && [before.limitSeconds, before.graceSeconds, before.command];
	const rules = [endsAt, idleSeconds, maxCost, action, ignores, isKept, saving];
	const text = JSON.stringify(whenDone === undefined ? rules : [...rules, whenDone]);
	return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** Seconds before an end at which it is announced: one minute, ten minutes and an hour. */
export const warningSeconds = [60, 600, 3600] as const;

/**
 * Seconds before the end from which it is announced: not already when the lease is made, because
 * its maker knows it. @param length duration of the lease when it was made, or first seen
 */
export function announcedFrom(length: number): number {
	return length - JUST_MADE_SECONDS;
}

/** Seconds that a new lease may need to reach its enforcers. */
const JUST_MADE_SECONDS = 60;

/** The seconds left, if a warning is due and was not sent yet. @param date in milliseconds */
export function warningFor(lease: Lease, date: number, warned = Infinity) {
	const {endsAt} = lease;
	const seconds = endsAt === undefined ? 0 : Math.round(endsAt - date / 1000);
	const near = warningSeconds.find(warning => seconds <= warning);
	if (near === undefined || seconds <= 0 || warned <= near) return undefined;
	return {seconds, due: `${near} ${leaseKey(lease)}`};
}

/**
 * A lease at the end of a label, which stores it for services without leases: `train [lease1
 * e1764000000 i1800 c20 td b300/600]`; before it, the work after which it ends: `[when1 done]`.
 */
const SUFFIX =
	/(?:(?:^| )\[when(\d{1,3}) ([\x21-\x5a\x5e-\x7e]{1,800})\])?(?:^| )\[lease(\d{1,3})(?: ([\x21-\x5a\x5e-\x7e ]*))?\]$/;

const LONGEST_NEW_LABEL = 256;

type LabelRead = {
	/** The label without the lease, as it is shown. */
	readonly label: string;
	/** Undefined if the label has none. */
	readonly lease: Lease | undefined;
	/** True if the lease is damaged, or of an unknown version: it must not end anything. */
	readonly isUnknown: boolean;
};

/** Remains of a lease in a label that others have reformatted, cut or moved. */
const REMNANT = /(?: ?\[when\d[^\]]{0,800}\])? ?\[\s{0,9}lease\s{0,9}\d[^\]]*\]?/i;

/** Mark of a lease's work without its lease, which means nothing. */
const LONE_TAG = / ?\[when\d{1,3} [^\]]{1,800}\]$/;

/** Splits a label from its lease. A text that is no lease stays in the label. */
export function readLabel(text: string | null | undefined): LabelRead {
	const whole = text ?? '';
	const found = SUFFIX.exec(whole);
	if (found === null) return withoutRemnant(whole);
	const label = whole.slice(0, found.index);
	const [, tagVersion, mark, version, written = ''] = found;
	const lease = version === '1' ? readFields(written) : undefined;
	const whenDone = parseWhenDone(tagVersion, mark);
	return {
		label,
		lease: lease && whenDone ? {...lease, whenDone} : lease,
		isUnknown: lease === undefined,
	};
}

function withoutRemnant(whole: string): LabelRead {
	const label = whole.replace(REMNANT, '');
	return {label: label.replace(LONE_TAG, ''), lease: undefined, isUnknown: label !== whole};
}

/** The label as the user typed it. */
export function shownLabel(text: string | null | undefined): string {
	return readLabel(text).label;
}

/**
 * Another label with the old label's lease, of whichever version; undefined if it is too long. A
 * resemblance of a lease in the typed label is ignored.
 */
export function relabelled(before: string | null | undefined, given: string): string | undefined {
	const label = shownLabel(given);
	const [lease] = SUFFIX.exec(before ?? '') ?? [];
	if (lease === undefined) return label;
	const text = `${label} ${lease.trimStart()}`.trimStart();
	return countCharacters(text) <= LONGEST_NEW_LABEL ? text : undefined;
}

/** A label with a number in place of each `{}`. */
export function numberedLabel(label: string, number: number): string {
	return label.replaceAll('{}', String(number));
}

/** Writes a lease after a label; undefined if both are too long together, or unreadable. */
export function writeLabel(label: string, lease: Lease | undefined): string | undefined {
	if (lease === undefined) return label;
	const {whenDone} = lease;
	const tags = [
		...(label === '' ? [] : [label]),
		...(whenDone === undefined ? [] : [printWhenDone(whenDone)]),
	];
	const text = [...tags, `[lease1 ${writeFields(lease)}]`].join(' ');
	return countCharacters(text) <= LONGEST_NEW_LABEL && hasSayableEnd(lease) ? text : undefined;
}

export function labelProblem(lease: Lease | undefined): string {
	return lease === undefined || hasSayableEnd(lease)
		? 'The label has no room for the lease: a shorter command or label has'
		: 'Its end is no time that a label can say: the clock of the service may be wrong';
}

function hasSayableEnd({endsAt}: Lease): boolean {
	return endsAt === undefined || readFields(`e${endsAt} td`) !== undefined;
}

const actionLetters: Readonly<Record<LeaseAction, string>> = {
	stop: 's',
	destroy: 'd',
	'stop-destroy': 'sd',
};

function writeFields({endsAt, idleSeconds, maxCost, action, before, isKept, ignores}: Lease) {
	const letters = ignores.map(kind => kind.charAt(0)).join('');
	return [
		...(endsAt === undefined ? [] : [`e${endsAt}`]),
		...(idleSeconds === undefined ? [] : [`i${idleSeconds}`]),
		...(maxCost === undefined ? [] : [`c${maxCost}`]),
		`t${actionLetters[action]}`,
		...(isKept ? ['k'] : []),
		...(letters === '' ? [] : [`x${letters}`]),
		...(before === undefined ? [] : [`b${before.limitSeconds}/${before.graceSeconds}`]),
		...(before?.command === undefined ? [] : [`r${escaped(before.command)}`]),
	].join(' ');
}

/** A command with brackets escaped, because a lease ends at the first closing one. */
function escaped(command: string): string {
	return encodeURIComponent(command.toWellFormed());
}

/** Undefined with an unknown field: half a lease may end an instance wrongly. */
function readFields(text: string): Lease | undefined {
	let lease: Lease = endlessLease;
	const letters = new Set<string>();
	for (const field of text.split(' ').filter(word => word !== '')) {
		const letter = field.charAt(0);
		const read = letters.has(letter) ? undefined : fields[letter]?.(field.slice(1), lease);
		if (read === undefined) return undefined;
		letters.add(letter);
		lease = {...lease, ...read};
	}
	return letters.has('t') ? lease : undefined;
}

type ReadField = (value: string, lease: Lease) => Partial<Lease> | undefined;

const fields: Readonly<Record<string, ReadField>> = {
	e: value => amount(value, /^\d{9,11}$/, endsAt => ({endsAt})),
	i: value => amount(value, /^\d{1,9}$/, idleSeconds => ({idleSeconds})),
	c: value => amount(value, /^\d{1,7}(\.\d{1,6})?$/, maxCost => ({maxCost})),
	t(value) {
		const action = actions.find(known => actionLetters[known] === value);
		return action && {action};
	},
	k: value => (value === '' ? {isKept: true} : undefined),
	x(value) {
		const ignores = busyKinds.filter(kind => value.includes(kind.charAt(0)));
		return ignores.length === value.length ? {ignores} : undefined;
	},
	b: readBefore,
	r(value, {before}) {
		const command = unescaped(value);
		const isWhole = before !== undefined && command !== undefined;
		return isWhole ? {before: {...before, command}} : undefined;
	},
};

function amount(value: string, shape: RegExp, as: (number: number) => Partial<Lease>) {
	const number = shape.test(value) ? Number(value) : 0;
	return number > 0 ? as(number) : undefined;
}

function readBefore(value: string): Partial<Lease> | undefined {
	const [, limit, grace] = /^(\d{1,6})\/(\d{1,6})$/.exec(value) ?? [];
	if (limit === undefined || grace === undefined) return undefined;
	return {
		before: {command: undefined, limitSeconds: Number(limit), graceSeconds: Number(grace)},
	};
}

function unescaped(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
