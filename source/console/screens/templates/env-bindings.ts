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
	{keys: ['j', 'Down', 'Tab'], title: 'down', run: target => target.move(1)},
	{keys: ['k', 'Up', 'Shift-Tab'], title: 'up', run: target => target.move(-1)},
	{keys: ['g', 'Home'], title: 'first', run: target => target.move(-ALL)},
	{keys: ['G', 'End'], title: 'last', run: target => target.move(ALL)},
	{
		keys: ['Enter'],
		title: 'edit the entry',
		hint: 'edit',
		run: target => target.edit(),
		unavailable: target => target.missing(),
	},
	{
		keys: ['n'],
		title: 'new entry: NAME=value or -p 8080:80',
		hint: 'new',
		run: target => target.add(),
	},
	{
		keys: ['x'],
		title: 'remove the entry',
		hint: 'remove',
		run: target => target.remove(),
		unavailable: target => target.missing(),
	},
	{
		keys: ['e'],
		title: 'edit all as Docker flags',
		hint: 'as flags',
		run: target => target.editLine(),
	},
	{keys: ['u'], title: 'all as it was', hint: 'undo', run: target => target.restore()},
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		title: 'back to the form with these',
		hint: 'back',
		run: target => target.done(),
	},
];

/** What the keys of an entry that is typed act on. */
export type EnvEntryTarget = {readonly apply: () => void; readonly cancel: () => void};

export const envEntryBindings: ReadonlyArray<Binding<EnvEntryTarget>> = [
	{keys: ['Enter'], title: 'take what was typed', hint: 'take it', run: target => target.apply()},
	{
		keys: ['Esc', 'Ctrl-C'],
		title: 'leave it as it was',
		hint: 'as it was',
		run: target => target.cancel(),
	},
];
