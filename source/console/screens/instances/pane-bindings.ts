import type {Bindings} from '../../bindings.ts';

/** What the keys of a pane on the whole screen act on. */
export type ZoomedTarget = {
	readonly close: () => void;
	readonly next: () => void;
	readonly scroll: (step: 1 | -1) => void;
};

export const zoomedBindings: Bindings<ZoomedTarget> = [
	{
		keys: ['z', 'Esc', 'q'],
		id: 'back-to-the-list',
		title: 'back to the list',
		hint: 'list',
		does: 'close',
	},
	{
		keys: ['i'],
		id: 'the-next-pane',
		title: 'the next pane: money, events, raw',
		hint: 'next pane',
		does: 'next',
	},
	{keys: ['j', 'Down', 'PgDn'], id: 'further-down', title: 'further down', does: ['scroll', 1]},
	{keys: ['k', 'Up', 'PgUp'], id: 'further-up', title: 'further up', does: ['scroll', -1]},
];
