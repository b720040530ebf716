import {expect, test} from 'vitest';
import {
	completeTemplate,
	contentNames,
} from '../../../../source/contract/nouns/template-content.ts';
import {
	findProblem,
	openForm,
	setValue,
	fieldValueOf,
} from '../../../../source/console/ui/form-state.ts';
import {
	editDraft,
	changesElsewhere,
	rebase,
} from '../../../../source/console/screens/templates/draft.ts';
import {
	templateFields,
	changedContent,
	findRefusedField,
	templateSpecs,
	templateValues,
	wholeContent,
	wholeProblem,
} from '../../../../source/console/screens/templates/template-form.ts';

const spec = templateSpecs.edit;
const said = completeTemplate({
	name: 'torch',
	image: 'a/torch',
	tag: '2.6',
	env: '-e TZ=UTC -p 8080:80',
	runtype: 'ssh',
	recommended_disk_space: 40,
	private: false,
	extra_filters: {num_gpus: {gte: 2}, gpu_name: {in: ['RTX 4090', 'H100 PCIE']}},
	volume_info: {size: 50},
});
const torch = {
	...said,
	id: 7,
	hash_id: 'a'.repeat(32),
};
const open = () => openForm(spec, templateValues(torch));

test('every field that the service documents can be reached, and no other', () => {
	expect(templateFields.map(({id}) => id).toSorted()).toEqual(contentNames.toSorted());
	expect(templateFields.every(({rule}) => rule !== '')).toBe(true);
});

test('a form that nobody touched sends nothing, and says what the template said', () => {
	expect(changedContent(spec, open())).toEqual({});
	expect(wholeContent(open())).toEqual(said);
	expect(fieldValueOf(open(), 'extra_filters')).toBe(
		'num_gpus>=2 gpu_name in "RTX 4090","H100 PCIE"',
	);
});

test.each([
	['tag', '2.7', {tag: '2.7'}],
	['tag', '', {tag: ''}],
	['recommended_disk_space', '60', {recommended_disk_space: 60}],
	['ssh_direct', 'yes', {ssh_direct: true}],
	['runtype', 'jupyter', {runtype: 'jupyter'}],
	['extra_filters', '', {extra_filters: {}}],
	['extra_filters', 'cuda_max_good>=12.4', {extra_filters: {cuda_max_good: {gte: 12.4}}}],
	['extra_filters', '{"odd": 1}', {extra_filters: {odd: 1}}],
	['volume_info', '{"size": 60}', {volume_info: {size: 60}}],
	['docker_login_pass', 'geheim', {docker_login_pass: 'geheim'}],
] as const)('%s changed to %j is all that is sent', (id, text, changes) => {
	expect(changedContent(spec, setValue(open(), id, text))).toEqual(changes);
});

test.each([
	['name', ' ', 'required'],
	['image', '', 'required'],
	['recommended_disk_space', 'much', 'expected at least 8 GB'],
	['recommended_disk_space', '3', 'expected at least 8 GB'],
	['image', 'bad image name!!', 'expected a name of an image, like ubuntu:24.04'],
	['tag', 'x'.repeat(129), 'expected text of at most 128 characters'],
	['onstart', 'x'.repeat(4049), 'expected text of at most 4048 characters'],
	['extra_filters', 'speed>3', 'speed>3: speed is not a field'],
	['extra_filters', 'fast', '"fast" is no condition, like num_gpus>=2'],
	['volume_info', '{"size"', 'this is not JSON'],
	['volume_info', '[]', 'expected a JSON object, like {}'],
])('%s: %j is refused at its field before anything is sent', (id, text, problem) => {
	expect(findProblem(spec, setValue(open(), id, text))).toEqual({id, problem});
});

test('limits that two fields share are found, too', () => {
	const long = setValue(setValue(open(), 'onstart', 'x'.repeat(4000)), 'args_str', 'y'.repeat(100));
	expect(findProblem(spec, long)).toBeUndefined();
	expect(wholeProblem(long)?.problem).toContain('at most 4096 characters together');
});

test.each([
	['Template name is required', 'name'],
	['onstart: expected text of at most 4048 characters', 'onstart'],
	['args_str and onstart: expected at most 4096 characters together', 'onstart'],
	['the disk is full', undefined],
])('the refusal "%s" belongs to %s', (message, field) => {
	expect(findRefusedField(message)).toBe(field);
});

test('what was changed elsewhere is named, and one keeps only what one typed', () => {
	const draft = editDraft(torch);
	draft.form.set(setValue(draft.form.get(), 'tag', '2.7'));
	const present = {
		...torch,
		hash_id: 'b'.repeat(32),
		tag: '2.6.1',
		image: 'a/torch2',
		onstart: 'ls',
	};
	expect(changesElsewhere(draft, present)).toEqual([
		'image: a/torch is now a/torch2',
		'tag: 2.6 is now 2.6.1',
		'onstart is another',
	]);
	const rebased = rebase(draft, present);
	expect(rebased.opened).toBe(present);
	expect(changedContent(spec, rebased.form.get())).toEqual({tag: '2.7'});
	expect(fieldValueOf(rebased.form.get(), 'image')).toBe('a/torch2');
});
