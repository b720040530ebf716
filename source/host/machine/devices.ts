/** The devices that programs need to use GPUs. */

const nvidia = [
	'/dev/nvidiactl',
	'/dev/nvidia-uvm',
	'/dev/nvidia-uvm-tools',
	'/dev/nvidia-modeset',
];

/** Those of AMD are not told apart by the tool's numbers: whoever has one of them sees all. */
const amd = ['/dev/kfd', '/dev/dri'];

export function devicesOf(gpuIds: readonly number[]): readonly string[] {
	if (gpuIds.length === 0) return [];
	return [...nvidia, ...gpuIds.map(id => `/dev/nvidia${id}`), ...amd];
}
