import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {offer} from '../../../source/contract/nouns/offers.ts';
import {template} from '../../../source/contract/nouns/templates.ts';

const problems: ReadonlyArray<readonly [json: string, problem: string]> = [
	['null', 'it is null'],
	['7', 'it is 7'],
	['"7"', 'it is text'],
	['[{"id":7}]', 'it is a list'],
	['true', 'it is true'],
	['{}', 'id is missing'],
	['{"id":null}', 'id is null'],
	['{"id":"7"}', 'id is text'],
	['{"id":-1}', 'id is -1'],
	['{"id":12.5}', 'id is 12.5'],
	['{"id":1e999}', 'id is Infinity'],
	['{"id":9007199254740993}', 'id is 9007199254740992'],
	['{"id":[7]}', 'id is a list'],
	['{"id":{"7":7}}', 'id is an object'],
	['{"__proto__":{"id":7}}', 'id is missing'],
];

test.each(problems)('a record %s cannot be read: %s', (json, problem) => {
	const read = z.safeParse(offer, JSON.parse(json));
	expect(read.error?.issues).toMatchObject([{message: problem, path: []}]);
});

test('a record needs what is required of it and nothing else', () => {
	expect(z.parse(template, {hash_id: 'h', id: 'seven', name: null, aura: [1]})).toEqual({
		hash_id: 'h',
		id: undefined,
		name: null,
		aura: [1],
	});
	expect(z.safeParse(template, {name: 'a'}).error?.issues[0]?.message).toBe('hash_id is missing');
});

test('whatever JSON is sent, a record is read or refused in a sentence that repeats no text of it', () => {
	fc.assert(
		fc.property(fc.jsonValue(), sent => {
			const read = z.safeParse(offer, structuredClone(sent));
			if (read.success) expect(Number.isSafeInteger(read.data.id)).toBe(true);
			else expect(read.error.issues[0]?.message).toMatch(/^(it|id) is [\w .+-]+$/);
		}),
	);
});
