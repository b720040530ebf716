import type {Bindings} from '../../ui/bindings.ts';
import type {Action} from '../../../renter/actions/instance-actions.ts';

/** Actions on instances, wherever they are shown. */
export type InstanceActions = {
	/** Opens a review of what the keys act on: the marked ones, else the one under the cursor. */
	readonly review: (action: Action | 'stopOrStart') => void;
	/** Why an action is not to be done to them; undefined when it is. */
	readonly refuses: (action: Action | 'stopOrStart') => string | undefined;
	readonly editLabel: () => void;
	readonly editLease: () => void;
	readonly extendLease: () => void;
	readonly notExtendable: () => string | undefined;
	/** Exempts it from every rule but its deadline, or no longer. */
	readonly keep: () => void;
	readonly notKeepable: () => string | undefined;
	readonly editBid: () => void;
	readonly prepay: () => void;
	readonly notPrepayable: () => string | undefined;
	readonly oneOnly: () => string | undefined;
	readonly noBid: () => string | undefined;
};

export const actionBindings: Bindings<InstanceActions> = [
	{
		keys: ['S'],
		id: 'open-the-review-to-stop',
		title: 'open the review to stop, or to start what is stopped',
		hint: 'stop',
		isChange: true,
		changesService: true,
		does: ['review', 'stopOrStart'],
		unavailable: ['refuses', 'stopOrStart'],
	},
	{
		keys: ['x'],
		id: 'destroy',
		title: 'destroy',
		hint: 'destroy',
		isChange: true,
		changesService: true,
		does: ['review', 'destroy'],
		unavailable: ['refuses', 'destroy'],
	},
	{
		keys: ['e'],
		id: 'change-the-label',
		title: 'change the label',
		isChange: true,
		changesService: true,
		does: 'editLabel',
		unavailable: 'oneOnly',
	},
	{
		keys: ['L'],
		id: 'change-when-it-ends',
		title: 'change when it ends by itself, and see who sees to it',
		isChange: true,
		changesService: true,
		does: 'editLease',
		unavailable: 'oneOnly',
	},
	{
		keys: ['+'],
		id: 'put-its-deadline-off',
		title: 'put its deadline off by an hour',
		isChange: true,
		changesService: true,
		does: 'extendLease',
		unavailable: 'notExtendable',
	},
	{
		keys: ['K'],
		id: 'keep',
		title: 'keep it: only its deadline ends it, and no budget; again: as before',
		isChange: true,
		changesService: true,
		does: 'keep',
		unavailable: 'notKeepable',
	},
	{
		keys: [],
		id: 'reboot',
		title: 'reboot: stop and start its container',
		isChange: true,
		changesService: true,
		does: ['review', 'reboot'],
		unavailable: ['refuses', 'reboot'],
	},
	{
		keys: [],
		id: 'recycle',
		title: 'recycle: make its container anew from its image',
		isChange: true,
		changesService: true,
		does: ['review', 'recycle'],
		unavailable: ['refuses', 'recycle'],
	},
	{
		keys: [],
		id: 'change-the-bid',
		title: 'change the bid',
		isChange: true,
		changesService: true,
		does: 'editBid',
		unavailable: 'noBid',
	},
	{
		keys: [],
		id: 'pay-ahead',
		title: 'pay ahead for it, at a discount',
		isChange: true,
		changesService: true,
		does: 'prepay',
		unavailable: 'notPrepayable',
	},
];
