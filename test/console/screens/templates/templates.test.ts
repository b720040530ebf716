import {expect, test} from 'vitest';
import type {Template} from '../../../../source/contract/nouns/templates.ts';
import {lastUsed} from '../../../../source/console/screens/templates/list-state.ts';
import {
	fullImage,
	idOf,
	lastUsedFirst,
	launch,
	templateOriginOf,
	withTexts,
} from '../../../../source/renter/templates/templates.ts';

const template = (fields: Partial<Template>): Template => ({hash_id: 'a'.repeat(32), ...fields});

test('the own ones come first, and among them what was used last', () => {
	const templates = [
		template({id: 1, creator_id: 9, recent_create_date: 300}),
		template({id: 2, creator_id: 7, recent_create_date: 100}),
		template({id: 3, creator_id: 7, recent_create_date: 200}),
		template({id: 4, creator_id: 7}),
	];
	expect(lastUsedFirst(templates, 7).map(({id}) => id)).toEqual([3, 2, 4, 1]);
	expect(lastUsedFirst(templates, undefined).map(({id}) => id)).toEqual([1, 3, 2, 4]);
});

test.each([
	[{creator_id: 7, recommended: true}, 'mine'],
	[{creator_id: 1, recommended: true}, 'market'],
	[{creator_id: 1}, 'other'],
	[{}, 'other'],
] as const)('%j is of %s', (fields, owner) => {
	expect(templateOriginOf(template(fields), 7)).toBe(owner);
});

test.each([
	[{image: 'a/b', tag: '2'}, 'a/b:2'],
	[{image: 'a/b:1', tag: '2'}, 'a/b:1'],
	[{image: 'host:5000/a/b', tag: '2'}, 'host:5000/a/b:2'],
	[{image: 'a/b@sha256:0', tag: '2'}, 'a/b@sha256:0'],
	[{image: 'a/b'}, 'a/b'],
	[{}, '-'],
])('of %j the image is %s', (fields, image) => {
	expect(fullImage(template(fields))).toBe(image);
});

test.each([
	[{runtype: 'ssh', ssh_direct: true}, 'ssh d'],
	[{runtype: 'ssh'}, 'ssh p'],
	[{runtype: 'jupyter', jup_direct: true}, 'jup d'],
	[{runtype: 'args', ssh_direct: true}, 'args'],
	[{runtype: 'ssh_direct'}, 'ssh d'],
	[{runtype: 'jupyter_proxy ssh_proxy'}, 'jup p'],
	[{runtype: 'hologram'}, 'hologram'],
	[{}, '-'],
])('%j is launched as %s', (fields, mode) => {
	expect(launch(template(fields))).toBe(mode);
});

test('words are looked for in name, image and description, all of them, whatever their case', () => {
	const templates = [
		template({id: 1, name: 'PyTorch', image: 'a/b', desc: 'CUDA 12'}),
		template({id: 2, name: 'vLLM', image: 'v/torch'}),
	];
	expect(withTexts(templates, ['TORCH']).map(({id}) => id)).toEqual([1, 2]);
	expect(withTexts(templates, ['torch', 'cuda']).map(({id}) => id)).toEqual([1]);
});

test('what was never used has no age, and no zero', () => {
	const now = new Date(1_000_000_000_000);
	expect(lastUsed(template({recent_create_date: 999_996_400}), now)).toBe('1h');
	expect(lastUsed(template({recent_create_date: 0}), now)).toBe('-');
	expect(lastUsed(template({}), now)).toBe('-');
});

test('a template without a number is told apart by its hash', () => {
	const [a, b] = [template({}), template({hash_id: 'b'.repeat(32)})];
	expect(idOf(a)).toBeLessThan(0);
	expect(idOf(a)).not.toBe(idOf(b));
});
