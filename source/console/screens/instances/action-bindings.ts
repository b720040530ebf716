import type {ListTarget} from '../../list/list-target.ts';
import type {Bindings} from '../../ui/bindings.ts';
import type {ConnectTarget, InstanceActions} from './instance-actions.ts';
import {columnKeys, movements} from '../../list/bindings.ts';

export const actionBindings: Bindings<InstanceActions> = [
	{
		keys: ['S'],
		id: 'stop',
		title: 'open the review to stop, or to start what is stopped',
		hint: 'stop',
		isChange: true,
		changesService: true,
		run: instances => instances.review('stopOrStart'),
		unavailable: instances => instances.refuses('stopOrStart'),
	},
	{
		keys: ['x'],
		id: 'destroy',
		title: 'destroy',
		hint: 'destroy',
		keepsHint: true,
		isChange: true,
		changesService: true,
		run: instances => instances.review('destroy'),
		unavailable: instances => instances.refuses('destroy'),
	},
	{
		keys: ['e'],
		id: 'change-the-label',
		title: 'change the label; of several that are marked, each with its number',
		isChange: true,
		changesService: true,
		run: instances => instances.editLabel(),
		unavailable: instances => instances.noInstances(),
	},
	{
		keys: ['L'],
		id: 'change-end',
		title: 'change when it ends by itself, and see who enforces that',
		isChange: true,
		changesService: true,
		run: instances => instances.editLease(),
		unavailable: instances => instances.noInstances(),
	},
	{
		keys: ['+'],
		id: 'extend-lease',
		title: 'put its deadline off by an hour',
		isChange: true,
		changesService: true,
		run: instances => instances.extendLease(),
		unavailable: instances => instances.notExtendable(),
	},
	{
		keys: ['K'],
		id: 'keep',
		title: 'keep it: only its deadline ends it, and no budget; again: as before',
		isChange: true,
		changesService: true,
		run: instances => instances.keep(),
		unavailable: instances => instances.notKeepable(),
	},
	{
		keys: [],
		id: 'reboot',
		title: 'reboot: stop and start its container',
		isChange: true,
		changesService: true,
		run: instances => instances.review('reboot'),
		unavailable: instances => instances.refuses('reboot'),
	},
	{
		keys: [],
		id: 'recycle',
		title: 'recycle: make its container anew from its image',
		isChange: true,
		changesService: true,
		run: instances => instances.review('recycle'),
		unavailable: instances => instances.refuses('recycle'),
	},
	{
		keys: [],
		id: 'change-the-bid',
		title: 'change the bid',
		isChange: true,
		changesService: true,
		run: instances => instances.editBid(),
		unavailable: instances => instances.noBid(),
	},
	{
		keys: [],
		id: 'pay-ahead',
		title: 'pay ahead for it, at a discount',
		isChange: true,
		changesService: true,
		run: instances => instances.prepay(),
		unavailable: instances => instances.notPrepayable(),
	},
];

export const connectBindings: Bindings<ConnectTarget> = [
	{
		keys: ['s'],
		id: 'ssh',
		title: 'enter it by SSH, and come back',
		hint: 'ssh',
		run: instance => instance.connect(),
		unavailable: instance => instance.noWayIn(),
	},
	{
		keys: ['y'],
		id: 'copy-ssh',
		title: 'copy the way in: again for another',
		hint: 'copy',
		run: instance => instance.copyCommand(),
		unavailable: instance => instance.noCopy(),
	},
	{
		keys: ['l'],
		id: 'logs',
		title: 'logs; of several that are marked as one',
		hint: 'logs',
		run: instance => instance.logs(),
		unavailable: instance => instance.noInstance(),
	},
];

/** Bindings that are named in the list of actions and in help, but not at the foot. */
export const furtherConnectBindings: Bindings<ConnectTarget> = [
	{
		keys: ['%'],
		id: 'use-over-time',
		title: 'use over time, of each GPU',
		run: instance => instance.usage(),
		unavailable: instance => instance.noInstance(),
	},
	{
		keys: ['V'],
		id: 'is-it-learning',
		title: 'whether it is learning: step, loss, time and money left',
		run: instance => instance.learning(),
		unavailable: instance => instance.noInstance(),
	},
	{
		keys: ['h'],
		id: 'health',
		title: 'health: examine it over SSH against what was ordered; of several, all that are marked',
		run: instance => instance.health(),
		unavailable: instance => instance.noInstance(),
	},
	{
		keys: ['E'],
		id: 'run-a-command',
		title: 'run a command in all that are marked, and see what comes of it',
		isChange: true,
		changesService: true,
		run: instance => instance.runCommand(),
		unavailable: instance => instance.cannotRun(),
	},
	{
		keys: ['f'],
		id: 'forward-ports',
		title: 'forward ports to this machine',
		run: instance => instance.forward(),
		unavailable: instance => instance.noWayIn(),
	},
	{
		keys: ['t'],
		id: 'transfer-files',
		title: 'transfer files: scp or rsync',
		run: instance => instance.transfer(),
		unavailable: instance => instance.noWayIn(),
	},
	{
		keys: ['J'],
		id: 'let-key-in',
		title: 'let an SSH key in: one of this machine, or a new one',
		isChange: true,
		changesService: true,
		run: instance => instance.letIn(),
		unavailable: instance => instance.noInstance(),
	},
	{
		keys: ['m'],
		id: 'tell-next-change',
		title: 'tell me its next change, or no longer',
		run: instance => instance.tellMe(),
		unavailable: instance => instance.noInstance(),
	},
	{
		keys: ['Y'],
		id: 'its-own-key',
		title: 'its own key: copy it, or keep it in a file',
		run: instance => instance.ownKey(),
		unavailable: instance => instance.noOwnKey(),
	},
	{
		keys: [],
		id: 'ssh-name',
		title: 'give it a name for ssh, scp, rsync and editors',
		isChange: true,
		run: instance => instance.nameForSsh(),
		unavailable: instance => instance.noWayIn(),
	},
];

type CommandTarget = {
	readonly openOutput: () => void;
	readonly stop: () => void;
	readonly nothingRuns: () => string | undefined;
	readonly another: () => void;
	readonly isBusy: () => string | undefined;
	readonly copyLine: () => void;
};

export const commandBindings: Bindings<ListTarget & CommandTarget> = [
	{
		keys: ['Enter', 'd', 'l'],
		id: 'all-it-wrote',
		title: 'all that it wrote there',
		hint: 'output',
		run: command => command.openOutput(),
	},
	{
		keys: ['x'],
		id: 'stop-it',
		title: 'stop it where it runs; it asks',
		hint: 'stop',
		isChange: true,
		run: command => command.stop(),
		unavailable: command => command.nothingRuns(),
	},
	{
		keys: ['E'],
		id: 'another-command',
		title: 'another command in the same instances',
		hint: 'another',
		isChange: true,
		changesService: true,
		run: command => command.another(),
		unavailable: command => command.isBusy(),
	},
	{
		keys: ['y'],
		id: 'copy-last-line',
		title: 'copy the last line',
		hint: 'copy',
		run: command => command.copyLine(),
	},
	{
		keys: ['Esc'],
		id: 'back-meanwhile',
		title: 'back, while it goes on',
		hint: 'back',
		run: command => command.back(),
		unavailable: command => command.backUnavailable(),
	},
	...movements,
	...columnKeys,
];
