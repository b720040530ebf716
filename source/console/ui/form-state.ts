/** A form: fields with texts for values, the cursor, and the text being typed. */
import {characterOf, type Key} from '../terminal/input/keys.ts';
import {editLine, emptyLine, insertText, newLineEdit, type LineEdit} from './line-edit.ts';

/**
 * Kind of a field. A flag is `yes` or `no`; a choice has a few values; `long` is text of several lines,
 * for an editor; a field that `opens` is changed on another screen.
 */
type FieldKind = 'text' | 'secret' | 'flag' | 'choice' | 'long' | 'opens';

export type FormField = {
	readonly id: string;
	readonly label: string;
	readonly kind: FieldKind;
	/** Section that folds the field; without one it is above all sections. */
	readonly section?: string;
	readonly choices?: readonly string[];
	/** Reason why a text is refused, as a sentence without its full stop. */
	readonly problem?: (text: string) => string | undefined;
};

type FormButton = {readonly id: string; readonly title: string};

export type FormSpec = {
	readonly fields: readonly FormField[];
	readonly buttons: readonly FormButton[];
	/** Summaries of folded sections, by their titles. */
	readonly summaries?: FormValues;
};

export type FormValues = Readonly<Record<string, string>>;

export type FormState = {
	readonly values: FormValues;
	readonly initial: FormValues;
	/** The row with the cursor. */
	readonly at: string;
	/** The text of the field with the cursor, while it is edited. */
	readonly editing: LineEdit | undefined;
	/** Problems by field. */
	readonly problems: FormValues;
	/** The sections whose fields are shown. */
	readonly unfolded: readonly string[];
};

export type FormRow =
	| {readonly kind: 'field'; readonly id: string; readonly field: FormField}
	| {
			readonly kind: 'section';
			readonly id: string;
			readonly title: string;
			readonly isOpen: boolean;
	  }
	| {readonly kind: 'button'; readonly id: string; readonly button: FormButton};

export function openForm(spec: FormSpec, values: FormValues, at?: string): FormState {
	const first = spec.fields[0]?.id ?? spec.buttons[0]?.id ?? '';
	return {
		values,
		initial: values,
		at: at ?? first,
		editing: undefined,
		problems: {},
		unfolded: [],
	};
}

/** Rows from top to bottom: the fields, each section with its own, the buttons. */
export function formRowsOf(spec: FormSpec, {unfolded}: FormState): readonly FormRow[] {
	const titles = new Set(spec.fields.flatMap(({section}) => section ?? []));
	const sections = [...titles].flatMap(title => {
		const isOpen = unfolded.includes(title);
		const heading: FormRow = {kind: 'section', id: sectionId(title), title, isOpen};
		const fields = spec.fields.filter(({section}) => section === title).map(fieldRow);
		return isOpen ? [heading, ...fields] : [heading];
	});
	return [
		...spec.fields.filter(({section}) => section === undefined).map(fieldRow),
		...sections,
		...spec.buttons.map((button): FormRow => ({kind: 'button', id: buttonId(button), button})),
	];
}

const fieldRow = (field: FormField): FormRow => ({kind: 'field', id: field.id, field});
const sectionId = (title: string) => `section ${title}`;
const buttonId = ({id}: FormButton) => `button ${id}`;

export function rowAt(spec: FormSpec, state: FormState): FormRow | undefined {
	return formRowsOf(spec, state).find(({id}) => id === state.at);
}

/** Moves the cursor, never past the ends. */
export function moveRow(spec: FormSpec, state: FormState, by: number): FormState {
	const rows = formRowsOf(spec, state);
	const from = rows.findIndex(({id}) => id === state.at);
	const to = Math.max(0, Math.min(from + by, rows.length - 1));
	return {...state, at: rows[to]?.id ?? state.at, editing: undefined};
}

/** Goes to a field, and unfolds the section that it is in. */
export function goToField(spec: FormSpec, state: FormState, id: string): FormState {
	const section = spec.fields.find(field => field.id === id)?.section;
	const isHidden = section !== undefined && !state.unfolded.includes(section);
	return {
		...state,
		at: id,
		editing: undefined,
		unfolded: isHidden ? [...state.unfolded, section] : state.unfolded,
	};
}

export function fieldValueOf({values}: Pick<FormState, 'values'>, id: string): string {
	return values[id] ?? '';
}

/** Gives a field a value, and clears its problem. */
export function setValue(state: FormState, id: string, value: string): FormState {
	const {[id]: _, ...problems} = state.problems;
	return {...state, values: {...state.values, [id]: value}, problems};
}

export function beginEdit(state: FormState, id: string): FormState {
	return {...state, at: id, editing: newLineEdit(fieldValueOf(state, id))};
}

/** The field with the cursor; undefined on a section or a button. */
export function fieldAt(spec: FormSpec, state: FormState): FormField | undefined {
	const row = rowAt(spec, state);
	return row?.kind === 'field' ? row.field : undefined;
}

