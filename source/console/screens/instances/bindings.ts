import type {Binding} from '../../bindings.ts';
import {columnKeys, filterKey, markKeys, movements, type ListTarget} from '../../list/bindings.ts';
import {rentLikeKeys, type RentKeys} from '../rent-keys.ts';
import {connectBindings, furtherConnectBindings, type ConnectTarget} from './connect-bindings.ts';
import type {Deed} from './deeds.ts';

/** What can be done to instances, wherever they are shown. */
export type DeedTarget = {
	/** Opens a review of what the keys act on: the marked ones, else the one under the cursor. */
	readonly review: (deed: Deed | 'stopOrStart') => void;
	/** Why a deed is not to be done to them; undefined when it is. */
	readonly refuses: (deed: Deed | 'stopOrStart') => string | undefined;
	readonly editLabel: () => void;
	readonly editBid: () => void;
	readonly oneOnly: () => string | undefined;
	readonly noBid: () => string | undefined;
};

/** What the keys of the list of instances act on. */
export type InstancesTarget = DeedTarget &
	ConnectTarget &
	RentKeys & {
		readonly open: () => void;
		readonly refresh: () => void;
		readonly pause: () => void;
		readonly onlyProblems: () => void;
		/** Goes to the next instance in trouble. */
		readonly nextTrouble: () => void;
		readonly noneInTrouble: () => string | undefined;
		readonly sweep: () => void;
		readonly noTrouble: () => string | undefined;
		readonly takeBack: () => void;
		readonly nothingHeld: () => string | undefined;
		/** Compact, normal or wide columns. */
		readonly nextSet: () => void;
		readonly chooseColumns: () => void;
		/** What stands beside the list. */
		readonly nextPane: () => void;
		readonly paneUnavailable: () => string | undefined;
		readonly zoomPane: () => void;
	};

const deedBindings: ReadonlyArray<Binding<DeedTarget>> = [
	{
		keys: ['S'],
		id: 'open-the-review-to-stop',
		title: 'open the review to stop, or to start what is stopped',
		hint: 'stop',
		isChange: true,
		changesService: true,
		run: target => target.review('stopOrStart'),
		unavailable: target => target.refuses('stopOrStart'),
	},
	{
		keys: ['x'],
		id: 'destroy',
		title: 'destroy',
		hint: 'destroy',
		isChange: true,
		changesService: true,
		run: target => target.review('destroy'),
		unavailable: target => target.refuses('destroy'),
	},
	{
		keys: ['e'],
		id: 'change-the-label',
		title: 'change the label',
		isChange: true,
		changesService: true,
		run: target => target.editLabel(),
		unavailable: target => target.oneOnly(),
	},
	{
		keys: [],
		id: 'reboot',
		title: 'reboot: stop and start its container',
		isChange: true,
		changesService: true,
		run: target => target.review('reboot'),
		unavailable: target => target.refuses('reboot'),
	},
	{
		keys: [],
		id: 'recycle',
		title: 'recycle: make its container anew from its image',
		isChange: true,
		changesService: true,
		run: target => target.review('recycle'),
		unavailable: target => target.refuses('recycle'),
	},
	{
		keys: [],
		id: 'change-the-bid',
		title: 'change the bid',
		isChange: true,
		changesService: true,
		run: target => target.editBid(),
		unavailable: target => target.noBid(),
	},
];

const empty = ({isEmpty}: ListTarget) => (isEmpty() ? 'there is no instance to act on' : undefined);

const sweepBindings: ReadonlyArray<Binding<InstancesTarget>> = [
	{
		keys: ['X'],
		id: 'sweep',
		title: 'sweep: destroy all that are stuck or dead, after one review',
		hint: 'sweep',
		isChange: true,
		changesService: true,
		run: target => target.sweep(),
		unavailable: target => target.noTrouble(),
	},
	{
		keys: ['u'],
		id: 'take-a-sweep-back-before-it-is-sent',
		title: 'take a sweep back before it is sent',
		run: target => target.takeBack(),
		unavailable: target => target.nothingHeld(),
	},
];

