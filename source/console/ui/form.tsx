/** A form on the screen: in each row a field's name, its value and the value's source. */
import type {ReactNode} from 'react';
import {count} from '../../renter/text/format.ts';
import {fit, printable} from '../../renter/text/text-width.ts';
import type {Meaning, Theme} from './theme.ts';
import {
	isFieldChanged,
	formRowsOf,
	fieldValueOf,
	type FormField,
	type FormRow,
	type FormSpec,
	type FormState,
	changedFields,
	fieldAt,
	pasteIntoForm,
	rowAt,
	typeIntoForm,
} from './form-state.ts';
import {characterOf, type Key} from '../terminal/input/keys.ts';
import {formatLineEdit} from './line-edit.ts';
import {KeyScope, Typing} from './key-scope.tsx';
import type {Store} from '../../renter/state/store.ts';
import {changedFormBindings, fieldBindings, formBindings} from './form-bindings.ts';
import {formTarget, type FormActions} from './form-target.ts';
import {buttonAt} from './chrome.ts';
import {Clicked, useStore} from './painted.tsx';

export type FieldText = {
	/** The value as it is read: "812 of 4048" for a text that is too long to show. */
	readonly value: string;
	/** Source of the value, the replaced value, or its rule. */
	readonly note: string;
	/** The note is about money or data, and is not to be passed over. */
	readonly isWarning?: boolean;
};

export type Describe = (field: FormField, state: FormState) => FieldText;

type Props = FormActions & {
	readonly title: string;
	readonly spec: FormSpec;
	readonly form: Store<FormState>;
	readonly describe: Describe;
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
};

/**
 * Fields in rows, one of which has the cursor. The state is outside, so that it outlives a visit
 * elsewhere.
 */
export function Form({title, spec, form, describe, theme, width, height, ...actions}: Props) {
	const state = useStore(form);
	const isEditing = state.editing !== undefined;
	const isDirty = changedFields(spec, state).length > 0;
	const take = (next: FormState | undefined) => {
		if (next !== undefined) form.set(next);
		return next !== undefined;
	};
	const lines = formLines(spec, state, {describe, theme, width, height});
	const keys = isEditing ? fieldBindings : isDirty ? changedFormBindings : formBindings;

	/** Puts the cursor on what is clicked, and presses buttons, and what has the cursor already. */
	function click(line: number, column: number): Key | undefined {
		const now = form.get();
		const place = lines[line];
		if (place === undefined || now.editing !== undefined) return undefined;
		const {ids, text} = place;
		const button = ids.find((id, at) => at === buttonAt(text, column) && isButton(spec, now, id));
		const [id] = button === undefined ? ids.filter(one => !isButton(spec, now, one)) : [button];
		if (id === undefined) return undefined;
		form.set({...now, at: id});
		return button !== undefined || now.at === id ? 'Enter' : undefined;
	}
	return (
		<KeyScope
			title={isEditing ? 'Field' : title}
			bindings={keys}
			target={formTarget(spec, form, actions)}
			isModal={isEditing}
			{...(isEditing && {
				// Text went to the field already; other keys end here.
				onText: () => true,
			})}
		>
			<Typing
				takesCharacters={fieldAt(spec, state) !== undefined}
				onKey={key => take(typeIntoForm(spec, form.get(), key))}
				onPaste={text => take(pasteIntoForm(spec, form.get(), text))}
			>
				<Clicked lines={lines.map(({text}) => text)} width={width} onClick={click} />
			</Typing>
		</KeyScope>
	);
}

/**
 * Letters outside a field are no commands of the console: a user who believes to be in a field
 * must not leave.
 */
export function FormLetters({children}: {readonly children: ReactNode}) {
	return <Typing onKey={key => /^[a-z]$/i.test(characterOf(key) ?? '')}>{children}</Typing>;
}

function isButton(spec: FormSpec, state: FormState, id: string): boolean {
	return rowAt(spec, {...state, at: id})?.kind === 'button';
}

type FormLayout = {
	readonly describe: Describe;
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
};

const GUTTER = 2;
const GAP = 2;
/** Share of the width for the value; the rest is for its source. */
const VALUE_SHARE = 0.48;

