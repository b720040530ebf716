import type {Bindings} from './bindings.ts';
import type {FormTarget} from './form-target.ts';

/** More rows than any form has. */
const ALL = 1000;

export const formBindings: Bindings<FormTarget> = [
	{
		keys: ['Tab', 'j', 'Down', 'Right'],
		id: 'next-field',
		title: 'next field',
		hint: 'next',
		run: form => form.move(1),
	},
	{
		keys: ['Shift-Tab', 'k', 'Up', 'Left'],
		id: 'previous-field',
		title: 'previous field',
		run: form => form.move(-1),
	},
	{keys: ['g', 'Home'], id: 'first-field', title: 'first field', run: form => form.move(-ALL)},
	{keys: ['G', 'End'], id: 'last-button', title: 'last button', run: form => form.move(ALL)},
	{
		keys: ['Enter'],
		id: 'edit-the-field',
		title: 'edit the field, or press the button',
		hint: 'edit',
		isChange: true,
		run: form => form.enter(),
	},
	{
		keys: ['Space'],
		id: 'the-next-choice',
		title: 'the next choice',
		hint: 'toggle',
		run: form => form.toggle(),
		unavailable: form => form.toggleUnavailable(),
	},
	{
		keys: ['Ctrl-E'],
		id: 'open-editor',
		title: 'edit the field in your editor',
		hint: '$EDITOR',
		run: form => form.openEditor(),
		unavailable: form => form.editorUnavailable(),
	},
	{
		keys: ['u', 'Ctrl-U'],
		id: 'undo-field',
		title: 'undo the changes of this field',
		hint: 'undo field',
		run: form => form.undo(),
		unavailable: form => form.undoUnavailable(),
	},
];

/** Keys of a form with changes that would be lost. */
export const changedFormBindings: Bindings<FormTarget> = [
	...formBindings,
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		id: 'leave-form',
		title: 'leave the form; it asks',
		hint: 'leave (asks)',
		run: form => form.leave(),
	},
];

/** The keys of a field that is being edited. All others are typed. */
export const fieldBindings: Bindings<FormTarget> = [
	{
		keys: ['Enter'],
		id: 'take-text',
		title: 'take what was typed',
		hint: 'take it',
		run: form => form.apply(0),
	},
	{
		keys: ['Tab', 'Down'],
		id: 'take-and-next',
		title: 'take it and go to the next field',
		hint: 'take it, next',
		run: form => form.apply(1),
	},
	{
		keys: ['Shift-Tab', 'Up'],
		id: 'take-and-previous',
		title: 'take it and go to the previous field',
		run: form => form.apply(-1),
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-field',
		title: 'leave the field as it was',
		hint: 'as it was',
		run: form => form.cancel(),
	},
];

export type PromptTarget = {
	readonly send: () => void;
	readonly close: () => void;
	/** Goes so many lines back among the ones sent before. */
	readonly recall: (step: 1 | -1) => void;
};

export const promptBindings: Bindings<PromptTarget> = [
	{
		keys: ['Enter'],
		id: 'send-it',
		title: 'send it',
		hint: 'send',
		isChange: true,
		run: prompt => prompt.send(),
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'cancel',
		title: 'leave it as it is',
		hint: 'leave',
		run: prompt => prompt.close(),
	},
];

/** Keys of a field that knows the lines sent before. */
export const recallingPromptBindings: Bindings<PromptTarget> = [
	...promptBindings,
	{
		keys: ['Up'],
		id: 'the-one-before',
		title: 'the one sent before',
		hint: 'before',
		run: prompt => prompt.recall(1),
	},
	{
		keys: ['Down'],
		id: 'the-one-after',
		title: 'the one sent after',
		run: prompt => prompt.recall(-1),
	},
];
