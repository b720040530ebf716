/** Scales of logarithms: their ends and their ticks are 1, 2 or 5 times a power of ten. */

const STEPS = [1, 2, 5] as const;

export type ScaleKind = 'linear' | 'log';

export const otherScale = (kind: ScaleKind): ScaleKind => (kind === 'log' ? 'linear' : 'log');

/** Ends of a scale around values; values that are not above zero are not on it. */
export function logBounds(values: readonly number[]): {
	readonly low: number;
	readonly high: number;
} {
	const known = values.filter(value => value > 0 && Number.isFinite(value));
	if (known.length === 0) return {low: 1, high: 10};
	const low = before(Math.min(...known));
	const high = logSteps(low, Infinity).find(step => step >= Math.max(...known) * (1 - 1e-9));
	return {low, high: high !== undefined && high > low ? high : low * 10};
}

/** The last step that is no more than a value. */
function before(value: number): number {
	const power = 10 ** Math.floor(Math.log10(value));
	return power * (STEPS.findLast(step => step * power <= value * (1 + 1e-9)) ?? 1);
}

/** Powers that a scale may span: floats have no more. */
const MOST_POWERS = 40;

/** All steps of a span, the lowest first. */
export function logSteps(low: number, high: number): readonly number[] {
	const first = Math.floor(Math.log10(low));
	const last = Math.min(first + MOST_POWERS, Math.ceil(Math.log10(high)));
	return Array.from({length: last - first + 1}, (_, at) => first + at)
		.flatMap(power => STEPS.map(step => Number(`${step}e${power}`)))
		.filter(value => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
}
