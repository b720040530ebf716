import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {Refusal} from '../../../source/market/base/refusal.ts';
import {
	readPageToken,
	writePageToken,
	type PageKey,
} from '../../../source/market/base/page-token.ts';

const any = (key: PageKey): key is PageKey => Array.isArray(key);
const isText = (key: PageKey): key is readonly [string] => typeof key[0] === 'string';
const values = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)));

test('a token gives back what a page ended with', () => {
	fc.assert(
		fc.property(fc.jsonValue(), values, (query, last) => {
			const token = writePageToken(query, last);
			expect(token).toMatch(/^[\w-]+$/);
			expect(readPageToken(token, query, any)).toEqual(last);
		}),
	);
});

test('a token of another query, or of other values, is none', () => {
	const token = writePageToken({limit: 5}, [1, 'x']);
	const refused = new Refusal('badToken', 'Invalid pagination token');
	expect(() => readPageToken(token, {limit: 6}, any)).toThrow(refused);
	expect(() => readPageToken(token, {limit: 5}, isText)).toThrow(refused);
});

test('rubbish is refused', () => {
	fc.assert(
		fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json().map(btoa8)), token => {
			expect(() => readPageToken(token, {limit: 5}, any)).toThrow(Refusal);
		}),
	);
});

function btoa8(text: string): string {
	return Buffer.from(text).toString('base64url');
}
