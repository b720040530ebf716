import * as z from 'zod/mini';
import {lengthOf} from './text-length.ts';

/** An identifier given by the service. */
export const id = z.int().check(z.nonnegative());

// Sizes, rates and prices as the wire carries them. Each is a plain number; the name is its unit.
export const megabytes = z.number();
export const gigabytes = z.number();
export const megabytesPerSecond = z.number();
export const gigabytesPerSecond = z.number();
export const megabitsPerSecond = z.number();
export const dollars = z.number();
export const dollarsPerHour = z.number();
export const dollarsPerGb = z.number();
export const dollarsPerTb = z.number();
export const dollarsPerGbMonth = z.number();
export const watts = z.number();
export const celsius = z.number();
export const gigahertz = z.number();
export const seconds = z.number();
/** Seconds since 1970 in UTC, with a fraction. */
export const instant = z.number();
/** A share between 0 and 1. */
export const share = z.number();
/** A figure that has no unit: a benchmark score, a count of something, a rank. */
export const figure = z.number();

/** An identifier in a path. */
export const pathId = z.codec(
	z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number')),
	z.number(),
	{decode: Number, encode: String},
);

/** Text of at most so many characters that a database keeps as it is sent. */
export function text(most: number) {
	return z.string('must be text').check(
		z.refine(value => lengthOf(value) <= most, `must have at most ${most} characters`),
		z.refine(value => value.isWellFormed() && !value.includes('\0'), {
			error: 'must not have NUL or half a character in it',
		}),
	);
}
