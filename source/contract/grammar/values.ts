import * as z from 'zod/mini';
import {countCharacters} from './harmless-text.ts';

export const id = z.int().check(z.nonnegative());

/** Plausible range of a number in a record: a number outside is dropped. */
export type Bounds = {readonly least: number; readonly most: number};

/** The bounds of the units below, for reading records of other services. */
export const boundsOf = new WeakMap<z.ZodMiniType, Bounds>();

/** A plain number whose name is its unit. */
function unit(least: number, most: number) {
	const schema = z.number();
	boundsOf.set(schema, {least, most});
	return schema;
}

const MOST_MONEY = 1e9;
const MOST_SIZE = 1e12;

// Sizes, rates and prices as the wire carries them. An unknown usage of a disk is -1.
export const megabytes = unit(0, MOST_SIZE);
export const gigabytes = unit(-1, MOST_SIZE);
export const megabytesPerSecond = unit(0, MOST_SIZE);
export const gigabytesPerSecond = unit(0, MOST_SIZE);
export const megabitsPerSecond = unit(0, MOST_SIZE);
export const dollars = unit(-1e15, 1e15);
export const dollarsPerHour = unit(0, MOST_MONEY);
export const dollarsPerGb = unit(0, MOST_MONEY);
export const dollarsPerTb = unit(0, MOST_MONEY);
export const dollarsPerGbMonth = unit(0, MOST_MONEY);
export const watts = unit(0, 1e6);
export const celsius = unit(-100, 1000);
export const gigahertz = unit(0, 1000);
/** Ten thousand years: no rental is longer. */
export const seconds = unit(0, 3.2e11);
/** Seconds since 1970 in UTC, with a fraction. */
export const instant = unit(0, 2.5e11);
/** A share between 0 and 1; -1 if unknown. */
export const share = unit(-1, 1);
/** A figure that has no unit: a benchmark score, a count of something, a rank. */
export const figure = unit(-1e12, 1e12);

/** A whole number of things, such as GPUs. */
export const amount = z.int().check(z.nonnegative());
boundsOf.set(amount, {least: 0, most: 1e6});

export const pathId = z.codec(
	z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number')),
	z.number(),
	{decode: Number, encode: String},
);

export const pathWithId = z.object({id: pathId});

/** Path with an account: `me`, `current`, or its number. */
export const pathUser = z.object({
	user_id: z.string().check(z.regex(/^(me|current|\d{1,15})$/, 'must be me or an account')),
});

/** Text of at most so many characters that a database stores unchanged. */
export function text(most: number) {
	return z.string('must be text').check(
		z.refine(value => countCharacters(value) <= most, `must have at most ${most} characters`),
		z.refine(value => value.isWellFormed() && !value.includes('\0'), {
			error: 'must not have NUL or half a character in it',
		}),
	);
}

export const done = z.looseObject({success: z.literal(true), msg: z.optional(z.string())});
