/** The job that prices are computed for, in words and as settings. */
import type {Job} from '../../contract/nouns/offer-cost.ts';
import type {Settings} from '../settings/default-settings.ts';

export function jobOf({diskGb, hours, inGbPerHour, outGbPerHour}: Settings): Job {
	return {diskGb, hours, inGbPerHour, outGbPerHour};
}

export function expectsTraffic({inGbPerHour, outGbPerHour}: Job): boolean {
	return inGbPerHour > 0 || outGbPerHour > 0;
}

/** The traffic of a job: "25 GB/h in, 2 GB/h out". */
export function formatJobTraffic({inGbPerHour, outGbPerHour}: Job): string {
	const parts = [
		...(inGbPerHour > 0 ? [`${inGbPerHour} GB/h in`] : []),
		...(outGbPerHour > 0 ? [`${outGbPerHour} GB/h out`] : []),
	];
	return parts.length === 0 ? 'no traffic' : parts.join(', ');
}
