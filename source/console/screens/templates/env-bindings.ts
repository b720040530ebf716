import type {Bindings} from '../../ui/bindings.ts';

/** Target of an environment's keys. */
export type EnvTarget = {
	readonly move: (by: number) => void;
	readonly edit: () => void;
	readonly add: () => void;
	readonly remove: () => void;
	readonly editLine: () => void;
	readonly done: () => void;
	readonly restore: () => void;
	/** Reason why there is no entry; undefined where there is one. */
	readonly missing: () => string | undefined;
};

const ALL = 10_000;

export const envBindings: Bindings<EnvTarget> = [
	{keys: ['j', 'Down', 'Tab'], id: 'down', title: 'down', does: ['move', 1]},
	{keys: ['k', 'Up', 'Shift-Tab'], id: 'up', title: 'up', does: ['move', -1]},
	{keys: ['g', 'Home'], id: 'first', title: 'first', does: ['move', -ALL]},
	{keys: ['G', 'End'], id: 'last', title: 'last', does: ['move', ALL]},
	{
		keys: ['Enter'],
		id: 'edit-the-entry',
		title: 'edit the entry',
		hint: 'edit',
		does: 'edit',
		unavailable: 'missing',
	},
	{
		keys: ['n'],
		id: 'new-entry',
		title: 'new entry: NAME=value or -p 8080:80',
		hint: 'new',
		does: 'add',
	},
	{
		keys: ['x'],
		id: 'remove-the-entry',
		title: 'remove the entry',
		hint: 'remove',
		does: 'remove',
		unavailable: 'missing',
	},
	{
		keys: ['e'],
		id: 'edit-all-as-docker-flags',
		title: 'edit all as Docker flags',
		hint: 'as flags',
		does: 'editLine',
	},
	{keys: ['u'], id: 'all-as-it-was', title: 'all as it was', hint: 'undo', does: 'restore'},
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		id: 'back-to-the-form-with-these',
		title: 'back to the form with these',
		hint: 'back',
		does: 'done',
	},
];

/** Target of the keys while an entry is typed. */
type EnvEntryTarget = {readonly apply: () => void; readonly cancel: () => void};

export const envEntryBindings: Bindings<EnvEntryTarget> = [
	{
		keys: ['Enter'],
		id: 'take-what-was-typed',
		title: 'take what was typed',
		hint: 'take it',
		does: 'apply',
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-it-as-it-was',
		title: 'leave it as it was',
		hint: 'as it was',
		does: 'cancel',
	},
];
