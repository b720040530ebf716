/**
 * The terms of a lease as users type them: `for 6h idle 30m until $20 when done then stop keep`,
 * and last the command that runs first, `before rsync -a out host:` or `before 5m/10m rsync -a out
 * host:`.
 */
import {
	actions,
	busyKinds,
	endlessLease,
	usualBefore,
	type LeaseAction,
	type Before,
	type BusyKind,
	type Lease,
} from '../words/lease.ts';
import {readWhen, whenForms, writeWhen, type WhenDone} from '../words/when-done.ts';
import {DAY} from '../../contract/rules/durations.ts';

/** Terms that cannot be understood; the message names the word. */
export class LeaseTermsError extends Error {
	override readonly name = 'LeaseTermsError';
}

/** A lease before it starts: its deadline is a duration. */
export type Terms = Omit<Lease, 'endsAt'> & {readonly forSeconds: number | undefined};

const unitSeconds: Readonly<Record<string, number>> = {s: 1, m: 60, h: 3600, d: DAY, w: 604_800};

/** Longest lease: more than ten years is a typing error. */
const LONGEST_SECONDS = 315_360_000;

/** Reads `6h`, `1h30m`, `90s`, `2d`; @throws LeaseTermsError */
export function readLength(text: string): number {
	const parts = /^(?:\d{1,9}(?:\.\d{1,6})?[smhdw])+$/i.test(text)
		? [...text.matchAll(/(\d{1,9}(?:\.\d{1,6})?)([smhdw])/gi)]
		: [];
	const seconds = Math.round(
		parts.reduce(
			(sum, [, amount, unit = '']) =>
				sum + Number(amount) * (unitSeconds[unit.toLowerCase()] ?? Number.NaN),
			0,
		),
	);
	if (parts.length > 0 && seconds > 0 && seconds <= LONGEST_SECONDS) return seconds;
	if (seconds > LONGEST_SECONDS) {
		throw new LeaseTermsError(`expected at most ${writeLength(LONGEST_SECONDS)}, and not ${text}`);
	}
	throw new LeaseTermsError(`expected a time like 30m, 6h or 1h30m, and not ${text}`);
}

/** Writes `6h`, `1h30m`, `90s` as `readLength` reads them. */
export function writeLength(seconds: number): string {
	let left = Math.max(0, Math.round(seconds));
	const parts = (['d', 'h', 'm', 's'] as const).map(unit => {
		const size = unitSeconds[unit] ?? 1;
		const count = Math.floor(left / size);
		left -= count * size;
		return count === 0 ? '' : `${count}${unit}`;
	});
	return parts.join('') || '0s';
}

/** Reads an amount in dollars, with or without its sign; @throws LeaseTermsError */
export function readCost(text: string): number {
	const dollars = /^\$?(\d{1,7}(?:\.\d{1,6})?)$/.exec(text)?.[1];
	if (dollars !== undefined && Number(dollars) > 0) return Number(dollars);
	throw new LeaseTermsError(`expected dollars like $20, and not ${text}`);
}

/** @throws LeaseTermsError */
export function readAction(text: string): LeaseAction {
	const action = actions.find(known => known === text);
	if (action !== undefined) return action;
	throw new LeaseTermsError(`expected one of ${actions.join(', ')}, and not ${text}`);
}

/** Reads `ssh,network`; @throws LeaseTermsError */
export function readIgnores(text: string): readonly BusyKind[] {
	const words = text.split(',').map(word => word.trim());
	const unknown = words.find(word => !busyKinds.some(kind => kind === word));
	if (unknown !== undefined) {
		throw new LeaseTermsError(`expected some of ${busyKinds.join(',')}, and not ${unknown}`);
	}
	return busyKinds.filter(kind => words.includes(kind));
}

/** @throws LeaseTermsError */
export function readWhenDone(text: string): WhenDone {
	const when = readWhen(text);
	if (when !== undefined) return when;
	throw new LeaseTermsError(`expected ${whenForms}, and not ${text}`);
}

/** Reads the terms of a lease; an empty text, or `none`, means no end. @throws LeaseTermsError */
export function readTerms(text: string): Terms {
	const [rules, command] = partCommand(text);
	const terms = readRules(rules);
	const before = command === undefined ? undefined : readBefore(command);
	const needing = before !== undefined ? 'before' : terms.whenDone && 'when';
	if (needing !== undefined && !hasRule(terms)) {
		throw new LeaseTermsError(`${needing} needs an end: for, idle or until`);
	}
	return {...terms, before};
}

function hasRule({forSeconds, idleSeconds, maxCost}: Terms): boolean {
	return (forSeconds ?? idleSeconds ?? maxCost) !== undefined;
}

/**
 * The command, which is all text after `before`: it may contain any words. Quotes around it are
 * removed.
 */
