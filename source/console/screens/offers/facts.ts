import type {Job, OfferCost} from '../../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import type {Section} from '../../ui/facts.tsx';
import {
	count,
	decimals,
	duration,
	known,
	MISSING,
	money,
	percent,
	pricePerDay,
	pricePerHour,
	shortPrice,
} from '../../../renter/text/format.ts';
import {
	pricesSeen,
	type HostRecord,
	bootFacts,
	curveOf,
	lastSeen,
} from '../../../renter/offers/host-history.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {memoryOf, tierInWords, wholeOf} from './compare.ts';
import {expectsTraffic, trafficInWords} from '../../../renter/offers/job.ts';

const HOURS_PER_WEEK = 168;
const text = known(printable);
const yesOrNo = known((value: boolean) => (value ? 'yes' : 'no'));
const perGb = known((dollars: number) => (dollars === 0 ? 'free' : shortPrice(dollars)));
const MB_PER_GB = 1024;
const gigabytesOfMb = known((megabytes: number) => `${count(megabytes / MB_PER_GB)} GB`);

/** A value with its unit, or nothing but the sign for a missing one. */
function unit(value: string, name: string): string {
	return value === MISSING ? MISSING : `${value} ${name}`;
}

/** Context of an offer's detail, beside the offer. */
export type OfferContext = {
	readonly job: Job;
	readonly cost: OfferCost;
	/** History of its host; undefined where nothing is known. */
	readonly host: HostRecord | undefined;
	readonly now: Date;
};

/** Everything about an offer that decides whether to rent it. */
export function factsOf(offer: Offer, context: OfferContext): readonly Section[] {
	return [
		payment(offer, context),
		equipment(offer),
		risk(offer, context.now),
		...history(offer, context),
		machine(offer),
	];
}

function payment(offer: Offer, {job, cost}: OfferContext): Section {
	const {allIn, perDay} = cost;
	const total = allIn === undefined ? MISSING : `${pricePerHour(allIn)}  ${pricePerDay(perDay)}`;
	const traffic = [cost.trafficIn, cost.trafficOut].includes(undefined)
		? undefined
		: (cost.trafficIn ?? 0) + (cost.trafficOut ?? 0);
	const prepaid = offer.discounted_dph_total;
	return {
		title: 'WHAT YOU PAY',
		facts: [
			['GPU', pricePerHour(cost.gpu)],
			[`disk ${job.diskGb} GB`, pricePerHour(cost.disk)],
			...fact(expectsTraffic(job), trafficInWords(job), pricePerHour(traffic)),
			['ALL-IN', total],
			[`${job.hours} h cost`, `${money(cost.job)}  a week ${money(times(allIn, HOURS_PER_WEEK))}`],
			['when stopped', unit(pricePerHour(cost.disk), '(disk only)')],
			['traffic', `${perGb(offer.inet_down_cost)} in  ${perGb(offer.inet_up_cost)} out /GB`],
			...fact(typeof offer.min_bid === 'number', 'lowest bid', pricePerHour(offer.min_bid)),
			...fact((offer.discounted_hourly ?? 0) > 0, 'prepaid', pricePerHour(prepaid)),
		],
	};
}

/** A fact that is only there under a condition. */
function fact(isThere: boolean, name: string, value: string): Array<readonly [string, string]> {
	return isThere ? [[name, value]] : [];
}

function times(price: number | undefined, hours: number): number | undefined {
	return price === undefined ? undefined : price * hours;
}

function equipment(offer: Offer): Section {
	const exact = unit(count(offer.gpu_ram), 'MB');
	const ports = offer.direct_port_count;
	const reach = typeof ports !== 'number' ? '' : ports > 0 ? ' (direct SSH ok)' : ' (SSH by proxy)';
	return {
		title: 'WHAT YOU GET',
		facts: [
			[
				'VRAM',
				offer.gpu_ram === undefined ? MISSING : `${gigabytesOfMb(offer.gpu_ram)}  (${exact})`,
			],
			['vCPU / RAM', `${decimals(0)(offer.cpu_cores_effective)} / ${memoryInWords(offer)}`],
			['disk free', unit(count(wholeOf(offer.disk_space)), 'GB')],
			['net', `${count(offer.inet_down)} down / ${count(offer.inet_up)} up Mb/s`],
			['CUDA max', decimals(1)(offer.cuda_max_good)],
			['direct ports', `${count(ports)}${reach}`],
			['PCIe', `${decimals(1)(offer.pci_gen)}  lanes ${count(offer.gpu_lanes)}`],
		],
	};
}

/** The memory that goes with the cores, and that of the whole machine: "64 of 512 GB". */
function memoryInWords(offer: Offer): string {
	const all = gigabytesOfMb(offer.cpu_ram);
	const own = memoryOf(offer);
	if (all === MISSING || offer.gpu_frac === 1) return all;
	return own === undefined ? `${all} in all` : `${count(own / MB_PER_GB)} of ${all}`;
}

function risk(offer: Offer, now: Date): Section {
	return {
		title: 'RISK',
		facts: [
			['reliability', unit(percent(offer.reliability), '%').replace(' %', '%')],
			['tier', tierWithVerification(offer)],
			['rental ends', endOf(offer, now)],
			['static IP', yesOrNo(offer.static_ip)],
			...fact(typeof offer.isolation === 'string', 'isolation', text(offer.isolation)),
		],
	};
}

function tierWithVerification(offer: Offer): string {
	const isDatacenter = offer.hosting_type === 1;
	const verification = isDatacenter ? text(offer.verification) : tierInWords(offer);
	if (typeof offer.hosting_type !== 'number') return verification;
	return `${verification}, ${isDatacenter ? 'datacenter' : 'not datacenter'}`;
}

const MS_PER_SECOND = 1000;

/** The latest end of a rental: its duration and day. */
function endOf({duration: seconds}: Offer, now: Date): string {
	if (typeof seconds !== 'number') return MISSING;
	const end = new Date(now.getTime() + seconds * MS_PER_SECOND);
	// A service may send more than a calendar has.
	const day = Number.isNaN(end.getTime()) ? '' : ` (${end.toISOString().slice(0, 10)})`;
	return `in ${duration(seconds)}${day}`;
}

/** History of its host and its prices; empty where none was seen. */
function history({gpu_name: gpu, dph_base: base, num_gpus: gpus}: Offer, context: OfferContext) {
	const {host, now} = context;
	if (host === undefined || typeof gpu !== 'string') return [];
	const prices = pricesSeen(host, gpu);
	const before = lastSeen(prices, now);
	const present = typeof base === 'number' && gpus ? base / gpus : undefined;
	const facts = [
		...bootFacts(host),
		...(before === undefined
			? []
			: [
					['last GPU price', `${shortPrice(before.dollars)} (${daysAgo(before.daysAgo)})`] as const,
					['seen', `${curveOf(prices, now)} ${shortPrice(present)} per GPU`] as const,
				]),
	];
	return facts.length === 0 ? [] : [{title: 'YOUR HISTORY HERE', facts}];
}

function daysAgo(days: number): string {
	return days === 1 ? 'yesterday' : `${days} days ago`;
}

function machine(offer: Offer): Section {
	return {
		title: 'MACHINE',
		facts: [
			['where', text(offer.geolocation)],
			['machine / host', `${known(String)(offer.machine_id)} / ${known(String)(offer.host_id)}`],
			['CPU', text(offer.cpu_name)],
			['disk', text(offer.disk_name)],
			['driver', text(offer.driver_version)],
			['system', text(offer.os_version)],
		],
	};
}
