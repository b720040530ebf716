/** Findings of checks, and the comparison of a value with the ordered one. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {GpuReading} from '../../contract/rules/gpu-report.ts';
import {count, decimals} from '../text/format.ts';
import type {LineSpeed, ExaminationReadings} from './readings.ts';

/** `unknown` is never good: its sentence says why. */
export type HealthVerdict = 'ok' | 'warn' | 'fail' | 'unknown';

export type ExaminationFinding = {
	readonly check: string;
	readonly verdict: HealthVerdict;
	/** A few words; undefined if nothing was ordered. */
	readonly ordered: string | undefined;
	readonly found: string | undefined;
	readonly says: string;
};

/** `FAILING`: hardware is broken. `WORN`: it works, and needs watching. */
export type Whole = 'AS ORDERED' | 'NOT AS ORDERED' | 'FAILING' | 'WORN' | 'NOT KNOWN';

export type ExaminedInstance = {
	readonly instance: Instance;
	readonly readings: ExaminationReadings;
	/** The connection between the instance and this machine; undefined if not measured. */
	readonly line: LineSpeed | undefined;
	/** Seconds since 1970 by the service's clock, when the instance reported its own. */
	readonly now: number;
};

export type HealthCheckResult = Omit<ExaminationFinding, 'check'>;

/** Shares of the ordered speed or size below which a measured one is a warning, and a failure. */
export const SPEED = {warn: 0.8, fail: 0.5} as const;
export const SIZE = {warn: 0.95, fail: 0.85} as const;

export const gb = decimals(1);

export const unsaid = {
	ordered: undefined,
	found: undefined,
	verdict: 'unknown',
	says: 'nothing in it says so',
} as const;

type Compared = {
	readonly wanted: number | null | undefined;
	readonly got: number | undefined;
};

type Words = {
	readonly unit: string;
	/** @default 0 */
	readonly digits?: number;
	/** Words before the found value. */
	readonly what: string;
};

/** Compares a measured value with an ordered one, by shares below which it is too little. */
export function compared(
	{wanted, got}: Compared,
	shares: {readonly warn: number; readonly fail: number},
	{unit, digits = 0, what}: Words,
): HealthCheckResult {
	const words = (value: number) =>
		`${digits === 0 ? count(value) : decimals(digits)(value)} ${unit}`;
	const isOrdered = typeof wanted === 'number' && wanted > 0;
	const ordered = isOrdered ? words(wanted) : undefined;
	if (got === undefined) return {...unsaid, ordered};
	const found = words(got);
	const share = isOrdered ? got / wanted : 1;
	if (!isOrdered) {
		return {ordered, found, verdict: 'ok', says: `${what} ${found}; the service promised nothing`};
	}
	if (share >= shares.warn)
		return {ordered, found, verdict: 'ok', says: `${what} ${found} of ${ordered}`};
	const verdict = share < shares.fail ? 'fail' : 'warn';
	const percent = Math.round(share * 100);
	return {
		ordered,
		found,
		verdict,
		says: `${what} ${found}, ${percent} % of the ${ordered} that it was rented with`,
	};
}

/** The least value among GPUs that report one, and its GPU. */
export function leastOf(
	gpus: readonly GpuReading[],
	of: (gpu: GpuReading) => number | undefined,
): {readonly at: number; readonly value: number} | undefined {
	const known = gpus.flatMap((gpu, at) => {
		const value = of(gpu);
		return value === undefined ? [] : [{at, value}];
	});
	return known.toSorted((one, other) => one.value - other.value)[0];
}
