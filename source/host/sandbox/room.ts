/** Where an instance lives on this machine: its folder, and how something is run in it. */
import type {Stats} from 'node:fs';
import type {Duplex} from 'node:stream';
import type {Beginning, Child, Launch} from './child.ts';

/** What an instance's room is made for. */
export type RoomPlan = {
	/** The instance's own folder on this machine: what it writes at home lies in here. */
	readonly folder: string;
	/** What the machine is called inside, where the room has a name of its own. */
	readonly hostName: string;
	/** The variables of the instance. Nothing of this program's own environment is handed on. */
	readonly env: Readonly<Record<string, string>>;
	/** Variables by which the machine knows the processes of the room; they are set inside, too. */
	readonly marks?: Readonly<Record<string, string>>;
	/** What else is written to and goes with the instance: its folders, and where they are seen inside. */
	readonly writable?: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	/** Volumes: folders of this machine, and where they are seen inside. */
	readonly mounts: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	/** Devices of this machine that are seen inside, such as GPUs. */
	readonly devices?: readonly string[];
	/** A network of its own, or none at all; without it, the room has the network of the machine. */
	readonly network?: RoomNetwork | 'none';
	/** The control groups that all its processes are in. */
	readonly groups?: readonly string[];
	/** How much may be written to `/dev/shm`. */
	readonly sharedMemoryBytes?: number;
	/**
	 * The first process of the room, where the room is entered once more: what runs in it is seen,
	 * and what is started in it stays when whoever started it goes.
	 */
	readonly joins?: number;
};

/** A network that a room is in. */
export type RoomNetwork = {
	/** What a program is started with that runs in it. */
	readonly entrance: readonly string[];
	/** Files of this machine that are seen inside as its settings. */
	readonly settings: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	readonly connect: NonNullable<Inside['connect']>;
	readonly listen: Listen;
};

/** Listens on a port, 0 for any, and hands over whoever connects; answers which port that is. */
export type Listen = (
	port: number,
	take: (socket: Duplex) => void,
) => Promise<{readonly port: number; readonly close: () => void}>;

/** What a door leads into. */
export type Inside = {
	/** The home folder as it is called inside. */
	readonly home: string;
	/** The folders of this machine that it shows as its own. */
	readonly folders: readonly string[];
	/** Where a file of the inside lies on this machine; undefined for what is not the instance's own. */
	readonly outside: (path: string) => string | undefined;
	/** Folders and files of this machine that are seen inside under the same names, and not changed. */
	readonly readOnly?: readonly string[];
	/** Whether one of the folders, opened, is still what it was; always, where it is not there. */
	readonly isStillOwn?: (folder: string, about: Stats) => boolean;
	/** Starts a command line of a shell inside; without one, the shell that one logs in to. */
	readonly start: (command: string | undefined, beginning: Beginning) => Promise<Child>;
	/** Reaches a port as programs inside do; undefined where they share the network of this machine. */
	readonly connect?: (host: string, port: number) => Promise<Duplex>;
	/** Listens where programs inside connect to; undefined where nobody can, or they share the network. */
	readonly listen?: Listen;
};

/** An inside that is entered by a program of this machine. */
export type Room = Inside & {
	/** For whoever rents: how far it is apart from the machine that it runs on. */
	readonly isolation: 'sandbox' | 'none';
	/** How a command line of a shell is run inside; without one, the shell that one logs in to. */
	readonly launch: (command?: string) => Launch;
};
