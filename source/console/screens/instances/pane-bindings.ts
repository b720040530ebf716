import {scrollKeys} from '../../list/bindings.ts';
import type {Bindings} from '../../ui/bindings.ts';

type ZoomedTarget = {
	readonly close: () => void;
	readonly next: () => void;
	readonly scroll: (step: 1 | -1) => void;
};

export const zoomedBindings: Bindings<ZoomedTarget> = [
	{
		keys: ['z', 'Esc', 'q'],
		id: 'back-to-list',
		title: 'back to the list',
		hint: 'list',
		run: pane => pane.close(),
	},
	{
		keys: ['i'],
		id: 'the-next-pane',
		title: 'the next pane: money, events, raw',
		hint: 'next pane',
		run: pane => pane.next(),
	},
	...scrollKeys(),
];
