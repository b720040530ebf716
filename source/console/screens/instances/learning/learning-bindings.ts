import type {Bindings} from '../../../ui/bindings.ts';
import {numbersKey} from '../../../ui/number-table.ts';
import {scaleKey} from '../../../list/bindings.ts';

/** Key methods of the page of a run. */
export type LearningTarget = {
	readonly read: (step: number) => void;
	readonly follow: () => void;
	readonly zoom: (step: 1 | -1) => void;
	readonly smooth: (step: 1 | -1) => void;
	readonly series: () => void;
	readonly scale: () => void;
	readonly runs: () => void;
	readonly pattern: () => void;
	readonly numbers: () => void;
	readonly look: () => void;
};

export const learningBindings: Bindings<LearningTarget> = [
	{
		keys: ['<', 'Left'],
		id: 'read-the-step-before',
		title: 'read the values before: the cursor stays at its step',
		hint: 'read',
		run: graph => graph.read(-1),
	},
	{
		keys: ['>', 'Right'],
		id: 'read-the-step-after',
		title: 'read the values after',
		run: graph => graph.read(1),
	},
	{
		keys: ['.'],
		id: 'only-the-last-half',
		title: 'only the last half of the steps',
		hint: 'zoom',
		run: graph => graph.zoom(1),
	},
	{
		keys: [','],
		id: 'more-of-the-steps',
		title: 'more of the steps',
		hint: 'all',
		run: graph => graph.zoom(-1),
	},
	{
		keys: [')'],
		id: 'smoother',
		title: 'a smoother curve',
		hint: 'smooth',
		run: graph => graph.smooth(1),
	},
	{keys: ['('], id: 'rougher', title: 'a rougher curve', run: graph => graph.smooth(-1)},
	{
		keys: ['Tab'],
		id: 'next-series',
		title: 'loss, or learning rate',
		hint: 'loss lr',
		run: graph => graph.series(),
	},
	{
		keys: ['='],
		id: 'runs-over-each-other',
		title: 'lay other runs over it: of all instances, and of the last 30 days',
		hint: 'runs',
		run: graph => graph.runs(),
	},
	scaleKey,
	numbersKey,
	{
		keys: ['*'],
		id: 'a-pattern-of-your-own',
		title: 'a pattern of your own for lines of logs, tried on this one before it is kept',
		run: graph => graph.pattern(),
	},
	{
		keys: ['G', 'End'],
		id: 'follow-the-last-step',
		title: 'to the last step, and follow it',
		run: graph => graph.follow(),
	},
	{
		keys: ['R', 'Ctrl-R'],
		id: 'look-now',
		title: 'read the log at once',
		run: graph => graph.look(),
	},
];
