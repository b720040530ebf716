/** Prices of instances, with `<` before those that are only the most that it can come to. */
import type {Rate} from '../../fleet/burn.ts';
import {atMost, MISSING} from '../../format.ts';

/** A price in five columns: 1.660, .210, <2.10. */
export function rateText({now, atMost: most}: Rate): string {
	if (most === undefined) return now === undefined ? MISSING : figure(now);
	return now === most ? figure(most) : atMost(most);
}

/** The same as a person says it: $1.620/h, at most $2.100/h. */
export function ratePerHour({now, atMost: most}: Rate): string {
	if (most === undefined) return now === undefined ? `${MISSING}/h` : `$${now.toFixed(3)}/h`;
	return `${now === most ? '' : 'at most '}$${most.toFixed(3)}/h`;
}

function figure(dollars: number): string {
	const digits = dollars < 10 ? 3 : dollars < 100 ? 2 : 1;
	return dollars.toFixed(digits).replace(/^0\./, '.');
}

/** Dollars an hour as sums have them: 4.42, and 0.003 where two decimals would say nothing. */
export function perHour(dollars: number): string {
	return dollars.toFixed(dollars > 0 && dollars < 0.1 ? 3 : 2);
}