const viewBindings: ReadonlyArray<Binding<InstancesTarget>> = [
	{
		keys: ['w'],
		id: 'compact',
		title: 'compact, normal or wide columns',
		run: target => target.nextSet(),
	},
	{
		keys: ['W'],
		id: 'choose-columns',
		title: 'choose columns',
		run: target => target.chooseColumns(),
	},
	{
		keys: ['i'],
		id: 'the-pane-beside-the-list',
		title: 'the pane beside the list: money, events, raw, none',
		hint: 'pane',
		run: target => target.nextPane(),
		unavailable: target => target.paneUnavailable(),
	},
	{
		keys: ['z'],
		id: 'zoom',
		title: 'zoom: the pane on the whole screen, or back',
		hint: 'zoom',
		run: target => target.zoomPane(),
	},
];

export const instanceListBindings: ReadonlyArray<Binding<ListTarget & InstancesTarget>> = [
	{
		keys: ['Enter', 'd'],
		id: 'open-detail',
		title: 'open detail',
		hint: 'detail',
		run: target => target.open(),
		unavailable: empty,
	},
	...connectBindings,
	...deedBindings,
	...sweepBindings,
	...rentLikeKeys,
	...furtherConnectBindings,
	{
		keys: ['!'],
		id: 'next-in-trouble',
		title: 'the next that is stuck or dead, the newest first',
		hint: 'trouble',
		run: target => target.nextTrouble(),
		unavailable: target => target.noneInTrouble(),
	},
	{
		keys: ['T'],
		id: 'only-problems',
		title: 'only problems, or all',
		run: target => target.onlyProblems(),
	},
	filterKey,
	{keys: ['R', 'Ctrl-R'], id: 'refresh-now', title: 'refresh now', run: target => target.refresh()},
	{keys: ['p'], id: 'pause', title: 'pause, or go on looking', run: target => target.pause()},
	{
		keys: ['Esc'],
		id: 'one-step-back',
		title: 'one step back: filter, marks, screen',
		run: target => target.back(),
		unavailable: target => target.backUnavailable(),
	},
	...movements,
	...columnKeys,
	...viewBindings,
	...markKeys,
];

const withoutRows = new Set(['T', '/', 'R', 'p', 'Esc', 'u', 'w', 'W', 'i', 'z']);

/** The keys of a list without rows: those that need none. */
export const emptyFleetBindings: ReadonlyArray<Binding<ListTarget & InstancesTarget>> =
	instanceListBindings
		.filter(({keys: [key = '']}) => withoutRows.has(key))
		.map(binding => (binding.keys.includes('R') ? {...binding, hint: 'refresh'} : binding));

/** What the keys of one instance act on. */
export type InstanceTarget = DeedTarget &
	ConnectTarget &
	RentKeys & {
		readonly tab: (step: 1 | -1) => void;
		readonly scroll: (step: 1 | -1) => void;
		readonly refresh: () => void;
	};

export const instanceBindings: ReadonlyArray<Binding<InstanceTarget>> = [
	...connectBindings,
	{keys: [']'], id: 'next-tab', title: 'next tab', hint: 'next tab', run: target => target.tab(1)},
	{keys: ['['], id: 'previous-tab', title: 'previous tab', run: target => target.tab(-1)},
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
	...deedBindings,
	...rentLikeKeys,
	...furtherConnectBindings,
	{
		keys: ['u'],
		id: 'take-back-what-is-armed-for-it',
		title: 'take back what is armed for it',
		run: target => target.takeBack(),
		unavailable: target => target.notArmed(),
	},
	{keys: ['R', 'Ctrl-R'], id: 'refresh-now', title: 'refresh now', run: target => target.refresh()},
];
