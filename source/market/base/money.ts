export const MICROS_PER_DOLLAR = 1_000_000;
