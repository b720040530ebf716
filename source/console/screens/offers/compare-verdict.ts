import type {Job} from '../../../contract/nouns/offer-cost.ts';
import {money} from '../../../renter/text/format.ts';
import type {Compared} from './compare.ts';
import {expectsTraffic, formatJobTraffic} from '../../../renter/offers/job.ts';
import {HOUR} from '../../../contract/rules/durations.ts';

/** Cheapest offer for the job, which matters most if another one seems cheaper. */
export function verdict(offers: readonly Compared[], job: Job): string {
	if (offers.length === 0) return 'Every column was dropped. Esc goes back.';
	const ranked = rank(offers, ({cost}) => cost.job);
	const [cheapest] = ranked;
	if (cheapest === undefined)
		return 'No cost is known: the service did not send what it is made from.';
	const unknown = offers.filter(({cost}) => cost.job === undefined);
	const left = unknown.length === 0 ? '' : ` ${idsText(unknown)} left out: a price was not sent.`;
	if (ranked.length === 1) return `${winner(cheapest, job)}.${left}`;
	return `${contrast(offers, ranked, job)}${left}`;
}

/** Contrast of the cheapest offer with the one whose GPUs are the cheapest. */
function contrast(offers: readonly Compared[], ranked: readonly Compared[], job: Job): string {
	const [best] = ranked;
	const dearest = ranked.at(-1);
	const [cheapGpu] = rank(offers, ({cost}) => cost.gpu);
	const [calm] = rank(offers, ({cost}) => cost.running);
	if (best === undefined || dearest === undefined) return '';
	if (cheapGpu === dearest && cheapGpu !== best) {
		const costs = `${idOf(dearest)} ${costOfJob(dearest)}, ${idOf(best)} ${costOfJob(best)}`;
		return `The cheapest GPU is the dearest job: ${costs} (${job.hours} h).`;
	}
	if (expectsTraffic(job) && calm !== undefined && calm !== best) {
		return `no traffic: ${idOf(calm)} wins. ${formatJobTraffic(job)}: ${idOf(best)} wins.`;
	}
	if (cheapGpu !== undefined && cheapGpu !== best) {
		return `cheapest GPU: ${idOf(cheapGpu)}. With its disk the ${winner(best, job)}.`;
	}
	return `${winner(best, job)}. Dearest: ${idOf(dearest)}, ${costOfJob(dearest)}.`;
}

function winner(compared: Compared, {hours}: Job): string {
	return `cheapest job: ${idOf(compared)}, ${costOfJob(compared)} in ${hours} h`;
}

/** The offers whose price is known, the cheapest first; of equal ones the first. */
function rank(
	offers: readonly Compared[],
	priceOf: (compared: Compared) => number | undefined,
): readonly Compared[] {
	return offers
		.filter(compared => priceOf(compared) !== undefined)
		.toSorted((a, b) => (priceOf(a) ?? 0) - (priceOf(b) ?? 0));
}

/** Warnings about figures that are easily overlooked, a sentence each. */
export function comparisonWarnings(offers: readonly Compared[], job: Job): readonly string[] {
	return offers.flatMap(compared => {
		const {offer, host, isGone} = compared;
		const id = idOf(compared);
		const ports = offer.direct_port_count;
		const hours = typeof offer.duration === 'number' ? offer.duration / HOUR : undefined;
		const stuck = host?.stuck.length ?? 0;
		return [
			...(isGone ? [`${id} is gone: someone else took it, or it was unlisted.`] : []),
			...(ports === 0
				? [`${id} has no direct ports: SSH goes through a proxy, which is slower.`]
				: []),
			...(hours !== undefined && hours < job.hours
				? [`${id} ends in ${Math.floor(hours)} h, before a job of ${job.hours} h is done.`]
				: []),
			...(stuck > 0
				? [`${id}: ${stuck} of your boots on its host never ended; Space says whether it is tried.`]
				: []),
		];
	});
}

function idOf({offer}: Compared): string {
	return String(offer.id);
}

function idsText(offers: readonly Compared[]): string {
	return offers.map(idOf).join(', ');
}

function costOfJob({cost}: Compared): string {
	return money(cost.job);
}
