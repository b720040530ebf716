import {expect, test} from 'vitest';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {
	MOST_UNDOABLE,
	addUndoable,
	readUndoables,
	settingChanges,
	takenBack,
	undoTextsOf,
	type Undoable,
} from '../../../source/renter/actions/undo.ts';

const label = (at: number, before: string, after: string, id = 7): Undoable => ({
	kind: 'label',
	at,
	id,
	before,
	after,
});

test('the newest change comes first, and the oldest go when there are too many', () => {
	const many = Array.from({length: MOST_UNDOABLE + 5}, (_, at) => label(at, 'a', 'b', at));
	const list = many.reduce<readonly Undoable[]>(addUndoable, []);
	expect(list).toHaveLength(MOST_UNDOABLE);
	expect(list[0]).toEqual(many.at(-1));
});

test('changes of one thing shortly after each other are one, and back where it began they are none', () => {
	const one = addUndoable([], label(0, 'a', 'b'));
	expect(addUndoable(one, label(59_000, 'b', 'c'))).toEqual([label(59_000, 'a', 'c')]);
	expect(addUndoable(one, label(59_000, 'b', 'a'))).toEqual([]);
	expect(addUndoable(one, label(61_000, 'b', 'c'))).toHaveLength(2);
	expect(addUndoable(one, label(1000, 'b', 'c', 8))).toHaveLength(2);
});

test('of a patch of settings only what it changes is noted', () => {
	const patch = {theme: 'light', diskGb: defaultSettings.diskGb} as const;
	expect(settingChanges(defaultSettings, patch, 5)).toEqual([
		{kind: 'setting', at: 5, name: 'theme', before: 'default', after: 'light'},
	]);
});

const cheap = {name: 'cheap', words: 'price<1'};
const dear = {name: 'dear', words: 'price>1'};
const other = {name: 'other', words: 'h100'};

test.each([
	['a value', 'light', 'default', 'light', 'default'],
	['a value changed since', 'mono', 'default', 'light', 'default'],
	['a search removed', [other], [cheap, other], [other], [other, cheap]],
	['a search added, and another since', [cheap, other], [], [cheap], [other]],
	['a search there again', [cheap], [cheap], [], [cheap]],
	['a key chosen, and another since', {a: 'x', b: 'y'}, {}, {a: 'x'}, {b: 'y'}],
	['a key replaced', {a: 'y', b: 'z'}, {a: 'x'}, {a: 'y'}, {a: 'x', b: 'z'}],
] as const)('%s is taken back without what came later', (_, present, before, after, back) => {
	expect(takenBack(present, before, after)).toEqual(back);
});

test('each change says what it was about, and what would be so again', () => {
	const template = {name: 'torch', image: 'torch:2'};
	const at = 0;
	expect(
		[
			label(0, '', 'b'),
			{kind: 'template', at, id: 3, before: template, after: undefined} as const,
			{kind: 'template', at, id: 3, before: template, after: 'abc'} as const,
			{
				kind: 'setting',
				at,
				name: 'searches',
				before: [cheap, other],
				after: [other, dear],
			} as const,
			{kind: 'setting', at, name: 'theme', before: 'light', after: 'mono'} as const,
		].map(undoTextsOf),
	).toEqual([
		{what: 'label', about: '7 b', back: 'no label'},
		{what: 'template deleted', about: 'torch', back: 'made anew from torch:2'},
		{what: 'template edited', about: 'torch', back: 'torch:2, as before'},
		{what: 'saved searches', about: 'searches', back: '+cheap -dear'},
		{what: 'setting', about: 'theme', back: '"light"'},
	]);
});

test('of a file only what can be read is taken', () => {
	const good = label(1, 'a', 'b');
	const broken = [{...good, id: 'x'}, {kind: 'template', at: 1, before: {}}, 7, null];
	expect(readUndoables({changes: [good, ...broken]})).toEqual([good]);
	for (const json of [undefined, null, [], {changes: 1}]) expect(readUndoables(json)).toEqual([]);
});
