import {expect, test} from 'vitest';
import {
	endsAtOf,
	endsSentence,
	endsText,
} from '../../../../source/console/screens/instances/ends.ts';
import {isEndless} from '../../../../source/renter/leases/held.ts';

const now = 1_795_000_000_000;
const at = (label: string) => ({instance: {id: 7, label}, now});

test.each([
	['', 'no end', 'no end'],
	['x [lease1 td k]', 'keep', 'no end, and no budget stops it'],
	['x [lease1 e1795021500 td]', '5h58', 'for 5h58m then destroy'],
	['x [lease1 e1795021500 i1800 td k]', 'keep 5h', 'for 5h58m idle 30m then destroy keep'],
	['x [lease1 e1795000600 td k]', 'keep 10m', 'for 10m then destroy keep'],
	['x [lease1 e1794999999 td k]', 'keep late', 'for 0s then destroy keep'],
	['x [lease1 e1795021500 i1800 td]', '5h58+', 'for 5h58m idle 30m then destroy'],
	['x [lease1 i1800 ts]', 'idle 30m', 'idle 30m then stop'],
	['x [lease1 c20 tsd]', 'at $20', 'until $20 then stop-destroy'],
	['x [lease1 e1794999999 td]', 'late', 'for 0s then destroy'],
	['x [lease9 what]', '?', 'a lease that cannot be read: nothing is ended by it here'],
])('the label %j shows as %s', (label, text, sentence) => {
	expect([endsText(at(label)), endsSentence(at(label))]).toEqual([text, sentence]);
	expect(isEndless(at(label).instance)).toBe(text === 'no end' || text === 'keep');
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
