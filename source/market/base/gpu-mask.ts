/**
 * Bit mask of some GPUs of a machine, so that SQL can test two choices for a common GPU. A machine
 * without GPUs has one bit for itself.
 */
export function maskOf(gpuIds: readonly number[]): number {
	if (gpuIds.length === 0) return 1;
	// Added, not OR-ed: bitwise operators stop at 32 bits, and numbers are exact up to 53.
	return [...new Set(gpuIds)].reduce((mask, id) => mask + 2 ** id, 0);
}

/** The GPUs of a mask, in order. */
export function gpuIndexesOfMask(mask: number): readonly number[] {
	return mask
		.toString(2)
		.split('')
		.toReversed()
		.flatMap((bit, id) => (bit === '1' ? [id] : []));
}

export function readGpuIds(text: string | null): number[] {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	return text === null ? [] : (JSON.parse(text) as number[]);
}
