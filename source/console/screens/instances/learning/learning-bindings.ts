import type {Bindings} from '../../../ui/bindings.ts';
import {numbersKey} from '../../../ui/number-table.ts';
import {scaleKey} from '../../../list/bindings.ts';
import type {runChooserTarget, curveKeys} from './learning-target.ts';

type LearningTarget = ReturnType<typeof curveKeys> & {
	/** Opens the choice of runs beside this one. */
	readonly runs: () => void;
	readonly look: () => void;
};

export const learningBindings: Bindings<LearningTarget> = [
	{
		keys: ['<', 'Left'],
		id: 'step-before',
		title: 'read the values before: the cursor stays at its step',
		hint: 'read',
		run: graph => graph.read(-1),
	},
	{
		keys: ['>', 'Right'],
		id: 'step-after',
		title: 'read the values after',
		run: graph => graph.read(1),
	},
	{
		keys: ['.'],
		id: 'zoom-in',
		title: 'only the last half of the steps',
		hint: 'zoom',
		run: graph => graph.zoom(1),
	},
	{
		keys: [','],
		id: 'zoom-out',
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
		id: 'compare-runs',
		title: 'lay other runs over it: of all instances, and of the last 30 days',
		hint: 'runs',
		run: graph => graph.runs(),
	},
	scaleKey,
	numbersKey,
	{
		keys: ['*'],
		id: 'own-pattern',
		title: 'a pattern of your own for lines of logs, tried on this one before it is kept',
		run: graph => graph.pattern(),
	},
	{
		keys: ['G', 'End'],
		id: 'follow-step',
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

export const runChooserBindings: Bindings<ReturnType<typeof runChooserTarget>> = [
	{keys: ['j', 'Down'], id: 'down', title: 'down', run: chooser => chooser.step(1)},
	{keys: ['k', 'Up'], id: 'up', title: 'up', run: chooser => chooser.step(-1)},
	{
		keys: ['Space'],
		id: 'lay-it-over',
		title: 'lay this run over the one of the page, or take it away',
		hint: 'over',
		run: chooser => chooser.toggle(),
	},
	{
		keys: ['u'],
		id: 'none-over',
		title: 'none of them',
		hint: 'none',
		run: chooser => chooser.none(),
	},
	{
		keys: ['Enter', '=', 'Esc'],
		id: 'back-to-curves',
		title: 'back to the curves',
		hint: 'curves',
		run: chooser => chooser.close(),
	},
];
