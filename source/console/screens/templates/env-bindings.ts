import type {Binding} from '../../bindings.ts';

/** What the keys of an environment act on. */
export type EnvTarget = {
	readonly move: (by: number) => void;
	readonly edit: () => void;
	readonly add: () => void;
	readonly remove: () => void;
	readonly editLine: () => void;
	readonly done: () => void;
	readonly restore: () => void;
	/** Why there is no entry to act on; undefined where there is. */
	readonly missing: () => string | undefined;
};

const ALL = 10_000;

export const envBindings: ReadonlyArray<Binding<EnvTarget>> = [
	{keys: ['j', 'Down', 'Tab'], id: 'down', title: 'down', run: target => target.move(1)},
	{keys: ['k', 'Up', 'Shift-Tab'], id: 'up', title: 'up', run: target => target.move(-1)},
	{keys: ['g', 'Home'], id: 'first', title: 'first', run: target => target.move(-ALL)},
	{keys: ['G', 'End'], id: 'last', title: 'last', run: target => target.move(ALL)},
	{
		keys: ['Enter'],
		id: 'edit-the-entry',
		title: 'edit the entry',
		hint: 'edit',
		run: target => target.edit(),
		unavailable: target => target.missing(),
	},
	{
		keys: ['n'],
		id: 'new-entry',
		title: 'new entry: NAME=value or -p 8080:80',
		hint: 'new',
		run: target => target.add(),
	},
	{
		keys: ['x'],
		id: 'remove-the-entry',
		title: 'remove the entry',
		hint: 'remove',
		run: target => target.remove(),
		unavailable: target => target.missing(),
	},
	{
		keys: ['e'],
		id: 'edit-all-as-docker-flags',
		title: 'edit all as Docker flags',
		hint: 'as flags',
		run: target => target.editLine(),
	},
	{
		keys: ['u'],
		id: 'all-as-it-was',
		title: 'all as it was',
		hint: 'undo',
		run: target => target.restore(),
	},
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		id: 'back-to-the-form-with-these',
		title: 'back to the form with these',
		hint: 'back',
		run: target => target.done(),
	},
];

/** What the keys of an entry that is typed act on. */
export type EnvEntryTarget = {readonly apply: () => void; readonly cancel: () => void};

export const envEntryBindings: ReadonlyArray<Binding<EnvEntryTarget>> = [
	{
		keys: ['Enter'],
		id: 'take-what-was-typed',
		title: 'take what was typed',
		hint: 'take it',
		run: target => target.apply(),
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-it-as-it-was',
		title: 'leave it as it was',
		hint: 'as it was',
		run: target => target.cancel(),
	},
];
