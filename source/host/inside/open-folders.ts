/**
 * Folders and files that are held open, so that whoever swaps them for links meanwhile changes
 * nothing: what lies in a folder is named by way of the open folder, and a file by way of itself.
 */
import {constants, existsSync, type Stats} from 'node:fs';
import {lstat, open, statfs} from 'node:fs/promises';
import {join} from 'node:path';

/** Something that is held open until it is closed. */
export type Held = {
	/** A path that leads to exactly this, whatever is renamed meanwhile. */
	readonly path: string;
	readonly about: Stats;
	readonly close: () => Promise<void>;
};

/** Names a file without opening it: a pipe would wait, and a device would do something. */
const NAMING = 0o10_000_000;

const {O_NOFOLLOW, O_DIRECTORY} = constants;

/** Other systems have no such names, and no rooms with walls either. */
const hasNames = existsSync('/proc/self/fd');

/** File systems that hold users' files. Others, such as /proc, act when they are read. */
const fileSystems = new Set([
	0xef53, 0x01_02_19_94, 0x79_4c_76_30, 0x58_46_53_42, 0x91_23_68_3e, 0x2f_c1_2f_c1, 0xf2_f5_20_10,
	0x69_69, 0x65_73_55_46, 0x01_02_19_97, 0x6a_65_6a_63, 0x85_84_58_f6, 0xca_45_1a_4e, 0x73_71_73_68,
	0xe0_f5_e1_e2, 0x00_c3_64_00,
]);

/** @throws Error where nothing is there. What is named last is held itself, also where it is a link. */
export async function hold(path: string): Promise<Held> {
	return holdBy(path, NAMING | O_NOFOLLOW);
}

/** Holds a folder of the provider's, however many links lead there. */
export async function holdRoot(path: string): Promise<Held> {
	return holdBy(path, NAMING);
}

/**
 * Holds what a folder has by a name.
 *
 * @throws Error where it is another kind of file system, which the instance has from the kernel.
 */
export async function holdIn(folder: Held, name: string, onlyFolders = false): Promise<Held> {
	const held = await holdBy(
		inside(folder, name),
		NAMING | O_NOFOLLOW | (onlyFolders ? O_DIRECTORY : 0),
	);
	try {
		if (held.about.dev !== folder.about.dev && hasNames && !held.about.isSymbolicLink()) {
			const {type} = await statfs(held.path);
			if (!fileSystems.has(type)) throw new NotFiles();
		}
		return held;
	} catch (error) {
		await held.close();
		throw error;
	}
}

export class NotFiles extends Error {
	override readonly name = 'NotFiles';
}

/** Path of a folder's entry, existing or not, for calls that do not follow a link there. */
export function inside(folder: Held, name: string): string {
	return join(folder.path, name);
}

async function holdBy(path: string, flags: number): Promise<Held> {
	if (!hasNames) return {path, about: await lstat(path), close: async () => undefined};
	const handle = await open(path, flags);
	try {
		const about = await handle.stat();
		// What names a file has nothing to lose: its end must not hide what became of the file.
		const close = async () => handle.close().catch(() => undefined);
		return {path: `/proc/self/fd/${handle.fd}`, about, close};
	} catch (error) {
		await handle.close();
		throw error;
	}
}
