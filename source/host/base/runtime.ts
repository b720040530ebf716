/** Runtime of a host's instances: containers, sandboxes, processes, or a simulation. */
import type {Enter} from '../relay/serve.ts';
import type {Inside} from '../inside/inside.ts';
import type {HeldPath} from '../../contract/nouns/copies.ts';
import type {Report, HostTask, VolumeWork, Work} from '../../contract/nouns/host-work.ts';

export type BootState = {
	/** The `boot` of the last start. */
	readonly boot: number;
	/** The `container` number of the work that it was made for. */
	readonly container: number;
	/** Serial of that work; undefined for none. */
	readonly serial?: string | undefined;
	/** True from a start to a stop. An instance that ended by itself counts as started. */
	readonly isStarted: boolean;
};

/** Runtime calls, of which only one runs at a time per instance. A call that throws is retried. */
export type Runtime = {
	/**
	 * Takes over the instances of an earlier agent, given all work, and returns the existing ones
	 * by instance. The caller removes instances without work afterwards.
	 */
	readonly adopt: (all: readonly Work[]) => Promise<ReadonlyMap<number, BootState>>;
	/**
	 * Begins to start an instance, making its container if it has none. Fulfils as soon as `stop`
	 * would end the start; the result of the start is reported.
	 */
	readonly start: (work: Work) => Promise<void>;
	/**
	 * Applies changes that need no new start, such as SSH keys. Also called for adopted instances.
	 */
	readonly refresh: (work: Work) => Promise<void>;
	/** Stops an instance that runs or starts, and keeps its disk. */
	readonly stop: (instanceId: number) => Promise<void>;
	/**
	 * Removes an instance with all its files.
	 *
	 * @param keepsKey True to keep the API key, which the market sends once, for the next container.
	 */
	readonly remove: (instanceId: number, keepsKey?: boolean) => Promise<void>;
	readonly keepVolume: (volume: VolumeWork) => Promise<void>;
	readonly removeVolume: (volumeId: number) => Promise<void>;
	/** Volumes that are kept on disk. */
	readonly listVolumes: () => Promise<readonly number[]>;
	/** Lines of an instance's log, or of the host's log about it. */
	readonly logs: (task: HostTask) => Promise<string>;
	/** Output of a command, errors included. */
	readonly execute: (task: HostTask) => Promise<string>;
	/** Pushes an instance's disk and reports progress; absent in runtimes without snapshots. */
	readonly snapshot?: (task: HostTask) => Promise<string>;
	/** Files that copies read and write; absent in runtimes without files. */
	readonly files?: CopiedFiles;
	/** Forwards a renter from a relay into an instance; absent in runtimes without ports. */
	readonly enter?: Enter;
	/** Machines that cannot run instances at present. */
	readonly unwell: () => ReadonlyMap<number, Illness>;
	/** Closes the runtime; instances that can run without it continue. */
	readonly close: () => Promise<void>;
};

export type CopiedFiles = {
	/**
	 * Runs a copy as an order, refused if the agent died of it twice; absent if deaths are not
	 * counted.
	 */
	readonly order?: <Result>(
		id: number,
		signal: AbortSignal,
		copy: () => Promise<Result>,
	) => Promise<Result>;
	/** Address of this machine for hosts that copy from it. */
	readonly address: string;
	/** Address and ports to bind; absent for any port of the address. */
	readonly binding?: {
		readonly listen: string;
		readonly portChoice: {
			readonly freePortOf: (holder: string) => () => Promise<number>;
			readonly release: (holder: string) => void;
		};
	};
	readonly inside: (place: HeldPath) => Promise<Inside>;
};

/** `silent`: a machine without heartbeats; `away`: a machine that was disconnected. */
export type Illness = 'silent' | 'away';

export type SendReport = (report: Report) => void;

export type OpenRuntime = (tell: SendReport) => Runtime;
