import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {completeTemplate, contentNames} from '../../../source/contract/nouns/template-content.ts';
import {
	readCanonicalContent,
	hashedText,
	usableContent,
} from '../../../source/market/templates/record-rules.ts';

const content = completeTemplate({
	name: 'T',
	image: 'a/b',
	extra_filters: {b: {y: 1, x: 2}, a: [1]},
});

test('the order of keys makes no other text, and every field does', () => {
	const text = hashedText(content, 1);
	const turned = {...Object.fromEntries(Object.entries(content).toReversed()), ...content};
	expect(hashedText({...turned, extra_filters: {a: [1], b: {x: 2, y: 1}}}, 1)).toBe(text);
	expect(hashedText(content, 2)).not.toBe(text);
	for (const name of contentNames) {
		expect(hashedText({...content, [name]: 'other'}, 1)).not.toBe(text);
	}
});

test('what is not said in a template makes no other text', () => {
	const more = {...content, id: 7, recommended: true, created_at: 5};
	expect(hashedText(more, 1)).toBe(hashedText(content, 1));
});

test('the content is read back from its text', () => {
	fc.assert(
		fc.property(fc.string({unit: 'grapheme'}), fc.jsonValue(), (desc, value) => {
			const said = {...content, desc, extra_filters: {value}};
			expect(JSON.parse(JSON.stringify(readCanonicalContent(hashedText(said, 3))))).toEqual(
				JSON.parse(JSON.stringify(said)),
			);
		}),
	);
});

test.each([
	[{creatorId: 1, isPublic: false, private: true}, true],
	[{creatorId: 1, isPublic: true, private: false}, true],
	[{creatorId: 2, isPublic: true, private: false}, true],
	[{creatorId: 2, isPublic: true, private: true}, false],
	[{creatorId: 2, isPublic: false, private: false}, false],
])('%j can be used: %s', ({creatorId, isPublic, private: isPrivate}, isUsable) => {
	const said = {...content, private: isPrivate};
	const snapshot = {content: hashedText(said, creatorId), creatorId, isPublic};
	expect(usableContent(snapshot, 1) !== undefined).toBe(isUsable);
});
