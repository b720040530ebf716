/** The devices that programs need to use GPUs, as Linux has them. */

/** The kinds of GPUs that instances can be given. */
export type GpuKind = 'nvidia' | 'amd' | 'none';

/** Those that all GPUs of a kind have in common; parts of GPUs are opened by the last one. */
const nvidiaCommon = [
	'/dev/nvidiactl',
	'/dev/nvidia-uvm',
	'/dev/nvidia-uvm-tools',
	'/dev/nvidia-modeset',
	'/dev/nvidia-caps',
];

/** Linux counts the GPUs that compute from here. */
const FIRST_RENDER_NODE = 128;

/** Of some GPUs of a machine, by their numbers: whoever has these sees those GPUs, and no others. */
export function devicesOf(kind: GpuKind, gpuIds: readonly number[]): readonly string[] {
	if (gpuIds.length === 0 || kind === 'none') return [];
	if (kind === 'nvidia') return [...nvidiaCommon, ...gpuIds.map(id => `/dev/nvidia${id}`)];
	return ['/dev/kfd', ...gpuIds.map(id => `/dev/dri/renderD${FIRST_RENDER_NODE + id}`)];
}
