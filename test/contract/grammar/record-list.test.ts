import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {openRecordReader} from '../../../source/contract/grammar/list-reply.ts';
import {
	joinUnreadable,
	MOST_NAMED,
	type UnreadRecord,
} from '../../../source/contract/grammar/unreadable.ts';
import {tolerant} from '../../../source/contract/grammar/tolerant.ts';
import {id} from '../../../source/contract/grammar/values.ts';

const thing = tolerant({id}, {name: z.string()});

function readAll(sent: readonly unknown[], hasIds = true) {
	const reader = openRecordReader(thing, {hasIds});
	reader.take(sent);
	return {ids: reader.records.map(record => record.id), unreadable: reader.unreadable()};
}

const broken: ReadonlyArray<readonly [sent: unknown, left: Omit<UnreadRecord, 'index'>]> = [
	[null, {name: undefined, why: 'it is null'}],
	[7, {name: undefined, why: 'it is 7'}],
	['7', {name: undefined, why: 'it is text'}],
	[[{id: 7}], {name: undefined, why: 'it is a list'}],
	[{}, {name: undefined, why: 'id is missing'}],
	[{id: '7'}, {name: 'id 7', why: 'id is text'}],
	[{id: -1}, {name: 'id -1', why: 'id is -1'}],
	[JSON.parse('{"__proto__":{"id":7}}'), {name: undefined, why: 'id is missing'}],
	[{name: 'PyTorch 2.6'}, {name: 'name PyTorch 2.6', why: 'id is missing'}],
	[
		{id: {}, hash_id: 'a1b2'},
		{name: 'hash_id a1b2', why: 'id is an object'},
	],
	[{name: 'x\u001B[2J'}, {name: undefined, why: 'id is missing'}],
	[
		{name: 'n'.repeat(41), label: 'mine'},
		{name: 'label mine', why: 'id is missing'},
	],
	[{id: 1}, {name: 'id 1', why: 'its id is that of number 1'}],
];

test.each(broken)('%j is left out of a list', (sent, left) => {
	expect(readAll([{id: 1}, sent, {id: 2}])).toEqual({
		ids: [1, 2],
		unreadable: {count: 1, of: 3, first: [{index: 1, ...left}]},
	});
});

test('records without ids of their own may be the same', () => {
	expect(readAll([{id: 1}, {id: 1}], false)).toEqual({
		ids: [1, 1],
		unreadable: {count: 0, of: 2, first: []},
	});
});

test('of many broken records all are counted and the first are named', () => {
	const {ids, unreadable} = readAll([...Array.from({length: 100_000}, () => null), {id: 1}]);
	expect(ids).toEqual([1]);
	expect(unreadable).toMatchObject({count: 100_000, of: 100_001, first: {length: MOST_NAMED}});
});

const anything = fc.array(
	fc.oneof(fc.jsonValue(), fc.record({id: fc.oneof(fc.nat(9), fc.jsonValue())})),
);

test('whatever is sent, each record is read or counted, and what can be read is not lost', () => {
	fc.assert(
		fc.property(anything, fc.boolean(), (sent, hasIds) => {
			const alone = sent.map(record => readAll([structuredClone(record)]).ids).flat();
			const {ids, unreadable} = readAll(structuredClone(sent), hasIds);
			expect(ids).toEqual(hasIds ? [...new Set(alone)] : alone);
			expect(ids.length + unreadable.count).toBe(sent.length);
			expect(unreadable.of).toBe(sent.length);
			expect(unreadable.first).toHaveLength(Math.min(unreadable.count, MOST_NAMED));
			for (const {index, name = '', why} of unreadable.first) {
				expect(index).toBeLessThan(sent.length);
				expect(name + why).toMatch(/^[\w .:/+-]+$/);
			}
		}),
	);
});

test('what is read in parts, by one reader or by several, adds up to the whole', () => {
	fc.assert(
		fc.property(anything, fc.nat(10), (sent, cut) => {
			const parts = [sent.slice(0, cut), sent.slice(cut)] as const;
			const reader = openRecordReader(thing);
			for (const part of structuredClone(parts)) reader.take(part);
			const whole = readAll(structuredClone(sent), false);
			expect(reader.records.map(record => record.id)).toEqual(whole.ids);
			expect(reader.unreadable()).toEqual(whole.unreadable);
			const [first, second] = parts.map(part => readAll(structuredClone(part), false).unreadable);
			if (first === undefined || second === undefined) expect.fail('two parts');
			expect(joinUnreadable(first, second)).toEqual(whole.unreadable);
		}),
	);
});
