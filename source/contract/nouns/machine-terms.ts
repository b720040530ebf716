/** Terms on which a provider offers a machine. */
import * as z from 'zod/mini';
import {id, instant} from '../grammar/values.ts';

const DAY = 86_400;
const days = {day: 1, week: 7, month: 30, year: 365} as const;
const LONGEST_DAYS = 3650;

/** A time such as `3 months`, or seconds, as seconds; undefined for what is neither. */
export function readTerm(text: string): number | undefined {
	const [, count, unit] = /^\s*(\d{1,9})(?:\s*(day|week|month|year)s?)?\s*$/i.exec(text) ?? [];
	if (count === undefined) return undefined;
	const known = Object.entries(days).find(([name]) => name === unit?.toLowerCase());
	return Number(count) * (known === undefined ? 1 : known[1] * DAY);
}

const term = z.codec(
	z.union([z.string(), z.number()], 'must be such as 3 months, or seconds'),
	z
		.number('must be such as 3 months, or seconds')
		.check(
			z.minimum(DAY, 'must be at least a day'),
			z.maximum(LONGEST_DAYS * DAY, 'must be at most ten years'),
		),
	{decode: value => readTerm(String(value)) ?? Number.NaN, encode: seconds => seconds},
);

const price = (least: number, most: number) =>
	z.nullish(
		z
			.number('must be a number of dollars')
			.check(
				z.minimum(least, `must be at least ${least}`),
				z.maximum(most, `must be at most ${most}`),
			),
	);

/** GPUs of a machine are at most as many as bits that numbers hold. */
const chunks = [1, 2, 4, 8, 16, 32];

export const machineTerms = z.object({
	machine: id,
	/** Dollars per GPU and hour; of a machine without any, for the whole machine. */
	price_gpu: price(0.001, 128),
	/** Dollars per GB and month. */
	price_disk: price(0, 1000),
	/** Dollars per GB, out of the machine and into it. */
	price_inetu: price(0, 1000),
	price_inetd: price(0, 1000),
	/** Least bid per GPU and hour. */
	price_min_bid: price(0.001, 128),
	/** Least number of GPUs that are rented together. */
	min_chunk: z.nullish(
		z.int().check(z.refine(value => chunks.includes(value), 'must be 1, 2, 4, 8, 16 or 32')),
	),
	end_date: z.nullish(instant.check(z.minimum(0), z.maximum(1e11))),
	/** Time for which it is offered, counted anew each day. */
	duration: z.nullish(term),
	credit_discount_max: z.nullish(z.number().check(z.minimum(0), z.maximum(1))),
	/** GB that are offered for volumes; 0 for none. */
	vol_size: z.nullish(z.int().check(z.minimum(0), z.maximum(1e9))),
	vol_price: price(0, 1000),
});

export type MachineTerms = z.output<typeof machineTerms>;
