/** Room of an instance on this machine: its folder, and a way to run commands in it. */
import type {Stats} from 'node:fs';
import {join, posix} from 'node:path';
import type {Duplex} from 'node:stream';
import type {Beginning, Child, Launch} from './child.ts';

/** Plan of an instance's room. */
export type RoomPlan = {
	/** The instance's own folder on this machine: what it writes at home lies in here. */
	readonly folder: string;
	/** Host name inside, where the room has a name of its own. */
	readonly hostName: string;
	/** The variables of the instance. Nothing of this program's own environment is handed on. */
	readonly env: Readonly<Record<string, string>>;
	/** Variables by which the machine knows the processes of the room; they are set inside, too. */
	readonly marks?: Readonly<Record<string, string>>;
	/** Further writable folders that go with the instance, and their paths inside. */
	readonly writable?: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	/** Volumes: folders of this machine, and where they are seen inside. */
	readonly mounts: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	/** Devices of this machine that are seen inside, such as GPUs. */
	readonly devices?: readonly string[];
	/** A network of its own, or none at all; without it, the room has the network of the machine. */
	readonly network?: RoomNetwork | 'none';
	/** The control groups that all its processes are in. */
	readonly groups?: readonly string[];
	/** Limit of `/dev/shm` in bytes. */
	readonly sharedMemoryBytes?: number;
	/**
	 * The first process of the room, where the room is entered once more: what runs in it is seen,
	 * and what is started in it stays when whoever started it goes.
	 */
	readonly joins?: number;
};

/** A network that a room is in. */
export type RoomNetwork = {
	/** Arguments that start a program in the room. */
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

/** Inside of an instance, as its SSH server needs it. */
export type Inside = {
	/** The home folder as it is called inside. */
	readonly home: string;
	/** The folders of this machine that it shows as its own. */
	readonly folders: readonly string[];
	/**
	 * Path on this machine of a file inside; undefined for files that are not the instance's own.
	 */
	readonly outside: (path: string) => string | undefined;
	/** Folders and files of this machine that are seen inside under the same names, and not changed. */
	readonly readOnly?: readonly string[];
	/** None of its files is changed. */
	readonly isReadOnly?: boolean;
	/** True if an opened folder is still the same one; absent where folders cannot change. */
	readonly isStillOwn?: (folder: string, about: Stats) => boolean;
	/** Starts a command line of a shell inside; without one, the shell that one logs in to. */
	readonly start: (command: string | undefined, beginning: Beginning) => Promise<Child>;
	/** Reaches a port as programs inside do; undefined where they share the network of this machine. */
	readonly connect?: (host: string, port: number, signal: AbortSignal) => Promise<Duplex>;
	/** Listens where programs inside connect to; undefined where nobody can, or they share the network. */
	readonly listen?: Listen;
};

/** A folder of this machine as an inside in which nothing runs. */
export function folderInside(folder: string): Inside {
	return {
		home: '/',
		folders: [folder],
		outside: path => join(folder, posix.resolve('/', path)),
		start: nothingRuns,
		connect: nothingRuns,
	};
}

/** The same inside for whoever may only read its files. */
export function readOnlyInside({home, folders, outside, readOnly, isStillOwn}: Inside): Inside {
	return {
		home,
		folders,
		outside,
		...(readOnly !== undefined && {readOnly}),
		...(isStillOwn !== undefined && {isStillOwn}),
		isReadOnly: true,
		start: nothingRuns,
		connect: nothingRuns,
	};
}

async function nothingRuns(): Promise<never> {
	throw new Error('nothing runs here: files are read by SFTP');
}

/** An inside that is entered by a program of this machine. */
export type Room = Inside & {
	/** For whoever rents: how far it is apart from the machine that it runs on. */
	readonly isolation: 'sandbox' | 'none';
	/** Start of a shell's command line inside; without one, of a login shell. */
	readonly launch: (command?: string) => Launch;
};
