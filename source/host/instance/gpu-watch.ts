/** Watches a machine's GPUs: which are lost or sick, and whom to notify. */
import type {Work} from '../../contract/nouns/host-work.ts';
import {gravity} from '../../contract/rules/gpu-health.ts';
import {sentenceOf} from '../../contract/rules/thrown.ts';
import {verdictSentence, type GpuVerdict} from '../machine/gpu-judging.ts';
import {indexesOfLostGpus, lostSentence, type MachineGpus} from '../machine/machine-gpus.ts';

/** Consecutive polls without an answer that mean lost GPUs; fewer may mean a busy tool. */
const SILENT_POLLS = 3;

/** Polls between two verdicts: the driver's full report is expensive. */
const JUDGED_EVERY = 30;

type Watched = {
	readonly machineGpus: MachineGpus;
	readonly running: () => Iterable<Work>;
	readonly fail: (work: Work, sentence: string) => Promise<void>;
	/** Notifies the renter of an instance of a GPU with a problem. */
	readonly warn: (work: Work, sentence: string) => Promise<void>;
	readonly log: (line: string) => void;
};

export function watchGpus(watched: Watched): () => Promise<void> {
	const {names, list, onUnfit} = watched.machineGpus;
	const judge = watchHealth(watched);
	/** Starts already reported: a new start is reported again. */
	const reported = new Set<string>();
	let published = '';
	let silent = 0;
	let polls = 0;
	let sick: readonly number[] = [];

	async function publish(lost: readonly number[]): Promise<void> {
		const text = JSON.stringify([lost, sick]);
		if (text === (published || JSON.stringify([[], []]))) return;
		try {
			await onUnfit({lost, sick});
			published = text;
		} catch (error) {
			watched.log(`Could not say which GPUs are gone: ${sentenceOf(error)}. Trying again.`);
		}
	}

	return async function check(): Promise<void> {
		if (names.length === 0) return;
		const present = await list();
		silent = present.size === 0 ? silent + 1 : 0;
		if (silent > 0 && silent < SILENT_POLLS) return;
		const lost = indexesOfLostGpus(names, present);
		for (const work of watched.running()) {
			const start = `${work.instance_id} ${work.boot}`;
			const gone = (work.gpu_ids ?? []).find(id => lost.includes(id));
			if (gone === undefined || reported.has(start)) continue;
			reported.add(start);
			await watched.fail(work, lostSentence(names[gone] ?? ''));
		}
		if (polls % JUDGED_EVERY === 0) sick = await judge();
		polls += 1;
		await publish(lost);
	};
}

/** Judges the GPUs, reports changes, and returns the indexes of those that are sick. */
function watchHealth({machineGpus, running, warn, log}: Watched) {
	let before: readonly GpuVerdict[] = [];
	return async (): Promise<readonly number[]> => {
		const verdicts = (await machineGpus.judge?.()) ?? before;
		for (const verdict of verdicts) {
			const sentence = verdictSentence(verdict);
			const known = before.find(({index}) => index === verdict.index);
			if (sentence === undefined || kindOf(verdict) === kindOf(known)) continue;
			log(`${sentence} ${verdict.findings[0]?.todo ?? ''}`);
			for (const work of running()) {
				if ((work.gpu_ids ?? []).includes(verdict.index)) await warn(work, sentence);
			}
		}
		before = verdicts;
		return verdicts
			.filter(({health}) => gravity(health) >= gravity('sick'))
			.map(({index}) => index);
	};
}

/** Verdict without its figures, which differ from poll to poll. */
function kindOf(verdict: GpuVerdict | undefined): string {
	return `${verdict?.health} ${verdict?.findings[0]?.rule}`;
}