/** The rows that fit, with the one that has the cursor among them. */
function formLines(spec: FormSpec, state: FormState, layout: FormLayout): readonly Line[] {
	const rows = formRowsOf(spec, state);
	const [buttons, others] = [
		rows.filter(row => row.kind === 'button'),
		rows.filter(row => row.kind !== 'button'),
	];
	const lines = others.flatMap((row, index) => {
		const isBelowFields = row.kind === 'section' && others[index - 1]?.kind === 'field';
		const line = {ids: [row.id], text: drawRow(spec, state, row, layout)};
		return isBelowFields ? [blank, line] : [line];
	});
	const below = {
		ids: buttons.map(({id}) => id),
		text: buttons.map(row => drawRow(spec, state, row, layout)).join('  '),
	};
	const airy = buttons.length === 0 ? lines : [...lines, blank, below];
	const all = withoutGaps(airy, airy.length - layout.height);
	const cursor = all.findIndex(({ids}) => ids.includes(state.at));
	const lastTop = all.length - layout.height;
	const top = Math.max(0, Math.min(cursor - layout.height + 2, lastTop));
	return all.slice(top, top + layout.height);
}

type Line = {readonly ids: readonly string[]; readonly text: string};

const blank: Line = {ids: [], text: ' '};

/** Lines without so many gaps, the upper ones first, where space is short. */
function withoutGaps(lines: readonly Line[], tooMany: number): readonly Line[] {
	const gaps = lines.flatMap((line, at) => (line === blank ? [at] : []));
	const dropped = gaps.slice(0, Math.max(0, tooMany));
	return lines.filter((_, at) => !dropped.includes(at));
}

function drawRow(spec: FormSpec, state: FormState, row: FormRow, layout: FormLayout): string {
	const {theme, width} = layout;
	const hasCursor = row.id === state.at;
	const mark = hasCursor ? theme.glyphs.cursor : ' ';
	switch (row.kind) {
		case 'section': {
			const says = spec.summaries?.[row.title];
			const shows = `Enter shows ${sizeOf(spec, row.title)}`;
			const hint = row.isOpen ? 'Enter folds' : [says ?? [], shows].flat().join('  ');
			const sign = row.isOpen ? '-' : '+';
			const text = fit(`${sign} ${row.title.toUpperCase()}  ${hint}`, width - GUTTER);
			return hasCursor ? theme.row(` ${text}`) : `  ${theme.style('heading', text)}`;
		}
		case 'button': {
			const title = `[ ${row.button.title} ]`;
			return fit(mark, GUTTER) + (hasCursor ? theme.style('chosen', title) : title);
		}
		case 'field':
			return drawField(spec, state, row.field, layout);
	}
}

function sizeOf(spec: FormSpec, title: string): string {
	const size = spec.fields.filter(({section}) => section === title).length;
	return size === 1 ? 'one field' : `${size} fields`;
}

function drawField(spec: FormSpec, state: FormState, field: FormField, layout: FormLayout): string {
	const {theme, width} = layout;
	const names = Math.max(...spec.fields.map(({label}) => label.length)) + 1;
	const room = width - GUTTER - names - GAP;
	const hasCursor = field.id === state.at;
	const mark = hasCursor ? theme.glyphs.cursor : isFieldChanged(state, field.id) ? '*' : ' ';
	const label = fit(field.label, names);
	const lead = `${mark} ${theme.style(hasCursor ? 'strong' : 'quiet', label)}`;
	const problem = state.problems[field.id];
	if (hasCursor && state.editing !== undefined) {
		const says = problem ?? tooLong(state.editing.text, room);
		const tail = says === '' ? '' : `  ${says}`;
		const space = Math.max(Math.min(20, room), room - tail.length);
		const line = formatLineEdit(theme, state.editing, {
			width: space,
			hasFocus: true,
			isSecret: field.kind === 'secret',
		});
		const rest = fit(tail, room - space + GAP);
		return lead + line + (problem === undefined ? rest : theme.style('danger', rest));
	}
	const {value, note, isWarning} = layout.describe(field, state);
	const values = Math.max(8, Math.floor(room * VALUE_SHARE));
	const shown = fit(printable(value), values);
	const rest = fit(printable(problem ?? note), room - values);
	const remark = `  ${theme.style(noteMeaning(problem, isWarning), rest)}`;
	return hasCursor ? theme.row(` ${label}${shown}${remark}`) : lead + shown + remark;
}

function noteMeaning(problem: string | undefined, isWarning = false): Meaning {
	if (problem !== undefined) return 'danger';
	return isWarning ? 'warning' : 'quiet';
}

/** Length of a typed text that does not fit. */
function tooLong(text: string, room: number): string {
	return text.length > room ? `${count(text.length)} long` : '';
}

/** A flag as it is drawn: [x] or [ ]. */
export function checkbox(state: FormState, id: string): string {
	return fieldValueOf(state, id) === 'yes' ? '[x]' : '[ ]';
}
