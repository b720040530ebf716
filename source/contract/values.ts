import * as z from 'zod/mini';

/** An identifier given by the service. */
export const id = z.int().check(z.nonnegative());

// Sizes, rates and prices as the wire carries them. Each is a plain number; the name is its unit.
export const megabytes = z.number();
export const gigabytes = z.number();
export const megabytesPerSecond = z.number();
export const gigabytesPerSecond = z.number();
export const megabitsPerSecond = z.number();
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

/** The month that storage prices are quoted for. */
export const HOURS_PER_MONTH = 720;

/** The terabyte that traffic prices are quoted for. */
export const GB_PER_TB = 1024;
