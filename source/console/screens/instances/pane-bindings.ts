import type {Binding} from '../../bindings.ts';

/** What the keys of a pane on the whole screen act on. */
export type ZoomedTarget = {
	readonly close: () => void;
	readonly next: () => void;
	readonly scroll: (step: 1 | -1) => void;
};

export const zoomedBindings: ReadonlyArray<Binding<ZoomedTarget>> = [
	{
		keys: ['z', 'Esc', 'q'],
		id: 'back-to-the-list',
		title: 'back to the list',
		hint: 'list',
		run: target => target.close(),
	},
	{
		keys: ['i'],
		id: 'the-next-pane',
		title: 'the next pane: money, events, raw',
		hint: 'next pane',
		run: target => target.next(),
	},
	{
		keys: ['j', 'Down', 'PgDn'],
		id: 'further-down',
		title: 'further down',
		run: target => target.scroll(1),
	},
	{
		keys: ['k', 'Up', 'PgUp'],
		id: 'further-up',
		title: 'further up',
		run: target => target.scroll(-1),
	},
];
