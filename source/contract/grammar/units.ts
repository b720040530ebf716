/** The month that storage prices are quoted for. */
export const HOURS_PER_MONTH = 720;

/** The terabyte that traffic prices are quoted for. */
export const GB_PER_TB = 1024;