/**
 * Types into the field with the cursor: the first character replaces its value. Undefined without a
 * field, and for a key that types nothing.
 */
export function typeIntoForm(spec: FormSpec, state: FormState, key: Key): FormState | undefined {
	if (state.editing !== undefined) {
		const editing = editLine(state.editing, key);
		return editing === undefined ? undefined : {...state, editing};
	}
	const field = fieldAt(spec, state);
	const character = characterOf(key);
	if (field === undefined || character === undefined) return undefined;
	if (isLine(field)) return {...state, editing: insertText(emptyLine, character)};
	return character === ' ' ? undefined : chooseByLetter(state, field, character);
}

export function pasteIntoForm(
	spec: FormSpec,
	state: FormState,
	text: string,
): FormState | undefined {
	const field = fieldAt(spec, state);
	if (field === undefined || !isLine(field)) return undefined;
	return {...state, editing: insertText(state.editing ?? emptyLine, text)};
}

const isLine = ({kind}: FormField) => kind === 'text' || kind === 'secret';

/** Chooses the next value that begins with a letter; without one, the field stays as it is. */
function chooseByLetter(state: FormState, field: FormField, letter: string): FormState {
	const choices = choicesOf(field);
	const from = choices.indexOf(fieldValueOf(state, field.id)) + 1;
	const inTurn = [...choices.slice(from), ...choices.slice(0, from)];
	const next = inTurn.find(choice => choice.startsWith(letter.toLowerCase()));
	return next === undefined ? state : setValue(state, field.id, next);
}

function choicesOf({kind, choices = []}: FormField): readonly string[] {
	return kind === 'flag' ? ['no', 'yes'] : choices;
}

/** Takes the typed text as the value, or shows its problem and goes on editing. */
export function applyEdit(spec: FormSpec, state: FormState): FormState {
	const {editing, at} = state;
	if (editing === undefined) return state;
	const problem = spec.fields.find(({id}) => id === at)?.problem?.(editing.text);
	if (problem !== undefined) return withFieldProblem(state, at, problem);
	return {...setValue(state, at, editing.text), editing: undefined};
}

/** Leaves the field with the value that it had. */
export function cancelEdit(state: FormState): FormState {
	const {[state.at]: _, ...problems} = state.problems;
	return {...state, editing: undefined, problems};
}

export function withFieldProblem(state: FormState, id: string, problem: string): FormState {
	return {...state, problems: {...state.problems, [id]: problem}};
}

/** The next of the values that a flag or a choice can have. */
export function nextChoice(state: FormState, field: FormField): FormState {
	const choices = choicesOf(field);
	const from = choices.indexOf(fieldValueOf(state, field.id));
	const next = choices[(from + 1) % choices.length];
	return next === undefined ? state : setValue(state, field.id, next);
}

export function toggleSection(state: FormState, title: string): FormState {
	const {unfolded} = state;
	return {
		...state,
		unfolded: unfolded.includes(title)
			? unfolded.filter(open => open !== title)
			: [...unfolded, title],
	};
}

/** Gives a field back the value that the form was opened with. */
export function undoField(state: FormState, id: string): FormState {
	return setValue(state, id, fieldValueOf({values: state.initial}, id));
}

/** The fields whose values differ from those that the form was opened with. */
export function changedFields(spec: FormSpec, state: FormState): readonly FormField[] {
	return spec.fields.filter(({id}) => isFieldChanged(state, id));
}

export function isFieldChanged(state: FormState, id: string): boolean {
	return fieldValueOf(state, id) !== fieldValueOf({values: state.initial}, id);
}

/** Count of changes: "2 changes, not saved"; empty for none. */
export function unsavedText(spec: FormSpec, state: FormState): string {
	const count = changedFields(spec, state).length;
	if (count === 0) return '';
	return count === 1 ? '1 change, not saved' : `${count} changes, not saved`;
}

/** True if something was typed since the form was sent. */
export function isTypedSince(spec: FormSpec, state: FormState, sent: FormState): boolean {
	const isOpen = state.editing !== undefined;
	return isOpen || changedFields(spec, {...state, initial: sent.values}).length > 0;
}

/** The user's own changes, laid over other values to begin with. */
export function rebaseForm(form: FormState, initial: FormValues): FormState {
	const mine = Object.entries(form.values).filter(([id, value]) => form.initial[id] !== value);
	return {...form, initial, values: {...initial, ...Object.fromEntries(mine)}};
}

export function findProblem(
	spec: FormSpec,
	state: FormState,
): {readonly id: string; readonly problem: string} | undefined {
	for (const {id, problem: check} of spec.fields) {
		const problem = check?.(fieldValueOf(state, id));
		if (problem !== undefined) return {id, problem};
	}
	return undefined;
}
