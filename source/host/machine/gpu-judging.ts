/** Verdicts on the health of a machine's GPUs, from reports of their driver and the kernel. */
import {judgeGpus, readLinks, readXids, type GpuHealth} from '../../contract/rules/gpu-health.ts';
import {readGpuReport, type GpuReading} from '../../contract/rules/gpu-report.ts';
import {runTool, type RunTool} from './nvidia.ts';

export type GpuVerdict = GpuHealth & {
	/** Index of the GPU as the market knows it. */
	readonly index: number;
	/** Name and UUID. */
	readonly name: string;
};

/** Judges all GPUs; undefined if no driver reports them. */
export type JudgeGpus = () => Promise<readonly GpuVerdict[] | undefined>;

export type JudgedGpu = GpuVerdict & {readonly reading: GpuReading};

/** @param names Permanent identifiers of NVIDIA's GPUs, by the market's indexes */
export function judging(
	names: readonly string[],
	run: RunTool = runTool,
): () => Promise<readonly JudgedGpu[] | undefined> {
	let before: readonly GpuReading[] | undefined;
	return async () => {
		if (names.length === 0) return undefined;
		const [report, links, kernel] = await Promise.all([
			run('nvidia-smi', ['-q']),
			run('nvidia-smi', ['nvlink', '-s']),
			// Not every user may read it: then only the driver's report counts.
			run('dmesg', []),
		]);
		if (report === undefined) return undefined;
		const {gpus} = readGpuReport(report);
		const health = judgeGpus({
			gpus,
			before,
			xids: readXids(kernel ?? ''),
			links: readLinks(links ?? ''),
		});
		before = gpus;
		return gpus.flatMap((reading, at) => {
			const {uuid = '', name = 'GPU'} = reading;
			const [index, verdict] = [names.indexOf(uuid), health[at]];
			if (index < 0 || verdict === undefined) return [];
			return [{...verdict, index, name: `${name} ${uuid}`, reading}];
		});
	};
}

/** A verdict in a sentence; undefined for a GPU without findings. */
export function verdictSentence({health, findings, name}: GpuVerdict): string | undefined {
	const [first] = findings;
	if (first === undefined || health === 'healthy') return undefined;
	return `GPU ${name} is ${wordOf[health]}: it ${first.evidence}.`;
}

const wordOf = {watch: 'to be watched', sick: 'sick', lost: 'lost'} as const;
