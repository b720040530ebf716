import type {Binding} from '../bindings.ts';

/** What the keys of a question act on. */
export type DialogTarget = {
	readonly yes: () => void;
	readonly no: () => void;
	readonly moveFocus: () => void;
	/** Presses the button that has the focus. */
	readonly press: () => void;
	readonly scroll: (step: 1 | -1) => void;
	/** Moves the cursor through what the question is about. */
	readonly choose: (step: 1 | -1) => void;
	/** Leaves out what the cursor is on, or takes it in again; a blank in what is typed already. */
	readonly toggle: () => void;
};

type Bindings = ReadonlyArray<Binding<DialogTarget>>;

const lists: Bindings = [
	{
		keys: ['PgDn'],
		id: 'further-down-the-list',
		title: 'further down the list',
		run: target => target.scroll(1),
	},
	{
		keys: ['PgUp'],
		id: 'further-up-the-list',
		title: 'further up the list',
		run: target => target.scroll(-1),
	},
];

const choosing: Bindings = [
	{
		keys: ['Space'],
		id: 'leave-it-out',
		title: 'leave it out, or take it in again',
		hint: 'in or out',
		run: target => target.toggle(),
	},
	{keys: ['Down'], id: 'down-the-list', title: 'down the list', run: target => target.choose(1)},
	{keys: ['Up'], id: 'up-the-list', title: 'up the list', run: target => target.choose(-1)},
];

const otherButton = (keys: readonly string[]): Bindings => [
	{
		keys: ['Tab', 'Shift-Tab', ...keys],
		id: 'the-other-button',
		title: 'the other button',
		hint: 'other button',
		run: target => target.moveFocus(),
	},
];

const yes: Bindings = [
	{keys: ['y'], id: 'yes', title: 'yes', hint: 'yes', isChange: true, run: target => target.yes()},
	{keys: ['n', 'Esc', 'Ctrl-C'], id: 'no', title: 'no', hint: 'no', run: target => target.no()},
];

const no: Bindings = [
	{keys: ['Esc', 'Ctrl-C'], id: 'no', title: 'no', hint: 'no', run: target => target.no()},
];

const press = (hint: string): Bindings => [
	{
		keys: ['Enter'],
		id: 'press-the-button-with-the-cursor',
		title: 'press the button with the cursor',
		hint,
		isChange: true,
		run: target => target.press(),
	},
];

/** The keys of a question that y answers. */
export const dialogBindings: Bindings = [
	...yes,
	...otherButton(['Left', 'Right', 'Up', 'Down']),
	...press('press it'),
	...lists,
];

/** The keys of a question that is answered by typing, which every letter is taken for. */
export const typedDialogBindings: Bindings = [
	...press('press the button'),
	...otherButton(['Up', 'Down']),
	...no,
	...lists,
];

/** The same of a question about things that can be left out. */
export const choosingDialogBindings: Bindings = [
	...choosing,
	...yes,
	...otherButton(['Left', 'Right']),
	...press('press it'),
	...lists,
];

export const typedChoosingDialogBindings: Bindings = [
	...choosing,
	...press('press the button'),
	...otherButton([]),
	...no,
	...lists,
];

/** What the keys of a list of choices act on, beside those that the list itself takes. */
export type ChoiceTarget = {readonly close: () => void};

export const choiceBindings: ReadonlyArray<Binding<ChoiceTarget>> = [
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		id: 'leave-it-as-it-is',
		title: 'leave it as it is',
		hint: 'as it was',
		run: target => target.close(),
	},
];
