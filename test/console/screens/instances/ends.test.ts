import {expect, test} from 'vitest';
import type {Instance} from '../../../../source/contract/nouns/instance-record.ts';
import {
	endsAtOf,
	endsMeaning,
	endsSentence,
	endsText,
} from '../../../../source/console/screens/instances/ends.ts';
import {isEndlessInstance, lateMs} from '../../../../source/renter/leases/held.ts';
import {endlessLease} from '../../../../source/renter/words/lease.ts';

const now = 1_795_000_000_000;
const at = (label: string) => ({instance: {id: 7, label}, now});

test.each([
	['', 'no end', 'no end'],
	['x [lease1 td k]', 'keep', 'no end, and no budget stops it'],
	['x [lease1 e1795021500 td]', '5h58', 'for 5h58m then destroy'],
	['x [lease1 e1795021500 i1800 td k]', 'keep 5h', 'for 5h58m idle 30m then destroy keep'],
	['x [lease1 e1795000600 td k]', 'keep 10m', 'for 10m then destroy keep'],
	['x [lease1 e1794999999 td k]', 'late 1s', 'late 1s then destroy'],
	['x [lease1 e1795021500 i1800 td]', '5h58+', 'for 5h58m idle 30m then destroy'],
	['x [lease1 i1800 ts]', 'idle 30m', 'idle 30m then stop'],
	['x [lease1 c20 tsd]', 'at $20', 'until $20 then stop-destroy'],
	['x [lease1 e1794999999 i1800 td]', 'late 1s', 'late 1s then destroy'],
	['x [lease1 e1794999250 ts]', 'late 12m', 'late 12m then stop'],
	['x [lease1 e1794985000 tsd]', 'late 4h', 'late 4h10m then stop'],
	['x [when1 done] [lease1 e1795021500 td]', 'done 5h58', 'for 5h58m when done then destroy'],
	['x [when1 done] [lease1 i1800 ts]', 'done+', 'idle 30m when done then stop'],
	['x [lease9 what]', '?', 'a lease that cannot be read: nothing is ended by it here'],
])('the label %j shows as %s', (label, text, sentence) => {
	expect([endsText(at(label)), endsSentence(at(label))]).toEqual([text, sentence]);
	expect(isEndlessInstance(at(label).instance)).toBe(text === 'no end' || text === 'keep');
});

test.each(['', 'x', 'x [lease9 what]'])('a lost lease of the label %j is marked', label => {
	const row = {...at(label), lostLease: {...endlessLease, idleSeconds: 1800}};
	expect(endsText(row)).toBe('lost');
	expect(endsSentence(row)).toBe('its label has lost its lease: L restores it, or lets go of it');
	expect(endsMeaning({...row, condition: 'running'})).toBe('danger');
	expect(endsMeaning({...row, condition: 'gone'})).toBe('quiet');
	expect(endsText({...row, condition: 'gone'})).toBe('-');
});

test('deadlines are in order before what idleness and costs end', () => {
	const labels = [
		'[lease1 e1795021500 td]',
		'[lease1 e1795021600 td]',
		'[lease1 i60 td]',
		'[lease1 c1 td]',
	];
	const ends = labels.map(label => endsAtOf(at(label)) ?? 0);
	expect(ends).toEqual(ends.toSorted((a, b) => a - b));
	expect(endsAtOf(at('x'))).toBe(undefined);
});

const stopped = {intended_status: 'stopped', cur_state: 'stopped', actual_status: 'exited'};

test.each([
	// Until the deadline, what is stopped ends when it was agreed.
	['e1795021500 td', '5h58', 'for 5h58m then destroy', 'quiet'],
	['e1795021500 ts', '5h58', 'for 5h58m then stop', 'quiet'],
	// What is stopped as agreed is not late, and what is destroyed an hour later is not yet.
	['e1794999280 ts', 'stopped', 'stopped at its deadline', 'quiet'],
	['e1794999280 ts k', 'stopped', 'stopped at its deadline', 'quiet'],
	['e1794999280 tsd', '48m', 'for 48m then destroy', 'quiet'],
	['e1794995680 tsd', 'late 12m', 'late 12m then destroy', 'danger'],
	['e1794999280 td', 'late 12m', 'late 12m then destroy', 'danger'],
	['e1794999280 td k', 'late 12m', 'late 12m then destroy', 'danger'],
])('stopped, the lease %j shows as %s', (lease, text, sentence, meaning) => {
	const instance: Instance = {id: 7, label: `x [lease1 ${lease}]`, ...stopped};
	expect([endsText({instance, now}), endsSentence({instance, now})]).toEqual([text, sentence]);
	expect(endsMeaning({instance, now, condition: 'stopped'})).toBe(meaning);
	expect(lateMs(instance, now) !== undefined).toBe(text.startsWith('late'));
});

test.each([
	['[lease1 i900 td]', '---', 'idle 15m ?', 'idle15m?'],
	['[lease1 i900 td]', '-?-', 'idle 15m ?', 'idle15m?'],
	['[lease1 i900 td]', '.--', 'idle 15m', 'idle 15m'],
	['[lease1 i900 td]', '?G-', 'idle 15m', 'idle 15m'],
	['[lease1 e1795021500 td]', '??-', '5h58 ?', '5h58 ?'],
	['[when1 done] [lease1 e1795021500 td]', 'W-M', 'done ?+', 'done ?+'],
	['[when1 done] [lease1 e1795021500 td]', '-G-', 'done 5h58', 'done+'],
	['x', undefined, 'no end', 'no end'],
])(
	'the lease %j that %s keep shows as %j, and as %j in eight columns',
	(label, keepers, ...texts) => {
		const row = {...at(label), keepers, condition: 'running'} as const;
		expect([endsText(row, 10), endsText(row, 8)]).toEqual(texts);
		expect(endsMeaning(row)).toBe(texts[0]?.includes('?') || label === 'x' ? 'warning' : 'quiet');
	},
);
