/** Room that a copy takes in its target, over all its tries: files that are whole, and parts of others. */
import {posix} from 'node:path';
import type {OwnFiles} from './inside/own-files.ts';

export type CopyRoom = {
	/** @throws where there is no more room than for what is there already */
	readonly take: (bytes: number) => void;
	/** Bytes that were overwritten. */
	readonly giveBack: (bytes: number) => void;
	/** Notes a part that has so many bytes, unless it is known. */
	readonly begin: (part: string, bytes: number) => void;
	/** A part has become the file that it is of. */
	readonly finish: (part: string) => void;
	/** Removes the parts of files that are not copied as they were. */
	readonly clear: (to: OwnFiles, isKept?: (part: string) => boolean) => Promise<void>;
};

export function createCopyRoom(mostBytes: number): CopyRoom {
	let used = 0;
	const parts = new Set<string>();

	function take(bytes: number): void {
		if (used + bytes > mostBytes) throw new NoRoom();
		used += bytes;
	}

	return {
		take,
		giveBack(bytes) {
			used = Math.max(0, used - bytes);
		},
		begin(part, bytes) {
			if (parts.has(part)) return;
			parts.add(part);
			take(bytes);
		},
		finish: part => void parts.delete(part),
		async clear(to, isKept = () => false) {
			for (const part of parts) {
				if (isKept(part)) continue;
				const there = await to.lstat(part).catch(() => undefined);
				if (there !== undefined) {
					await to.remove(part);
					used = Math.max(0, used - there.size);
				}
				parts.delete(part);
			}
		},
	};
}

export class NoRoom extends Error {
	override readonly name = 'NoRoom';
	constructor() {
		super('there is more than the target has room for');
	}
}

type Copied = {readonly size: number; readonly mtime: number; readonly to: string};

/** Path of the part of a file, as that is at present: a changed file has another. */
export function partOf({to, size, mtime}: Copied): string {
	return posix.join(posix.dirname(to), `.${nameIn(to)}.${size}-${mtime}.part`);
}

function nameIn(path: string): string {
	return posix.basename(path).slice(0, 180);
}

const PART = /^\.(.+)\.\d{1,16}-\d{1,16}\.part$/s;

/** Finds parts in the target that an agent before this one has left, of files that are copied. */
export async function findParts(
	to: OwnFiles,
	files: readonly Copied[],
	note: (part: string, bytes: number) => void,
): Promise<void> {
	const names = new Set(files.map(file => posix.join(posix.dirname(file.to), nameIn(file.to))));
	for (const folder of new Set(files.map(file => posix.dirname(file.to)))) {
		const open = await to.list(folder).catch(() => undefined);
		if (open === undefined) continue;
		try {
			for (let some = await open.next(256); some.length > 0; some = await open.next(256)) {
				for (const [name, about] of some) {
					const [, of = ''] = PART.exec(name) ?? [];
					const isPart = of !== '' && names.has(posix.join(folder, of));
					if (isPart) note(posix.join(folder, name), about.size);
				}
			}
		} finally {
			await open.close();
		}
	}
}
