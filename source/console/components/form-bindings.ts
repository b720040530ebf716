import type {Binding} from '../bindings.ts';

/** What the keys of a form act on. */
export type FormTarget = {
	readonly move: (by: number) => void;
	/** Edits the field with the cursor, opens or presses it. */
	readonly enter: () => void;
	readonly toggle: () => void;
	/** Why Space does nothing here; undefined where it does something. */
	readonly toggleUnavailable: () => string | undefined;
	/** Opens the field in the user's editor. */
	readonly openEditor: () => void;
	readonly editorUnavailable: () => string | undefined;
	readonly undo: () => void;
	readonly undoUnavailable: () => string | undefined;
	/** Takes what was typed, and goes on by so many rows. */
	readonly apply: (by: number) => void;
	readonly cancel: () => void;
	readonly leave: () => void;
};

type Bindings = ReadonlyArray<Binding<FormTarget>>;

/** More rows than any form has. */
const ALL = 1000;

export const formBindings: Bindings = [
	{
		keys: ['Tab', 'j', 'Down', 'Right'],
		id: 'next-field',
		title: 'next field',
		hint: 'next',
		run: target => target.move(1),
	},
	{
		keys: ['Shift-Tab', 'k', 'Up', 'Left'],
		id: 'previous-field',
		title: 'previous field',
		run: target => target.move(-1),
	},
	{keys: ['g', 'Home'], id: 'first-field', title: 'first field', run: target => target.move(-ALL)},
	{keys: ['G', 'End'], id: 'last-button', title: 'last button', run: target => target.move(ALL)},
	{
		keys: ['Enter'],
		id: 'edit-the-field',
		title: 'edit the field, or press the button',
		hint: 'edit',
		isChange: true,
		run: target => target.enter(),
	},
	{
		keys: ['Space'],
		id: 'the-next-choice',
		title: 'the next choice',
		hint: 'toggle',
		run: target => target.toggle(),
		unavailable: target => target.toggleUnavailable(),
	},
	{
		keys: ['Ctrl-E'],
		id: 'edit-the-field-in-your-editor',
		title: 'edit the field in your editor',
		hint: '$EDITOR',
		run: target => target.openEditor(),
		unavailable: target => target.editorUnavailable(),
	},
	{
		keys: ['u', 'Ctrl-U'],
		id: 'undo-the-changes-of-this-field',
		title: 'undo the changes of this field',
		hint: 'undo field',
		run: target => target.undo(),
		unavailable: target => target.undoUnavailable(),
	},
];

/** These are the form's while it holds changes that would be lost. */
export const changedFormBindings: Bindings = [
	...formBindings,
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		id: 'leave-the-form-it-asks',
		title: 'leave the form; it asks',
		hint: 'leave (asks)',
		run: target => target.leave(),
	},
];

/** The keys of a field that is being edited. All others are typed. */
export const fieldBindings: Bindings = [
	{
		keys: ['Enter'],
		id: 'take-what-was-typed',
		title: 'take what was typed',
		hint: 'take it',
		run: target => target.apply(0),
	},
	{
		keys: ['Tab', 'Down'],
		id: 'take-it-and-go-to-the-next-field',
		title: 'take it and go to the next field',
		hint: 'take it, next',
		run: target => target.apply(1),
	},
	{
		keys: ['Shift-Tab', 'Up'],
		id: 'take-it-and-go-to-the-previous-field',
		title: 'take it and go to the previous field',
		run: target => target.apply(-1),
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-the-field-as-it-was',
		title: 'leave the field as it was',
		hint: 'as it was',
		run: target => target.cancel(),
	},
];

/** What the keys of a field for one line act on. */
export type PromptTarget = {readonly send: () => void; readonly close: () => void};

export const promptBindings: ReadonlyArray<Binding<PromptTarget>> = [
	{
		keys: ['Enter'],
		id: 'send-it',
		title: 'send it',
		hint: 'send',
		isChange: true,
		run: target => target.send(),
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-it-as-it-is',
		title: 'leave it as it is',
		hint: 'leave',
		run: target => target.close(),
	},
];
