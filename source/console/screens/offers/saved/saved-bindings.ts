import type {Binding} from '../../../bindings.ts';

/** What the keys of the list of saved searches and watches act on. */
export type SavedTarget = {
	readonly move: (step: number) => void;
	readonly apply: () => void;
	readonly saveNew: () => void;
	readonly watch: () => void;
	readonly remove: () => void;
	readonly close: () => void;
	readonly isEmpty: () => boolean;
};

type Target = SavedTarget;

const empty = ({isEmpty}: Target) => (isEmpty() ? 'nothing is saved yet' : undefined);

export const savedBindings: ReadonlyArray<Binding<Target>> = [
	{
		keys: ['Enter'],
		title: 'search with these words',
		hint: 'search',
		run: target => target.apply(),
		unavailable: empty,
	},
	{keys: ['j', 'Down'], title: 'down', run: target => target.move(1)},
	{keys: ['k', 'Up'], title: 'up', run: target => target.move(-1)},
	{keys: ['g', 'Home'], title: 'first', run: target => target.move(Number.NEGATIVE_INFINITY)},
	{keys: ['G', 'End'], title: 'last', run: target => target.move(Number.POSITIVE_INFINITY)},
	{
		keys: ['n'],
		title: 'save the present words under a name',
		hint: 'save',
		run: target => target.saveNew(),
	},
	{
		keys: ['m'],
		title: 'watch the present words for a price',
		hint: 'watch',
		run: target => target.watch(),
	},
	{
		keys: ['x'],
		title: 'remove it from the list',
		hint: 'remove',
		isChange: true,
		run: target => target.remove(),
		unavailable: empty,
	},
	{keys: ['Esc', 'q', 'b'], title: 'close the list', hint: 'close', run: target => target.close()},
];

/** What the keys of the line act on, in which a name or a price is typed. */
export type EntryTarget = {readonly accept: () => void; readonly leave: () => void};

export const entryBindings: ReadonlyArray<Binding<EntryTarget>> = [
	{keys: ['Enter'], title: 'keep it', hint: 'keep', run: target => target.accept()},
	{keys: ['Esc', 'Ctrl-C'], title: 'leave it', hint: 'leave', run: target => target.leave()},
];
