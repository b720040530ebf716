/** Durations: in seconds for services and stores, and in milliseconds for clocks. */
export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const MINUTE_MS = MINUTE * 1000;
export const HOUR_MS = HOUR * 1000;
export const DAY_MS = DAY * 1000;
