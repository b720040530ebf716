import type {Bindings} from '../../ui/bindings.ts';

/** Methods behind the keys that enter the instance under the cursor. */
export type ConnectTarget = {
	readonly connect: () => void;
	readonly copyCommand: () => void;
	readonly logs: () => void;
	/** Asks for a command for all that are marked, or shows the one that runs. */
	readonly runCommand: () => void;
	readonly cannotRun: () => string | undefined;
	readonly forward: () => void;
	readonly transfer: () => void;
	readonly nameForSsh: () => void;
	/** Tells the next change of the instance, or no longer. */
	readonly tellMe: () => void;
	readonly takeBack: () => void;
	/** Why there is nothing to take back; undefined where there is. */
	readonly notArmed: () => string | undefined;
	/** Why it cannot be entered; undefined where it can. */
	readonly noWayIn: () => string | undefined;
	readonly noCopy: () => string | undefined;
	readonly noInstance: () => string | undefined;
};

export const connectBindings: Bindings<ConnectTarget> = [
	{
		keys: ['s'],
		id: 'enter-it-by-ssh',
		title: 'enter it by SSH, and come back',
		hint: 'ssh',
		does: 'connect',
		unavailable: 'noWayIn',
	},
	{
		keys: ['y'],
		id: 'copy-the-way-in',
		title: 'copy the way in: again for another',
		hint: 'copy',
		does: 'copyCommand',
		unavailable: 'noCopy',
	},
	{
		keys: ['l'],
		id: 'logs',
		title: 'logs; of several that are marked as one',
		hint: 'logs',
		does: 'logs',
		unavailable: 'noInstance',
	},
];

/** Those that are named in the list of actions and in help, and not at the foot. */
export const furtherConnectBindings: Bindings<ConnectTarget> = [
	{
		keys: ['E'],
		id: 'run-a-command',
		title: 'run a command in all that are marked, and see what comes of it',
		isChange: true,
		changesService: true,
		does: 'runCommand',
		unavailable: 'cannotRun',
	},
	{
		keys: ['f'],
		id: 'forward-ports-to-this-machine',
		title: 'forward ports to this machine',
		does: 'forward',
		unavailable: 'noWayIn',
	},
	{
		keys: ['t'],
		id: 'transfer-files',
		title: 'transfer files: scp or rsync',
		does: 'transfer',
		unavailable: 'noWayIn',
	},
	{
		keys: ['m'],
		id: 'tell-me-its-next-change',
		title: 'tell me its next change, or no longer',
		does: 'tellMe',
		unavailable: 'noInstance',
	},
	{
		keys: [],
		id: 'give-it-a-name-for-ssh',
		title: 'give it a name for ssh, scp, rsync and editors',
		isChange: true,
		does: 'nameForSsh',
		unavailable: 'noWayIn',
	},
];
