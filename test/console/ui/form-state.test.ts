import {expect, test} from 'vitest';
import {
	applyEdit,
	beginEdit,
	cancelEdit,
	changedFields,
	findProblem,
	goToField,
	moveRow,
	nextChoice,
	openForm,
	pasteIntoForm,
	formRowsOf,
	toggleSection,
	typeIntoForm,
	undoField,
	fieldValueOf,
	type FormField,
	type FormSpec,
	type FormState,
} from '../../../source/console/ui/form-state.ts';

const label: FormField = {id: 'label', label: 'label', kind: 'text'};
const disk: FormField = {
	id: 'disk',
	label: 'disk GB',
	kind: 'text',
	problem: text => (Number(text) >= 8 ? undefined : 'at least 8'),
};
const direct: FormField = {id: 'direct', label: 'direct', kind: 'flag'};
const mode: FormField = {id: 'mode', label: 'mode', kind: 'choice', choices: ['ssh', 'args']};
const token: FormField = {id: 'token', label: 'token', kind: 'secret', section: 'registry'};
const spec: FormSpec = {
	fields: [label, disk, direct, mode, token],
	buttons: [{id: 'save', title: 'Save'}],
};
const values = {label: 'train', disk: '40', direct: 'no', mode: 'ssh', token: ''};
const open = () => openForm(spec, values);

function type(state: FormState, ...keys: readonly string[]): FormState {
	return keys.reduce((now, key) => typeIntoForm(spec, now, key) ?? now, state);
}

test('the fields of a folded section are not there to go to, until it is unfolded', () => {
	const ids = (state: FormState) => formRowsOf(spec, state).map(({id}) => id);
	expect(ids(open())).toEqual([
		'label',
		'disk',
		'direct',
		'mode',
		'section registry',
		'button save',
	]);
	expect(ids(toggleSection(open(), 'registry'))).toContain('token');
	expect(ids(goToField(spec, open(), 'token'))).toContain('token');
});

test('the cursor stops at both ends', () => {
	expect(moveRow(spec, open(), -1).at).toBe('label');
	expect(moveRow(spec, open(), 100).at).toBe('button save');
});

test('what is typed becomes the value when it is taken, and not before', () => {
	const typing = type(beginEdit(open(), 'label'), '2');
	expect(fieldValueOf(typing, 'label')).toBe('train');
	expect(fieldValueOf(applyEdit(spec, typing), 'label')).toBe('train2');
	expect(fieldValueOf(cancelEdit(typing), 'label')).toBe('train');
});

test('a value that is not accepted is kept for correction, and the reason goes with the correction', () => {
	const refused = applyEdit(spec, type(beginEdit(open(), 'disk'), 'Backspace'));
	expect(refused.problems).toEqual({disk: 'at least 8'});
	expect(refused.editing?.text).toBe('4');
	const accepted = applyEdit(spec, type(refused, '8'));
	expect(accepted.problems).toEqual({});
	expect(fieldValueOf(accepted, 'disk')).toBe('48');
	expect(cancelEdit(refused).problems).toEqual({});
});

test('a pasted line break does not take the value, and what is no text takes no paste', () => {
	const pasted = pasteIntoForm(spec, beginEdit(open(), 'label'), '-a\nq\n');
	expect(pasted?.editing?.text).toBe('train-a q ');
	expect(pasteIntoForm(spec, openForm(spec, values, 'mode'), 'x')).toBeUndefined();
});

const letter = (id: string, key: string) => fieldValueOf(type(openForm(spec, values, id), key), id);

test('a letter chooses the next value that begins with it, and changes nothing where none does', () => {
	expect([letter('direct', 'Y'), letter('direct', 'x'), letter('mode', 's')]).toEqual([
		'yes',
		'no',
		'ssh',
	]);
});

test('flags and choices go round', () => {
	const flagged = nextChoice(open(), direct);
	expect(fieldValueOf(flagged, 'direct')).toBe('yes');
	expect(fieldValueOf(nextChoice(flagged, direct), 'direct')).toBe('no');
	expect(fieldValueOf(nextChoice(nextChoice(open(), mode), mode), 'mode')).toBe('ssh');
});

test('only what differs from the beginning counts as changed, and a field can be undone alone', () => {
	const changed = nextChoice(nextChoice(open(), direct), mode);
	expect(changedFields(spec, changed).map(({id}) => id)).toEqual(['direct', 'mode']);
	expect(changedFields(spec, undoField(changed, 'mode')).map(({id}) => id)).toEqual(['direct']);
	expect(changedFields(spec, nextChoice(nextChoice(open(), direct), direct))).toEqual([]);
});

test('a field that cannot be sent is found, wherever it is', () => {
	expect(findProblem(spec, open())).toBeUndefined();
	expect(findProblem(spec, {...open(), values: {...values, disk: 'x'}})).toEqual({
		id: 'disk',
		problem: 'at least 8',
	});
});
