import type {Bindings} from './bindings.ts';
import type {DialogTarget} from './dialog-target.ts';

const pages: Bindings<DialogTarget> = [
	{
		keys: ['PgDn', 'Ctrl-F'],
		id: 'read-on',
		title: 'read on',
		run: dialog => dialog.scroll(1, 'page'),
	},
	{keys: ['PgUp'], id: 'read-back', title: 'read back', run: dialog => dialog.scroll(-1, 'page')},
];

const lines: Bindings<DialogTarget> = [
	{
		keys: ['Down'],
		id: 'a-line-down',
		title: 'a line down',
		run: dialog => dialog.scroll(1, 'line'),
	},
	{keys: ['Up'], id: 'a-line-up', title: 'a line up', run: dialog => dialog.scroll(-1, 'line')},
	...pages,
];

const choosing: Bindings<DialogTarget> = [
	{
		keys: ['Space'],
		id: 'leave-it-out',
		title: 'leave it out, or take it in again',
		hint: 'in or out',
		run: dialog => dialog.toggle(),
	},
	{
		keys: ['r'],
		id: 'replace',
		title: 'rent an equal one in the place of each, or not',
		hint: 'replace',
		run: dialog => dialog.typeOrToggleExtra(),
		unavailable: dialog => dialog.noExtra(),
	},
	{
		keys: ['Ctrl-R'],
		id: 'replace-while-typing',
		title: 'the same, also while something is typed',
		run: dialog => dialog.toggleExtra(),
		unavailable: dialog => dialog.noExtra(),
	},
	{keys: ['Down'], id: 'down-the-list', title: 'down the list', run: dialog => dialog.choose(1)},
	{keys: ['Up'], id: 'up-the-list', title: 'up the list', run: dialog => dialog.choose(-1)},
];

const otherButton = (keys: readonly string[]): Bindings<DialogTarget> => [
	{
		keys: ['Tab', 'Shift-Tab', ...keys],
		id: 'the-other-button',
		title: 'the other button',
		hint: 'other button',
		run: dialog => dialog.moveFocus(),
	},
];

const yes: Bindings<DialogTarget> = [
	{keys: ['y'], id: 'yes', title: 'yes', hint: 'yes', isChange: true, run: dialog => dialog.yes()},
	{keys: ['n', 'Esc', 'Ctrl-C'], id: 'no', title: 'no', hint: 'no', run: dialog => dialog.no()},
];

const no: Bindings<DialogTarget> = [
	{keys: ['Esc', 'Ctrl-C'], id: 'no', title: 'no', hint: 'no', run: dialog => dialog.no()},
];

const press = (hint: string): Bindings<DialogTarget> => [
	{
		keys: ['Enter'],
		id: 'press-button',
		title: 'press the button with the cursor',
		hint,
		isChange: true,
		run: dialog => dialog.press(),
	},
];

/** The keys of a question that y answers. */
export const dialogBindings: Bindings<DialogTarget> = [
	...yes,
	...otherButton(['Left', 'Right']),
	...press('press it'),
	...lines,
];

/** The keys of a question that is answered by typing, in which every letter is text. */
export const typedDialogBindings: Bindings<DialogTarget> = [
	...press('press the button'),
	...otherButton([]),
	...no,
	...lines,
];

/** The keys of a question whose targets can be left out. */
export const choosingDialogBindings: Bindings<DialogTarget> = [
	...choosing,
	...yes,
	...otherButton(['Left', 'Right']),
	...press('press it'),
	...pages,
];

export const typedChoosingDialogBindings: Bindings<DialogTarget> = [
	...choosing,
	...press('press the button'),
	...otherButton([]),
	...no,
	...pages,
];

type ChoiceTarget = {readonly close: () => void};

export const choiceBindings: Bindings<ChoiceTarget> = [
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		id: 'cancel',
		title: 'leave it as it is',
		hint: 'as it was',
		run: choice => choice.close(),
	},
];

/** The keys of a text on the whole screen. */
export const wholeTextBindings: Bindings<ChoiceTarget> = [
	{keys: ['Esc', 'q', 'Enter'], id: 'back', title: 'back', hint: 'back', run: text => text.close()},
];

export type SecretTarget = {
	readonly copy: () => void;
	/** Asks for a file for the secret. */
	readonly name: () => void;
	readonly leave: () => void;
};

export const secretBindings: Bindings<SecretTarget> = [
	{keys: ['y', 'c'], id: 'copy-it', title: 'copy it', hint: 'copy', run: secret => secret.copy()},
	{
		keys: ['w'],
		id: 'keep-it',
		title: 'keep it, in a file that you alone can read',
		hint: 'keep in a file',
		run: secret => secret.name(),
	},
	{
		keys: ['Esc', 'Enter', 'q', 'Ctrl-C'],
		id: 'leave-it',
		title: 'leave it: it is not shown again',
		hint: 'leave',
		// A key typed ahead must not lose a secret that was not seen yet.
		isChange: true,
		run: secret => secret.leave(),
	},
];

export type SecretFileTarget = {readonly keep: () => void; readonly back: () => void};

export const secretFileBindings: Bindings<SecretFileTarget> = [
	{
		keys: ['Enter'],
		id: 'write-the-file',
		title: 'write the file',
		hint: 'write it',
		run: file => file.keep(),
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'back-to-key',
		title: 'back to the key',
		hint: 'back',
		run: file => file.back(),
	},
];
