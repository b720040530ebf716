import type {ListTarget} from '../../list/list-target.ts';
import type {Bindings} from '../../ui/bindings.ts';
import {
	columnKeys,
	filterKey,
	selectionBindings,
	movements,
	openKey,
	refreshKey,
	scrollKeys,
} from '../../list/bindings.ts';
import type {ConnectTarget, InstanceActions} from './instance-actions.ts';
import type {InstancesTarget} from './instances-target.ts';
import type {SweepTarget} from './sweep-target.ts';
import {rentLikeKeys, type RentKeys} from '../rent/bindings.ts';
import {connectBindings, furtherConnectBindings, actionBindings} from './action-bindings.ts';

export const sweepBindings: Bindings<SweepTarget> = [
	{
		keys: ['X'],
		id: 'sweep',
		title: 'sweep: destroy all that are stuck or dead, after one review',
		hint: 'sweep',
		keepsHint: true,
		isChange: true,
		changesService: true,
		run: sweep => sweep.sweep(),
		unavailable: sweep => sweep.noTrouble(),
	},
	{
		keys: ['@'],
		id: 'end-agents',
		title: 'destroy all that agents rented, after one review',
		isChange: true,
		changesService: true,
		run: sweep => sweep.endAgents(),
		unavailable: sweep => sweep.noAgents(),
	},
	{
		keys: ['u'],
		id: 'sweep-undo',
		title: 'take a sweep back before it is sent',
		run: sweep => sweep.takeBack(),
		unavailable: sweep => sweep.nothingHeld(),
	},
];

const viewBindings: Bindings<InstancesTarget & Pick<ListTarget, 'ifEmpty'>> = [
	{
		keys: ['&'],
		id: 'group',
		title: 'group by label, GPU, host, image, template or service',
		run: list => list.group(),
	},
	{
		keys: ['F'],
		id: 'values',
		title: 'open the values of the picked column: how many, and what they cost',
		run: list => list.countValues(),
		unavailable: list => list.ifEmpty('there is no instance to count'),
	},
	{
		keys: ['w'],
		id: 'compact',
		title: 'compact, normal or wide columns',
		run: list => list.nextSet(),
	},
	{keys: ['W'], id: 'choose-columns', title: 'choose columns', run: list => list.chooseColumns()},
	{
		keys: ['i'],
		id: 'next-pane',
		title: 'the pane beside the list: money, events, raw, none',
		hint: 'pane',
		run: list => list.nextPane(),
		unavailable: list => list.paneUnavailable(),
	},
	{
		keys: ['z'],
		id: 'zoom',
		title: 'zoom: the pane on the whole screen, or back',
		hint: 'zoom',
		run: list => list.zoomPane(),
	},
];

export const instanceListBindings: Bindings<ListTarget & InstancesTarget> = [
	openKey('there is no instance to act on'),
	...connectBindings,
	...actionBindings,
	...sweepBindings,
	...rentLikeKeys,
	...furtherConnectBindings,
	{
		keys: ['!'],
		id: 'next-in-trouble',
		title: 'the next that is stuck or dead, the newest first',
		hint: 'trouble',
		run: list => list.nextTrouble(),
		unavailable: list => list.noneInTrouble(),
	},
	{
		keys: ['T'],
		id: 'view-of-trouble',
		title: 'what is stuck or dead, or all',
		run: list => list.viewTrouble(),
	},
	{
		keys: ['b'],
		id: 'views',
		title: 'views: words, order, columns and groups under a name',
		run: list => list.listViews(),
	},
	filterKey,
	refreshKey(),
	{keys: ['p'], id: 'pause', title: 'pause, or go on looking', run: list => list.pause()},
	{
		keys: ['Esc'],
		id: 'one-step-back',
		title: 'one step back: filter, marks, groups, screen',
		run: list => list.back(),
		unavailable: list => list.backUnavailable(),
	},
	...movements,
	...columnKeys,
	...viewBindings,
	...selectionBindings,
];

/** The keys of a list in groups: Enter opens a group, and the columns are fixed. */
export const groupedFleetBindings: Bindings<ListTarget & InstancesTarget> = instanceListBindings
	.filter(({keys: [key = '']}) => key !== 'w' && key !== 'W')
	.map(binding =>
		binding.id === 'open-detail'
			? {...binding, title: 'open or fold a group, open the detail of an instance', hint: 'open'}
			: binding,
	);

const withoutRows = new Set(['T', 'b', '/', 'R', 'p', 'Esc', 'u', 'w', 'W', 'i', 'z']);

export const emptyFleetBindings: Bindings<ListTarget & InstancesTarget> = instanceListBindings
	.filter(({keys: [key = '']}) => withoutRows.has(key))
	.map(binding => (binding.keys.includes('R') ? {...binding, hint: 'refresh'} : binding));

type ValuesTarget = Pick<ListTarget, 'move' | 'pick'> & {
	readonly use: () => void;
	/** Reason why no words find instances with the value under the cursor. */
	readonly noWords: () => string | undefined;
	readonly close: () => void;
};

export const valueBindings: Bindings<ValuesTarget> = [
	{
		keys: ['Enter'],
		id: 'list-value',
		title: 'list those that have the value: its words are added to the filter',
		hint: 'list them',
		run: values => values.use(),
		unavailable: values => values.noWords(),
	},
	{
		keys: ['>', 'Right'],
		id: 'next-values',
		title: 'values of the next column',
		hint: 'next column',
		run: values => values.pick(1),
	},
	{
		keys: ['<', 'Left'],
		id: 'previous-values',
		title: 'values of the column before',
		run: values => values.pick(-1),
	},
	...movements,
	{
		keys: ['Esc', 'q'],
		id: 'back-to-list',
		title: 'back to the list',
		hint: 'list',
		run: values => values.close(),
	},
];

export type InstanceTarget = InstanceActions &
	ConnectTarget &
	RentKeys & {
		readonly tab: (step: 1 | -1) => void;
		readonly scroll: (step: 1 | -1) => void;
		readonly refresh: () => void;
	};

export const instanceBindings: Bindings<InstanceTarget> = [
	...connectBindings,
	{keys: [']'], id: 'next-tab', title: 'next tab', hint: 'next tab', run: page => page.tab(1)},
	{keys: ['['], id: 'previous-tab', title: 'previous tab', run: page => page.tab(-1)},
	...scrollKeys(),
	...actionBindings,
	...rentLikeKeys,
	...furtherConnectBindings,
	{
		keys: ['u'],
		id: 'disarm',
		title: 'take back what is armed for it',
		run: page => page.takeBack(),
		unavailable: page => page.notArmed(),
	},
	refreshKey(),
];
