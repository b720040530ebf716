/** Serials, by which orders of a restored market are told from earlier ones with the same ids. */
import {readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {replaceFile} from '../../client/files/files.ts';
import type {VolumeWork} from '../../contract/nouns/host-work.ts';

/** True if both are known, and differ: those of earlier versions have none. */
export function isOther(one: string | undefined, another: string | undefined): boolean {
	return one !== undefined && another !== undefined && one !== another;
}

type Numbered = Pick<VolumeWork, 'volume_id' | 'serial'>;

export type VolumeSerials = {
	/**
	 * Removes another volume with the id of this one, and records the serial. Call it before each use.
	 *
	 * @throws Error while the other one cannot be removed.
	 */
	readonly replaceOther: (volume: Numbered) => Promise<void>;
	/** Removes a volume, and its serial. */
	readonly remove: (volumeId: number) => Promise<void>;
};

/** Serials of the volumes of a host, each in a file of its folder. */
export function volumeSerialsIn(
	folder: string,
	removeVolume: (volumeId: number) => Promise<void>,
): VolumeSerials {
	const all = join(folder, 'volume-serials');
	const fileOf = (id: number) => join(all, String(id));
	let last: Promise<void> = Promise.resolve();

	/** Runs actions one at a time, so that none removes what another has just made. */
	async function inTurn(action: () => Promise<void>): Promise<void> {
		const turn = after(last, action);
		last = turn.catch(() => undefined);
		await turn;
	}

	async function replaceOther(id: number, serial: string): Promise<void> {
		const known = await readFile(fileOf(id), 'utf8').catch(ignoreMissing);
		if (known === serial) return;
		if (known !== undefined) await removeVolume(id).catch(refuse);
		await replaceFile(fileOf(id), serial, {isDurable: true});
	}

	return {
		async replaceOther({volume_id: id, serial}) {
			if (serial !== undefined) await inTurn(async () => replaceOther(id, serial));
		},
		async remove(id) {
			await removeVolume(id);
			await rm(fileOf(id), {force: true});
		},
	};
}

/** Hides paths and containers of this machine from the renter, who is told of a failed start. */
function refuse(cause: unknown): never {
	throw new Error('an earlier volume with its number cannot be removed yet', {cause});
}

async function after(before: Promise<void>, action: () => Promise<void>): Promise<void> {
	await before;
	await action();
}

function ignoreMissing(error: unknown): undefined {
	if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
	throw error;
}
