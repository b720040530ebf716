/** The rows of a comparison that are about money: what an hour costs, and the job. */
import type {Job, OfferCost} from '../../../contract/offer-cost.ts';
import {decimals, money, shortPrice} from '../../../renter/format.ts';
import {detail, number, type CompareGroup, type Measure} from './compared.ts';
import {expectsTraffic} from '../../../renter/offers/job.ts';

const DAYS_PER_WEEK = 7;

/** A row of one price. */
function priceRow(
	title: string,
	of: (cost: OfferCost) => number | undefined,
	group: CompareGroup = 'MONEY',
	format = shortPrice,
): Measure {
	return {
		group,
		title,
		text: ({cost, before}) => moved(format(of(before)), format(of(cost))),
		values: ({cost}) => [of(cost)],
		best: 'low',
	};
}

/** A price that has moved since it was looked at is shown with what it was. */
function moved(before: string, now: string): string {
	return before === now ? now : `${before}>${now}`;
}

export function moneyRows(job: Job, hasSeveral: boolean): readonly Measure[] {
	return [
		priceRow(`ALL-IN ${job.diskGb}G $/h`, cost => cost.allIn),
		...(hasSeveral ? [priceRow(' per GPU $/h', cost => cost.allInPerGpu)] : []),
		...(expectsTraffic(job) ? trafficRows : []),
		detail(priceRow(' GPU $/h', cost => cost.gpu)),
		detail(priceRow(` disk ${job.diskGb}G $/h`, cost => cost.disk)),
		priceRow('stopped $/h', cost => cost.disk),
		number('DLP per $', 'MONEY', ({dlperf_per_dphtotal: value}) => value, decimals(0)),
	];
}

const trafficRows: readonly Measure[] = [
	priceRow(' without traffic $/h', cost => cost.running),
	{
		...priceRow(' traffic $/h', trafficOf),
		text: ({cost}) => (trafficOf(cost) === 0 ? 'free' : shortPrice(trafficOf(cost))),
	},
];

function trafficOf({trafficIn, trafficOut}: OfferCost): number | undefined {
	return trafficIn === undefined || trafficOut === undefined ? undefined : trafficIn + trafficOut;
}

export function jobRows({hours}: Job): readonly Measure[] {
	return [
		priceRow(`${hours} h cost`, cost => cost.job, 'JOB', money),
		priceRow(
			'7 d cost',
			({perDay}) => (perDay === undefined ? undefined : perDay * DAYS_PER_WEEK),
			'JOB',
			money,
		),
	];
}
