/** Keeps and removes volumes as the market orders. */
import {sentenceOf} from '../contract/rules/thrown.ts';
import type {VolumeWork} from '../contract/nouns/host-work.ts';
import {persist, type RetryTools} from './retry.ts';
import type {Runtime} from './runtime.ts';

export type Volumes = {
	readonly want: (volumes: readonly VolumeWork[]) => Promise<void>;
	/** Removes all other volumes that are on disk. */
	readonly keepOnly: (volumeIds: ReadonlySet<number>) => void;
};

type Doer = Pick<Runtime, 'keepVolume' | 'removeVolume' | 'listVolumes'>;

export function createVolumes(runtime: Doer, patience: RetryTools): Volumes {
	let kept = new Set<number>();

	async function attempt(id: number, action: () => Promise<void>): Promise<void> {
		try {
			await action();
		} catch (error) {
			patience.log(`Could not settle volume ${id}: ${sentenceOf(error)}.`);
		}
	}

	async function remove(id: number): Promise<void> {
		await attempt(id, async () => runtime.removeVolume(id));
	}

	async function removeOthers(): Promise<void> {
		for (const id of await persist(runtime.listVolumes, () => false, patience)) {
			// It may have been ordered since the list was asked for.
			if (!kept.has(id)) await remove(id);
		}
	}

	return {
		async want(volumes) {
			for (const volume of volumes) {
				const {volume_id: id, wanted} = volume;
				if (wanted === 'kept') {
					kept.add(id);
					await attempt(id, async () => runtime.keepVolume(volume));
				} else {
					kept.delete(id);
					await remove(id);
				}
			}
		},
		keepOnly(volumeIds) {
			kept = new Set(volumeIds);
			removeOthers().catch(() => undefined);
		},
	};
}
