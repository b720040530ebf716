import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {countCharacters} from '../../../source/contract/grammar/harmless-text.ts';
import {
	actions,
	busyKinds,
	hasEnd,
	slackSeconds,
	type Lease,
	readLabel,
	shownLabel,
	writeLabel,
} from '../../../source/renter/words/lease.ts';
import type {WhenDone} from '../../../source/renter/words/when-done.ts';
import {
	leaseFrom,
	LeaseTermsError,
	readLength,
	readTerms,
	remainingTerms,
	writeLength,
	writeTerms,
} from '../../../source/renter/leases/lease-terms.ts';

const optional = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, {nil: undefined});

const leases: fc.Arbitrary<Lease> = fc.record({
	endsAt: optional(fc.integer({min: 1_000_000_000, max: 4_000_000_000})),
	idleSeconds: optional(fc.integer({min: 1, max: 1_000_000})),
	maxCost: optional(fc.integer({min: 1, max: 100_000}).map(cents => cents / 100)),
	action: fc.constantFrom(...actions),
	before: optional(
		fc.record({
			command: optional(fc.string({minLength: 1, maxLength: 30})),
			limitSeconds: fc.integer({min: 0, max: 99_999}),
			graceSeconds: fc.integer({min: 0, max: 99_999}),
		}),
	),
	isKept: fc.boolean(),
	ignores: fc.subarray([...busyKinds]),
	whenDone: optional(
		fc.constantFrom<WhenDone>(
			{kind: 'run'},
			{kind: 'step', step: 20_000},
			{kind: 'line', text: 'saved [all] before 100 %'},
			{kind: 'file', text: '/root/my out/DONE'},
		),
	),
});

test('lengths of time are read as people write them', () => {
	expect(['6h', '30m', '1h30m', '90s', '2d', '1.5h'].map(readLength)).toEqual([
		21_600, 1800, 5400, 90, 172_800, 5400,
	]);
	for (const wrong of ['', '6', 'h', '-1h', '6 h', '0s', '1h30', '999999w']) {
		expect(() => readLength(wrong)).toThrow(LeaseTermsError);
	}
	expect(() => readLength('99999999h')).toThrow('expected at most 3650d, and not 99999999h');
});

test('a length of time is written as it is read', () => {
	fc.assert(
		fc.property(fc.integer({min: 1, max: 315_360_000}), seconds => {
			expect(readLength(writeLength(seconds))).toBe(seconds);
		}),
	);
});

test('terms are read in any order, and written in one', () => {
	const terms = readTerms('then stop-destroy until $20 keep idle 30m for 6h ignoring ssh,cpu');
	expect(writeTerms(terms)).toBe(
		'for 6h idle 30m until $20 ignoring cpu,ssh then stop-destroy keep',
	);
	expect(readTerms(writeTerms(terms))).toEqual(terms);
	expect(writeTerms(readTerms('none'))).toBe('none');
	for (const wrong of ['for', 'for ever', 'until 0', 'then sell', 'six hours', 'idle 30m then']) {
		expect(() => readTerms(wrong)).toThrow(LeaseTermsError);
	}
});

const savingOf = (text: string) => readTerms(`for 6h then stop ${text}`).before;

test('the command before the end is the rest of the line, after its limits where it has some', () => {
	const usual = {limitSeconds: 300, graceSeconds: 600};
	expect(savingOf('before rsync -a out  me: then stop')).toEqual({
		...usual,
		command: 'rsync -a out  me: then stop',
	});
	expect(savingOf('before 90s/1h ./save')).toEqual({
		command: './save',
		limitSeconds: 90,
		graceSeconds: 3600,
	});
	expect(savingOf('before 5m/10m')).toEqual({...usual, command: undefined});
	expect(savingOf('before 5m/10m 1/2')).toEqual({...usual, command: '1/2'});
	expect(writeTerms(readTerms('for 6h before 5m/10m ls'))).toBe('for 6h then destroy before ls');
	for (const wrong of ['for 6h before', 'before ls', 'none before ls', 'for 6h before 5m/10 ls']) {
		expect(() => readTerms(wrong)).toThrow(LeaseTermsError);
	}
});

