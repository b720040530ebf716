/** A replacement for `nvidia-smi`, for instances with made-up GPUs. */
import {constants} from 'node:fs';
import type {Work} from '../../contract/nouns/host-work.ts';
import {folderInside} from '../inside/inside.ts';
import {ownFiles} from '../inside/own-files.ts';

const PRIVATE = 0o700;
const EXECUTABLE = 0o755;
const {O_CREAT, O_EXCL, O_WRONLY} = constants;

/**
 * Puts the tool into the instance's home, where the query of GPU usage finds it. An obstacle that
 * the instance put there stays: a link would lead the write out of the home.
 */
export async function writeGpuTool(home: string, work: Work): Promise<void> {
	const files = ownFiles(folderInside(home));
	await tried(files.makeFolder('/.local', PRIVATE));
	await tried(files.makeFolder('/.local/bin', PRIVATE));
	await tried(files.remove('/.local/bin/nvidia-smi'));
	const opening = files.open('/.local/bin/nvidia-smi', O_CREAT | O_EXCL | O_WRONLY, EXECUTABLE);
	const tool = await opening.catch(() => undefined);
	if (tool === undefined) return;
	await using file = tool;
	await file.writeFile(gpuTool(work));
}

async function tried(doing: Promise<void>): Promise<void> {
	await doing.catch(() => {});
}

/**
 * A script with the output of the tool for the queries of usage and of all fields; figures vary
 * within minutes.
 */
function gpuTool({instance_id: id, gpu_ids: gpus = []}: Work): string {
	return `#!/bin/sh
# The GPUs of a practice market do not exist.
[ "$1" = nvlink ] && exit
awk -v t="$(date +%s)" -v all="$1" 'BEGIN {
	if (all == "-q") printf "Attached GPUs : %d\\n", ${gpus.length}
	for (i = 0; i < ${gpus.length}; i++) {
		wave = sin(t / (200 + ${id} * 37 % 500) + ${id}) * 0.7 + sin(t / 40 + i) * 0.3
		u = 60 + 38 * wave
		if (all == "-q") {
			printf "GPU 00000000:%02X:00.0\\n    Product Name : GPU of a practice market\\n", i + 1
			printf "    Utilization\\n        Gpu : %d %%\\n    Temperature\\n        GPU Current Temp : %d C\\n", u, 34 + u * 0.42
			printf "    GPU Power Readings\\n        Current Power Limit : 350.00 W\\n        Default Power Limit : 350.00 W\\n"
		} else printf "%d, %d, %d, %d, %.2f, 24564, 350.00\\n", i, u, 9000 + 80 * u, 34 + u * 0.42, 60 + 2.8 * u
	}
}'
`;
}
