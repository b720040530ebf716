import type {Store} from '../../renter/state/store.ts';
import {
	applyEdit,
	beginEdit,
	cancelEdit,
	fieldAt,
	isFieldChanged,
	moveRow,
	nextChoice,
	rowAt,
	toggleSection,
	undoField,
	type FormField,
	type FormSpec,
	type FormState,
} from './form-state.ts';

export type FormActions = {
	/** Called for Enter on a choice, or on a field that another screen changes. */
	readonly onOpen: (field: FormField) => void;
	/** Opens a long text in the user's own editor. */
	readonly onEditor: (field: FormField) => void;
	readonly onPress: (button: string) => void;
	/** Called when leaving would lose changes. */
	readonly onLeave: () => void;
};

export type FormTarget = ReturnType<typeof formTarget>;

export function formTarget(spec: FormSpec, form: Store<FormState>, actions: FormActions) {
	const fieldHere = () => fieldAt(spec, form.get());
	const isToggle = () => ['flag', 'choice'].includes(fieldHere()?.kind ?? '');
	return {
		move: (by: number) => form.set(moveRow(spec, form.get(), by)),
		enter: () => enter(spec, form, actions),
		toggle() {
			const field = fieldHere();
			if (field !== undefined) form.set(nextChoice(form.get(), field));
		},
		toggleUnavailable: () => (isToggle() ? undefined : 'this is not one of a few; Enter edits it'),
		openEditor() {
			const field = fieldHere();
			if (field !== undefined) actions.onEditor(field);
		},
		editorUnavailable: () =>
			fieldHere()?.kind === 'long' ? undefined : 'this field is one line; Enter edits it',
		undo() {
			const field = fieldHere();
			if (field !== undefined) form.set(undoField(form.get(), field.id));
		},
		undoUnavailable: () =>
			isFieldChanged(form.get(), form.get().at) ? undefined : 'this field was not changed',
		/** Takes the typed text, and moves by so many rows. */
		apply(by: number) {
			const next = applyEdit(spec, form.get());
			form.set(next.editing === undefined ? moveRow(spec, next, by) : next);
		},
		cancel: () => form.set(cancelEdit(form.get())),
		leave: actions.onLeave,
	};
}

/** Edits the field with the cursor, opens or presses it. */
function enter(spec: FormSpec, form: Store<FormState>, actions: FormActions): void {
	const row = rowAt(spec, form.get());
	if (row === undefined) return;
	if (row.kind === 'button') return actions.onPress(row.button.id);
	if (row.kind === 'section') return form.set(toggleSection(form.get(), row.title));
	switch (row.field.kind) {
		case 'text':
		case 'secret':
			return form.set(beginEdit(form.get(), row.id));
		case 'flag':
			return form.set(nextChoice(form.get(), row.field));
		case 'choice':
		case 'opens':
			return actions.onOpen(row.field);
		case 'long':
			return actions.onEditor(row.field);
	}
}
