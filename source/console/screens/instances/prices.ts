/** Prices of instances, with `<` before those that are only the most that it can come to. */
import type {Rate} from '../../../renter/fleet/burn.ts';
import {atMost, millsPerHour, MISSING, priceTag} from '../../../renter/format.ts';

/** A price in five columns: 1.660, .210, <2.10. */
export function rateText({now, atMost: most}: Rate): string {
	if (most === undefined) return priceTag(now);
	return now === most ? priceTag(most) : atMost(most);
}

/** The same as a person says it: $1.620/h, at most $2.100/h. */
export function ratePerHour({now, atMost: most}: Rate): string {
	if (most === undefined) return now === undefined ? `${MISSING}/h` : millsPerHour(now);
	return `${now === most ? '' : 'at most '}${millsPerHour(most)}`;
}
