/**
 * A lease at the end of an instance's label, where services without leases keep it:
 *
 *     train [lease1 e1764000000 i1800 c20 td b300/600]
 */
import {lengthOf} from '../../contract/grammar/text-length.ts';
import {actions, busyKinds, endlessLease, type Action, type Lease} from './lease.ts';

/** The most characters of a label when an instance is made. */
export const LONGEST_NEW_LABEL = 256;

export type LabelRead = {
	/** The label without the lease, as it is shown. */
	readonly label: string;
	/** Undefined where the label has none. */
	readonly lease: Lease | undefined;
	/** The lease is damaged, or of an unknown version: nothing may be ended by it. */
	readonly isUnknown: boolean;
};

const SUFFIX = /(?:^| )\[lease(\d{1,3})(?: ([\x21-\x5a\x5e-\x7e ]*))?\]$/;

/** What is left of a lease, however somebody else has spaced, cut or moved it. */
const REMNANT = / ?\[\s{0,9}lease\s{0,9}\d[^\]]*\]?/i;

/** Parts a label from its lease. What is no lease stays in the label. */
export function readLabel(text: string | null | undefined): LabelRead {
	const whole = text ?? '';
	const found = SUFFIX.exec(whole);
	if (found === null) return withoutRemnant(whole);
	const label = whole.slice(0, found.index);
	if (found[1] !== '1') return {label, lease: undefined, isUnknown: true};
	const lease = readFields(found[2] ?? '');
	return {label, lease, isUnknown: lease === undefined};
}

function withoutRemnant(whole: string): LabelRead {
	const label = whole.replace(REMNANT, '');
	return {label, lease: undefined, isUnknown: label !== whole};
}

/** The label as people gave it. */
export function shownLabel(text: string | null | undefined): string {
	return readLabel(text).label;
}

/** Another label with the lease of the one before, of whichever version; undefined where it is too long. */
export function relabelled(before: string | null | undefined, label: string): string | undefined {
	const [lease] = SUFFIX.exec(before ?? '') ?? [];
	if (lease === undefined) return label;
	const text = `${label} ${lease.trimStart()}`.trimStart();
	return lengthOf(text) <= LONGEST_NEW_LABEL ? text : undefined;
}

/** Writes a lease behind a label; undefined where both together are too long. */
export function writeLabel(label: string, lease: Lease | undefined): string | undefined {
	if (lease === undefined) return label;
	const text = `${label === '' ? '' : `${label} `}[lease1 ${writeFields(lease)}]`;
	return lengthOf(text) <= LONGEST_NEW_LABEL ? text : undefined;
}

const actionLetters: Readonly<Record<Action, string>> = {
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

/** The ends of the brackets are escaped too: a lease ends with the first of them. */
function escaped(command: string): string {
	return encodeURIComponent(command.toWellFormed());
}

/** Undefined where there is a field that is not known: half a lease may end what it must not. */
function readFields(text: string): Lease | undefined {
	let lease: Lease = endlessLease;
	const seen = new Set<string>();
	for (const field of text.split(' ').filter(word => word !== '')) {
		const letter = field.charAt(0);
		const read = seen.has(letter) ? undefined : fields[letter]?.(field.slice(1), lease);
		if (read === undefined) return undefined;
		seen.add(letter);
		lease = {...lease, ...read};
	}
	return seen.has('t') ? lease : undefined;
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