function partCommand(text: string): readonly [rules: string, command: string | undefined] {
	const all = text.matchAll(/"[^"]*"|(?:^|\s)before(?:\s|$)/g);
	const found = all.find(([words]) => !words.startsWith('"'));
	if (found === undefined) return [text, undefined];
	return [text.slice(0, found.index), text.slice(found.index + found[0].length).trim()];
}

const LIMITS = /^(\d[\da-z.]*)\/(\d[\da-z.]*)(?:\s+|$)/i;

function readBefore(text: string): Before {
	if (text === '') throw new LeaseTermsError('expected a command after before');
	const [start = '', limit, grace] = LIMITS.exec(text) ?? [];
	if (limit === undefined || grace === undefined) return {...usualBefore, command: text};
	const command = text.slice(start.length) || undefined;
	return {command, limitSeconds: readLength(limit), graceSeconds: readLength(grace)};
}

function readRules(text: string): Terms {
	let terms = remainingTerms(endlessLease, 0);
	const split = text.match(/(?:"[^"]*"|\S)+/g) ?? [];
	const words = split.filter(word => word !== 'none');
	for (let at = 0; at < words.length; at++) {
		const word = words[at] ?? '';
		if (word === 'keep') {
			terms = {...terms, isKept: true};
			continue;
		}
		at += 1;
		terms = {...terms, ...readTerm(word, words[at] ?? '')};
	}
	return terms;
}

export function termsProblem(text: string): string | undefined {
	try {
		readTerms(text);
		return undefined;
	} catch (error) {
		if (error instanceof LeaseTermsError) return error.message;
		throw error;
	}
}

function readTerm(word: string, value: string): Partial<Terms> {
	switch (word) {
		case 'for':
			return {forSeconds: readLength(value)};
		case 'idle':
			return {idleSeconds: readLength(value)};
		case 'until':
			return {maxCost: readCost(value)};
		case 'when':
			return {whenDone: readWhenDone(value)};
		case 'then':
			return {action: readAction(value)};
		case 'ignoring':
			return {ignores: readIgnores(value)};
		default:
			throw new LeaseTermsError(
				`expected for, idle, until, when, then, ignoring, keep or before, and not ${word}`,
			);
	}
}

/** Writes terms as `readTerms` reads them; no end is `none`. */
export function writeTerms(terms: Terms): string {
	const {forSeconds, idleSeconds, maxCost, action, isKept, ignores, before, whenDone} = terms;
	const parts = [
		forSeconds === undefined ? '' : `for ${writeLength(forSeconds)}`,
		idleSeconds === undefined ? '' : `idle ${writeLength(idleSeconds)}`,
		maxCost === undefined ? '' : `until $${maxCost}`,
	].filter(part => part !== '');
	if (parts.length === 0) return isKept ? 'none keep' : 'none';
	const when = whenDone === undefined ? [] : [`when ${writeWhen(whenDone)}`];
	const ignoring = ignores.length === 0 ? [] : [`ignoring ${ignores.join(',')}`];
	const kept = isKept ? ['keep'] : [];
	const first = before === undefined ? [] : ['before', ...beforeParts(before)];
	return [...parts, ...when, ...ignoring, `then ${action}`, ...kept, ...first].join(' ');
}

/**
 * The command with its limits; usual limits are left out, unless the command starts like limits.
 */
function beforeParts({command, limitSeconds, graceSeconds}: Before): readonly string[] {
	const isUsual =
		limitSeconds === usualBefore.limitSeconds && graceSeconds === usualBefore.graceSeconds;
	if (isUsual && command !== undefined && !LIMITS.test(command)) return [command];
	const limits = `${writeLength(limitSeconds)}/${writeLength(graceSeconds)}`;
	return command === undefined ? [limits] : [limits, command];
}

/** "5m at most; if it fails, the end waits 10m, once" */
export function whenDoneLimitsText({limitSeconds, graceSeconds}: Before): string {
	const grace = writeLength(graceSeconds);
	return `${writeLength(limitSeconds)} at most; if it fails, the end waits ${grace}, once`;
}

/** The usual terms of rentals: those of the template, else those of the settings. */
export function usualTerms(
	{lease, templateLeases}: UsualLeases,
	templateHash: string | undefined,
): string {
	const own = templateHash === undefined ? undefined : templateLeases[templateHash];
	return own?.trim() || lease.trim() || 'none';
}

type UsualLeases = {
	readonly lease: string;
	readonly templateLeases: Readonly<Record<string, string>>;
};

/** Makes a lease of terms that count from a moment, in seconds on the service's clock. */
export function leaseFrom({forSeconds, ...same}: Terms, now: number): Lease {
	return {...same, endsAt: forSeconds && Math.ceil(now + forSeconds)};
}

export function remainingTerms(lease: Lease, now: number): Terms {
	const {endsAt, ...same} = lease;
	return {...same, forSeconds: endsAt === undefined ? undefined : Math.max(0, endsAt - now)};
}
