/** The GPUs of the machine that this program runs on, as its host offers them. */
import {join} from 'node:path';
import type {Detected} from '../../host/machine/detect.ts';
import {judging, type JudgedGpu} from '../../host/machine/gpu-judging.ts';
import {
	withMarketGpuIndexes,
	keepGpuNames,
	listing,
	loadsByGpuIndex,
	type GpuKind,
	measuring,
	type MachineGpus,
	type PresentGpus,
	type UnfitGpus,
} from '../../host/machine/machine-gpus.ts';

export type Offered = {
	readonly found: Detected;
	readonly publish: (found: Detected) => Promise<unknown>;
	/** Called after each judgement. */
	readonly onJudged?: ((gpus: readonly JudgedGpu[]) => void) | undefined;
};

/** The GPUs of the machine by the indexes that the market knows, and the machine with those. */
export async function openOwnGpus(folder: string, {found, publish, onJudged}: Offered) {
	const {gpu_arch: arch} = found.facts;
	const kind: GpuKind = arch === 'nvidia' || arch === 'amd' ? arch : 'none';
	const list = listing(kind);
	const present = await list();
	const names = await keepGpuNames(join(folder, 'gpus.json'), found, present);
	const nowWith = (gpus: PresentGpus, sick: readonly number[] = []) =>
		names.length === 0 ? found : withMarketGpuIndexes(found, gpus, names, sick);
	const onUnfit = async ({sick}: UnfitGpus) => void (await publish(nowWith(await list(), sick)));
	const measureAll = measuring(kind);
	const judgeAll = judging(names);
	async function judge() {
		const judged = await judgeAll();
		if (judged !== undefined) onJudged?.(judged);
		return judged;
	}
	const machineGpus: MachineGpus = {
		kind,
		names,
		list,
		onUnfit,
		...(kind === 'nvidia' && {judge}),
	};
	return {
		machineGpus,
		found: nowWith(present),
		measure: async () => loadsByGpuIndex(await measureAll(), await list(), names),
	};
}