test('terms are read as they are written, whatever the command', () => {
	fc.assert(
		fc.property(leases, fc.string({minLength: 1}), (lease, text) => {
			fc.pre(text === text.trim() && hasRule(lease) && (lease.before?.limitSeconds ?? 1) > 0);
			fc.pre((lease.before?.graceSeconds ?? 1) > 0);
			const saving = lease.before && {...lease.before, command: lease.before.command && text};
			const terms = remainingTerms({...lease, before: saving}, (lease.endsAt ?? 0) - 60);
			expect(readTerms(writeTerms(terms))).toEqual(terms);
		}),
	);
});

function hasRule({endsAt, idleSeconds, maxCost}: Lease): boolean {
	return (endsAt ?? idleSeconds ?? maxCost) !== undefined;
}

test('a lease counts from the moment of its terms', () => {
	const lease = leaseFrom(readTerms('for 6h then stop'), 1_764_000_000.2);
	expect(lease).toMatchObject({endsAt: 1_764_021_601, action: 'stop'});
	expect(remainingTerms(lease, 1_764_021_541).forSeconds).toBe(60);
	expect(leaseFrom(readTerms('idle 30m'), 1_764_000_000).endsAt).toBeUndefined();
});

test('a kept instance has no end but its own deadline', () => {
	expect(hasEnd(leaseFrom(readTerms('idle 30m until $5 keep'), 0))).toBe(false);
	expect(hasEnd(leaseFrom(readTerms('for 1h keep'), 1_764_000_000))).toBe(true);
	expect(hasEnd(leaseFrom(readTerms('none'), 0))).toBe(false);
});

test('saving results may put off an end by two tries and the grace between them', () => {
	const before = {command: 'true', limitSeconds: 60, graceSeconds: 300};
	expect(slackSeconds({before})).toBe(420);
	expect(slackSeconds({before: undefined})).toBe(0);
});

test('a label carries a lease, shows without it, and never grows beyond what services take', () => {
	fc.assert(
		fc.property(fc.string({maxLength: 60}), leases, (label, lease) => {
			fc.pre(label.isWellFormed() && readLabel(label).label === label);
			const text = writeLabel(label, lease);
			if (text === undefined) return;
			expect(countCharacters(text)).toBeLessThanOrEqual(256);
			expect(readLabel(text)).toEqual({label, lease, isUnknown: false});
			expect(shownLabel(text)).toBe(label);
		}),
	);
});

test('a lease that does not fit is not cut', () => {
	expect(writeLabel('x'.repeat(250), leaseFrom(readTerms('for 1h'), 1_764_000_000))).toBe(
		undefined,
	);
	expect(writeLabel('x'.repeat(256), undefined)).toHaveLength(256);
});

test('a label as it stands in the documents of other programs', () => {
	const terms = 'for 1h idle 30m until 20 then stop keep before rsync -a out/ me:';
	const lease = leaseFrom(readTerms(terms), 1_764_000_000);
	expect(writeLabel('train', lease)).toMatchInlineSnapshot(
		`"train [lease1 e1764003600 i1800 c20 ts k b300/600 rrsync%20-a%20out%2F%20me%3A]"`,
	);
});

const damaged = [
	['a [lease1 e1764000000 td] b', 'a b'],
	['x[lease1 td]', 'x'],
	['A [LEASE1 E1764000000 TD]', 'A'],
	['a [ lease 1 e1764000000 td ]', 'a'],
	['a [lease1 e17640', 'a'],
] as const;

test('what is no lease stays a label, and what is not understood ends nothing', () => {
	for (const plain of ['train', '[lease]', 'lease1', '']) {
		expect(readLabel(plain)).toEqual({label: plain, lease: undefined, isUnknown: false});
	}
	for (const [unknown, label] of [
		['train [lease2 whatever]', 'train'],
		['train [lease1 e1764000000 td z9]', 'train'],
		['train [lease1 e1764000000]', 'train'],
		['train [lease1 e1 td]', 'train'],
		['train [lease1 e1764000000 e1764000001 td]', 'train'],
		['[lease1 td r%zz]', ''],
		...damaged,
	] as const) {
		expect(readLabel(unknown)).toEqual({label, lease: undefined, isUnknown: true});
	}
});
