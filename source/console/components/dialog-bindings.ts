import type {Binding} from '../bindings.ts';

/** What the keys of a question act on. */
export type DialogTarget = {
	readonly yes: () => void;
	readonly no: () => void;
	readonly moveFocus: () => void;
	/** Presses the button that has the focus. */
	readonly press: () => void;
	readonly scroll: (step: 1 | -1) => void;
};

type Bindings = ReadonlyArray<Binding<DialogTarget>>;

const lists: Bindings = [
	{keys: ['PgDn'], title: 'further down the list', run: target => target.scroll(1)},
	{keys: ['PgUp'], title: 'further up the list', run: target => target.scroll(-1)},
];

/** The keys of a question that y answers. */
export const dialogBindings: Bindings = [
	{keys: ['y'], title: 'yes', hint: 'yes', isChange: true, run: target => target.yes()},
	{keys: ['n', 'Esc', 'Ctrl-C'], title: 'no', hint: 'no', run: target => target.no()},
	{
		keys: ['Tab', 'Shift-Tab', 'Left', 'Right', 'Up', 'Down'],
		title: 'the other button',
		hint: 'other button',
		run: target => target.moveFocus(),
	},
	{
		keys: ['Enter'],
		title: 'press the button with the cursor',
		hint: 'press it',
		isChange: true,
		run: target => target.press(),
	},
	...lists,
];

/** The keys of a question that is answered by typing, which every letter is taken for. */
export const typedDialogBindings: Bindings = [
	{
		keys: ['Enter'],
		title: 'press the button with the cursor',
		hint: 'press the button',
		isChange: true,
		run: target => target.press(),
	},
	{
		keys: ['Tab', 'Shift-Tab', 'Up', 'Down'],
		title: 'the other button',
		hint: 'other button',
		run: target => target.moveFocus(),
	},
	{keys: ['Esc', 'Ctrl-C'], title: 'no', hint: 'no', run: target => target.no()},
	...lists,
];

/** What the keys of a list of choices act on, beside those that the list itself takes. */
export type ChoiceTarget = {readonly close: () => void};

export const choiceBindings: ReadonlyArray<Binding<ChoiceTarget>> = [
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		title: 'leave it as it is',
		hint: 'as it was',
		run: target => target.close(),
	},
];
