/** Sees which GPUs are gone from the machine, and tells whoever rents them, and whoever offers them. */
import {messageOf} from '../../contract/thrown.ts';
import type {Work} from '../../contract/host-work.ts';
import {lostPlaces} from './gpu-names.ts';
import {lostSentence, type MachineGpus} from './machine-gpus.ts';

/** A tool that says nothing may be busy: so often in a row, there is nothing left that it could name. */
const SILENT_LOOKS = 3;

type Watched = {
	readonly machineGpus: MachineGpus;
	/** The work of what runs at present. */
	readonly running: () => Iterable<Work>;
	/** Tells that an instance has lost a GPU, in a sentence. */
	readonly fail: (work: Work, sentence: string) => Promise<void>;
	readonly log: (line: string) => void;
};

export function watchGpus(watched: Watched): () => Promise<void> {
	const {names, list, onLost} = watched.machineGpus;
	/** The starts of instances that were told: who starts again is told again. */
	const told = new Set<string>();
	let published = '';
	let silent = 0;

	async function publish(lost: readonly number[]): Promise<void> {
		if (String(lost) === published) return;
		try {
			await onLost(lost);
			published = String(lost);
		} catch (error) {
			watched.log(`Could not say which GPUs are gone: ${messageOf(error)}. Trying again.`);
		}
	}

	return async function look(): Promise<void> {
		if (names.length === 0) return;
		const present = await list();
		silent = present.size === 0 ? silent + 1 : 0;
		if (silent > 0 && silent < SILENT_LOOKS) return;
		const lost = lostPlaces(names, present);
		for (const work of watched.running()) {
			const start = `${work.instance_id} ${work.boot}`;
			const gone = (work.gpu_ids ?? []).find(id => lost.includes(id));
			if (gone === undefined || told.has(start)) continue;
			told.add(start);
			await watched.fail(work, lostSentence(names[gone] ?? ''));
		}
		await publish(lost);
	};
}
