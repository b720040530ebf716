/** Offers as commands print them: a record with stable names, and columns for reading. */
import {duration, gpusOf, gigabytesOfMb, percent, price} from '../renter/text/format.ts';
import {costOf, type Job} from '../contract/nouns/offer-cost.ts';
import type {Offer} from '../contract/nouns/offers.ts';
import type {Pricing} from '../contract/nouns/offer-search.ts';
import {withNulls, type Column} from './output.ts';

/** An offer as `--json` shows it. What the service does not say is null. */
export function offerRecord(offer: Offer, job: Job, pricing: Pricing) {
	const cost = costOf(offer, job);
	return withNulls({
		id: offer.id,
		gpu: offer.gpu_name,
		gpus: offer.num_gpus,
		vram_mb: offer.gpu_ram,
		pricing,
		gpu_per_hour: cost.gpu,
		price_per_hour: cost.running,
		all_in_per_hour: cost.allIn,
		job_total: cost.job,
		least_bid: offer.min_bid,
		disk_gb: job.diskGb,
		free_disk_gb: offer.disk_space,
		location: offer.geolocation,
		reliability: offer.reliability ?? offer.reliability2,
		duration_seconds: offer.duration,
		cuda: offer.cuda_max_good,
		down_mbps: offer.inet_down,
		up_mbps: offer.inet_up,
		machine: offer.machine_id,
		host: offer.host_id,
		verification: offer.verification,
		isolation: offer.isolation,
		rentable: offer.rentable,
	});
}

/** Extras that prices include beside the GPUs: "a disk of 40 GB". */
export function includedIn({diskGb, inGbPerHour, outGbPerHour}: Job): string {
	const traffic = [
		...(inGbPerHour > 0 ? [`${inGbPerHour} GB/h in`] : []),
		...(outGbPerHour > 0 ? [`${outGbPerHour} GB/h out`] : []),
	].join(', ');
	const disk = `a disk of ${diskGb} GB`;
	return traffic === '' ? disk : `${disk} and the traffic of the settings (${traffic})`;
}

/** As in the list of the console: $/H is the GPUs alone, and ALL IN what an hour of the job costs. */
export function offerColumns(job: Job): ReadonlyArray<Column<Offer>> {
	return [
		{title: 'ID', isNumber: true, cell: ({id}) => String(id)},
		{title: 'GPUS', cell: gpusOf},
		{title: 'VRAM', isNumber: true, cell: ({gpu_ram: ram}) => gigabytesOfMb(ram)},
		{title: '$/H', isNumber: true, cell: offer => price(costOf(offer, job).gpu)},
		{title: 'ALL IN', isNumber: true, cell: offer => price(costOf(offer, job).allIn)},
		{
			title: 'REL',
			isNumber: true,
			cell: ({reliability, reliability2}) => percent(reliability ?? reliability2),
		},
		{title: 'DAYS', isNumber: true, cell: ({duration: seconds}) => duration(seconds)},
		{title: 'WHERE', cell: ({geolocation}) => geolocation ?? undefined},
	];
}
