/** Where instances live and are entered: a real room with a real door each, or one that is made up. */
import type {Access, Work} from '../../contract/host-work.ts';

export type Quarters = {
	/** Makes what an instance needs to be entered, as far as it is not there, and says where that is. */
	readonly open: (work: Work) => Promise<Access>;
	/** Takes who may enter. */
	readonly admit: (work: Work) => void;
	/** Sends everybody out. What they left stays. */
	readonly shut: (instanceId: number) => Promise<void>;
	/** Leaves nothing of it. */
	readonly remove: (instanceId: number) => Promise<void>;
	/** Shuts all, and keeps them for another time. */
	readonly close: () => Promise<void>;
};
