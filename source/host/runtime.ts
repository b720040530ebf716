/** Runtime of a host's instances: containers, sandboxes, processes, or a simulation. */
import type {Inside} from './inside/inside.ts';
import type {HeldPlace} from '../contract/nouns/copies.ts';
import type {Report, Task, VolumeWork, Work} from '../contract/nouns/host-work.ts';

/** Runtime's state of an instance. */
export type Held = {
	/** The boot that it was started for last. */
	readonly boot: number;
	/** The container that it was made as. */
	readonly container: number;
	/** It was started and not stopped since. One that ended by itself counts as started. */
	readonly isStarted: boolean;
};

/**
 * Runtime calls, of which only one runs at a time per instance. Each may throw an error with its
 * reason; it is then tried again.
 */
export type Runtime = {
	/**
	 * Takes up what is there from an earlier run, given all that is wanted, and answers all that
	 * it has by instance: what is not wanted is removed afterwards.
	 */
	readonly adopt: (all: readonly Work[]) => Promise<ReadonlyMap<number, Held>>;
	/**
	 * Begins to start an instance, making its container where it has none. It fulfils when stopping
	 * it would end what was begun; what becomes of it is told.
	 */
	readonly start: (work: Work) => Promise<void>;
	/**
	 * Takes what may change of an instance without starting it anew, such as who may enter it. It is
	 * told of what was adopted, too.
	 */
	readonly refresh: (work: Work) => Promise<void>;
	/** Ends what runs, or is about to, and keeps its disk. */
	readonly stop: (instanceId: number) => Promise<void>;
	/**
	 * Leaves nothing of an instance.
	 *
	 * @param keepsKey Whether its API key is kept for the container that is made next: a host is told it once.
	 */
	readonly remove: (instanceId: number, keepsKey?: boolean) => Promise<void>;
	readonly keepVolume: (volume: VolumeWork) => Promise<void>;
	readonly removeVolume: (volumeId: number) => Promise<void>;
	/** Lines of what an instance has written, or of what the host did for it. */
	readonly logs: (task: Task) => Promise<string>;
	/** Output of a command, errors included. */
	readonly execute: (task: Task) => Promise<string>;
	/** Pushes an instance's disk, telling how far it is; absent where nothing is pushed. */
	readonly snapshot?: (task: Task) => Promise<string>;
	/** Files that copies read and write; absent where there are none. */
	readonly files?: CopiedFiles;
	/** The machines that cannot do anything at present. */
	readonly unwell: () => ReadonlyMap<number, Illness>;
	/** Lets go of what runs, without stopping what can go on by itself. */
	readonly close: () => Promise<void>;
};

export type CopiedFiles = {
	/** Copies by a number: what the agent died of twice is refused; absent where nobody counts. */
	readonly order?: <Result>(
		id: number,
		signal: AbortSignal,
		copy: () => Promise<Result>,
	) => Promise<Result>;
	/** Address of this machine for hosts that copy from it. */
	readonly address: string;
	/** Inside of an instance that runs, or of a volume. */
	readonly inside: (place: HeldPlace) => Promise<Inside>;
};

/** A silent machine says nothing; one that is away has said that it goes. */
export type Illness = 'silent' | 'away';

/** Takes what became of an instance. */
export type Tell = (report: Report) => void;

export type OpenRuntime = (tell: Tell) => Runtime;
