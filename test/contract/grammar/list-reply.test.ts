import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {contract} from '../../../source/contract/index.ts';
import {bareList, listReply} from '../../../source/contract/grammar/list-reply.ts';
import {noneUnreadable} from '../../../source/contract/grammar/unreadable.ts';
import {tolerant} from '../../../source/contract/grammar/tolerant.ts';
import {id} from '../../../source/contract/grammar/values.ts';

const thing = tolerant({id}, {});
const whole = z.looseObject({total: z.optional(z.number()), things: z.optional(z.array(thing))});
const reply = listReply(whole, {name: 'things', record: thing, hasIds: true});

test('a list reply has its other fields, the records that can be read, and what is known of the others', () => {
	expect(z.parse(reply, {total: 3, more: 'x', things: [{id: 1}, null, {id: 3}]})).toEqual({
		total: 3,
		more: 'x',
		things: [{id: 1}, {id: 3}],
		unreadable: {count: 1, of: 3, first: [{index: 1, name: undefined, why: 'it is null'}]},
	});
});

test('what a service says under the name of the count is not believed', () => {
	const sent = {things: [], unreadable: {count: -1, of: 'all', first: null}};
	expect(z.parse(reply, sent).unreadable).toEqual(noneUnreadable);
});

test('a list that may be missing has nothing that could not be read', () => {
	expect(z.parse(reply, {total: 0})).toEqual({total: 0, unreadable: noneUnreadable});
});

const unfit: ReadonlyArray<readonly [sent: unknown, path: readonly string[]]> = [
	[{things: {id: 1}}, ['things']],
	[{things: 'none'}, ['things']],
	[{things: null}, ['things']],
	[{things: [{id: 1}], total: 'all'}, ['total']],
	[[{id: 1}], []],
	[null, []],
];

test.each(unfit)('a reply %j is no list, and its place at %j says so', (sent, path) => {
	expect(z.safeParse(reply, sent).error?.issues[0]?.path).toEqual(path);
});

test('a list by itself is read as a field', () => {
	const list = bareList('things', thing);
	expect(z.parse(list, [{id: 1}, {}])).toEqual({
		things: [{id: 1}],
		unreadable: {count: 1, of: 2, first: [{index: 1, name: undefined, why: 'id is missing'}]},
	});
	expect(z.safeParse(list, {things: []}).success).toBe(false);
});

test('what is kept under names is read name by name', () => {
	const schema = contract.secrets.list.replies[200];
	const sent: unknown = JSON.parse('{"secrets":{"A":"*","B":7,"C":null,"__proto__":"x","x;y":[]}}');
	const {secrets, unreadable} = z.parse(schema, sent);
	expect(Object.entries(secrets)).toEqual([
		['A', '*'],
		['C', null],
		['__proto__', 'x'],
	]);
	expect(unreadable).toEqual({
		count: 2,
		of: 5,
		first: [
			{index: 1, name: 'name B', why: 'value is 7'},
			{index: 4, name: undefined, why: 'value is a list'},
		],
	});
	expect(z.safeParse(schema, {secrets: ['A']}).success).toBe(false);
});

test('names of GPUs that are no text are left out', () => {
	const {gpuNames} = contract.offers;
	expect(z.parse(gpuNames.replies[200], {gpu_names: ['H100', 4090, null]})).toMatchObject({
		gpu_names: ['H100'],
		unreadable: {count: 2, of: 3, first: [{why: 'it is 4090'}, {why: 'it is null'}]},
	});
});
