/** Keeps and removes volumes as the market orders. */
import {sentenceOf} from '../../contract/rules/thrown.ts';
import type {VolumeWork} from '../../contract/nouns/host-work.ts';
import {persist, type RetryTools} from '../base/retry.ts';
import type {Runtime} from '../base/runtime.ts';

export type Volumes = {
	/**
	 * Makes volumes, and begins to remove others, each until it is done.
	 *
	 * @param copiesEnded Fulfils when no cancelled copy writes to a removed volume any more.
	 */
	readonly want: (volumes: readonly VolumeWork[], copiesEnded: Promise<void>) => Promise<void>;
	/** Removes all other volumes that are on disk. */
	readonly keepOnly: (volumeIds: ReadonlySet<number>, copiesEnded: Promise<void>) => void;
};

type Doer = Pick<Runtime, 'keepVolume' | 'removeVolume' | 'listVolumes'>;

type Removal = {readonly stopping: AbortController; readonly ended: Promise<void>};

export function createVolumes(runtime: Doer, patience: RetryTools): Volumes {
	const {log} = patience;
	let kept = new Set<number>();
	const removals = new Map<number, Removal>();

	async function keep(volume: VolumeWork): Promise<void> {
		const id = volume.volume_id;
		kept.add(id);
		const removal = removals.get(id);
		removal?.stopping.abort();
		await removal?.ended;
		try {
			await runtime.keepVolume(volume);
		} catch (error) {
			log(`Could not make volume ${id}: ${sentenceOf(error)}.`);
		}
	}

	function remove(id: number, copiesEnded: Promise<void>): void {
		kept.delete(id);
		if (removals.has(id)) return;
		const stopping = new AbortController();
		const ended = removeUntilDone(id, copiesEnded, stopping.signal);
		removals.set(id, {stopping, ended});
	}

	async function removeUntilDone(
		id: number,
		copiesEnded: Promise<void>,
		stopped: AbortSignal,
	): Promise<void> {
		const signal = AbortSignal.any([patience.signal, stopped]);
		async function attempt(): Promise<void> {
			try {
				await runtime.removeVolume(id);
			} catch (error) {
				throw new Error(`Could not remove volume ${id}: ${sentenceOf(error)}`, {cause: error});
			}
		}
		await copiesEnded;
		// Only an end of the agent, or a newer order, ends the tries.
		if (!signal.aborted) {
			await persist(attempt, () => false, {...patience, signal}).catch(() => undefined);
		}
		removals.delete(id);
	}

	async function removeOthers(copiesEnded: Promise<void>): Promise<void> {
		for (const id of await persist(runtime.listVolumes, () => false, patience)) {
			// It may have been ordered since the list was asked for.
			if (!kept.has(id)) remove(id, copiesEnded);
		}
	}

	return {
		async want(volumes, copiesEnded) {
			for (const volume of volumes) {
				if (volume.wanted === 'kept') await keep(volume);
				else remove(volume.volume_id, copiesEnded);
			}
		},
		keepOnly(volumeIds, copiesEnded) {
			kept = new Set(volumeIds);
			removeOthers(copiesEnded).catch(() => undefined);
		},
	};
}
