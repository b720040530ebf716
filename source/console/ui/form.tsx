import {Text} from 'ink';
import {KeyScope} from './key-scope.tsx';
import type {Store} from '../../renter/state/store.ts';
import type {Theme} from './theme.ts';
import {
	changedFormBindings,
	fieldBindings,
	formBindings,
	type FormTarget,
} from './form-bindings.ts';
import {formLines, type Describe} from './form-lines.ts';
import {
	applyEdit,
	beginEdit,
	cancelEdit,
	changedFields,
	fieldAt,
	isChanged,
	moveRow,
	nextChoice,
	pasteIntoForm,
	rowAt,
	toggleSection,
	typeIntoForm,
	undoField,
	type FormField,
	type FormSpec,
	type FormState,
} from './form-state.ts';
import {Typing} from './typing.tsx';
import {useStore} from './use-store.ts';

/** Actions that a form requests from its owner. */
export type FormActions = {
	/** Enter on a field that is changed somewhere else, or on a choice. */
	readonly onOpen: (field: FormField) => void;
	/** Long text is for the user's own editor. */
	readonly onEditor: (field: FormField) => void;
	readonly onPress: (button: string) => void;
	/** Leaving would lose changes. */
	readonly onLeave: () => void;
};

type Props = FormActions & {
	readonly title: string;
	readonly spec: FormSpec;
	readonly form: Store<FormState>;
	readonly describe: Describe;
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
};

/** Fields in rows, one of which has the cursor. Its state is outside, so that it outlives a look elsewhere. */
export function Form({title, spec, form, describe, theme, width, height, ...actions}: Props) {
	const state = useStore(form);
	const isEditing = state.editing !== undefined;
	const isDirty = changedFields(spec, state).length > 0;
	const take = (next: FormState | undefined) => {
		if (next !== undefined) form.set(next);
		return next !== undefined;
	};
	const keys = isEditing ? fieldBindings : isDirty ? changedFormBindings : formBindings;
	return (
		<KeyScope
			title={isEditing ? 'Field' : title}
			bindings={keys}
			target={formTarget(spec, form, actions)}
			isModal={isEditing}
			{...(isEditing && {
				// What is typed was taken already; no other key gets past the field.
				onText: () => true,
			})}
		>
			<Typing
				takesCharacters={fieldAt(spec, state) !== undefined}
				onKey={key => take(typeIntoForm(spec, form.get(), key))}
				onPaste={text => take(pasteIntoForm(spec, form.get(), text))}
			>
				<Text wrap="truncate">
					{formLines(spec, state, {describe, theme, width, height}).join('\n')}
				</Text>
			</Typing>
		</KeyScope>
	);
}

function formTarget(spec: FormSpec, form: Store<FormState>, actions: FormActions): FormTarget {
	const fieldHere = () => fieldAt(spec, form.get());
	const isToggle = () => ['flag', 'choice'].includes(fieldHere()?.kind ?? '');
	return {
		move: by => form.set(moveRow(spec, form.get(), by)),
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
			isChanged(form.get(), form.get().at) ? undefined : 'this field was not changed',
		apply(by) {
			const next = applyEdit(spec, form.get());
			form.set(next.editing === undefined ? moveRow(spec, next, by) : next);
		},
		cancel: () => form.set(cancelEdit(form.get())),
		leave: actions.onLeave,
	};
}

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
