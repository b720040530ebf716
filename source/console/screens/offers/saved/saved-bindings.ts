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
		id: 'search-with-these-words',
		title: 'search with these words',
		hint: 'search',
		run: target => target.apply(),
		unavailable: empty,
	},
	{keys: ['j', 'Down'], id: 'down', title: 'down', run: target => target.move(1)},
	{keys: ['k', 'Up'], id: 'up', title: 'up', run: target => target.move(-1)},
	{
		keys: ['g', 'Home'],
		id: 'first',
		title: 'first',
		run: target => target.move(Number.NEGATIVE_INFINITY),
	},
	{
		keys: ['G', 'End'],
		id: 'last',
		title: 'last',
		run: target => target.move(Number.POSITIVE_INFINITY),
	},
	{
		keys: ['n'],
		id: 'save-the-present-words-under-a-name',
		title: 'save the present words under a name',
		hint: 'save',
		run: target => target.saveNew(),
	},
	{
		keys: ['m'],
		id: 'watch-the-present-words-for-a-price',
		title: 'watch the present words for a price',
		hint: 'watch',
		run: target => target.watch(),
	},
	{
		keys: ['x'],
		id: 'remove-it-from-the-list',
		title: 'remove it from the list',
		hint: 'remove',
		isChange: true,
		run: target => target.remove(),
		unavailable: empty,
	},
	{
		keys: ['Esc', 'q', 'b'],
		id: 'close-the-list',
		title: 'close the list',
		hint: 'close',
		run: target => target.close(),
	},
];

/** What the keys of the line act on, in which a name or a price is typed. */
export type EntryTarget = {readonly accept: () => void; readonly leave: () => void};

export const entryBindings: ReadonlyArray<Binding<EntryTarget>> = [
	{keys: ['Enter'], id: 'keep-it', title: 'keep it', hint: 'keep', run: target => target.accept()},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-it',
		title: 'leave it',
		hint: 'leave',
		run: target => target.leave(),
	},
];
