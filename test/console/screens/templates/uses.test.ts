import {expect, test} from 'vitest';
import {unseenFleet} from '../../../../source/renter/fleet/fleet-state.ts';
import {
	newDraft,
	editDraft,
	describeSaving,
} from '../../../../source/console/screens/templates/draft.ts';
import {usesOf, usesTexts} from '../../../../source/renter/templates/templates.ts';

const template = {id: 1, hash_id: 'a'.repeat(32), name: 't', image: 'a/b', tag: '2'};
const unused = usesOf(template, unseenFleet, {templateHash: null, templateLeases: {}});

test('boots of the image of a template are counted for it, and how long they usually take', () => {
	const boots = {'image a/b:2': [60_000, 180_000, 120_000], 'image a/b:3': [1]};
	const uses = usesOf(
		template,
		{...unseenFleet, boots},
		{
			templateHash: template.hash_id,
			templateLeases: {[template.hash_id]: 'idle 1h then stop'},
		},
	);
	expect(usesTexts(uses)).toEqual([
		'your usual one',
		'rentals end: idle 1h then stop',
		'3 boots, usually 2m',
	]);
	expect(usesTexts(unused)).toEqual([]);
});

test('before a template is saved it is said who follows the new hash, and who keeps the old one', () => {
	const draft = editDraft(template);
	expect(describeSaving(draft, unused)[0]).toBe('Saving makes a new hash in place of ..aaaa.');
	expect(describeSaving(draft, {...unused, isUsual: true, instances: 2})[0]).toBe(
		'Saving makes a new hash in place of ..aaaa; your usual one follows; 2 instances keep the old one.',
	);
	expect(describeSaving(newDraft(), unused)[0]).toBe('Nothing is sent before Create.');
});
