import {Box, Text} from 'ink';
import {pad} from '../../ui/chrome.ts';
import {fit, widthOf, printable} from '../../../renter/text/text-width.ts';
import type {Theme} from '../../ui/theme.ts';
import {costOf, type Job} from '../../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
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
	datedPricesOf,
	type HostRecord,
	bootFacts,
	curveOf,
	lastEarlierPrice,
} from '../../../renter/offers/host-history.ts';
import {memoryOf, formatTier, hourlyTrafficCost, roundDown} from './compare.ts';
import {expectsTraffic, formatJobTraffic} from '../../../renter/offers/job.ts';

/** Section of facts: a title, and a name and a value a line. */
type Section = {
	readonly title: string;
	readonly facts: ReadonlyArray<readonly [name: string, value: string]>;
};

const HOURS_PER_WEEK = 168;
const text = known(printable);
const yesOrNo = known((value: boolean) => (value ? 'yes' : 'no'));
const perGb = known((dollars: number) => (dollars === 0 ? 'free' : shortPrice(dollars)));
const MB_PER_GB = 1024;
const gigabytesOfMb = known((megabytes: number) => `${count(megabytes / MB_PER_GB)} GB`);

/** The sign for a missing value stays without a unit. */
function unit(value: string, name: string): string {
	return value === MISSING ? MISSING : `${value} ${name}`;
}

type OfferContext = {
	readonly job: Job;
	/** History of its host; undefined if nothing is known. */
	readonly host: HostRecord | undefined;
	readonly now: Date;
};

/** Facts of an offer that decide whether to rent it. */
export function offerSections(offer: Offer, context: OfferContext): readonly Section[] {
	return [
		payment(offer, context.job),
		equipment(offer),
		risk(offer, context.now),
		...history(offer, context),
		machine(offer),
	];
}

function payment(offer: Offer, job: Job): Section {
	const cost = costOf(offer, job);
	const {allIn, perDay} = cost;
	const total = allIn === undefined ? MISSING : `${pricePerHour(allIn)}  ${pricePerDay(perDay)}`;
	const prepaid = offer.discounted_dph_total;
	return {
		title: 'WHAT YOU PAY',
		facts: [
			['GPU', pricePerHour(cost.gpu)],
			[`disk ${job.diskGb} GB`, pricePerHour(cost.disk)],
			...fact(expectsTraffic(job), formatJobTraffic(job), pricePerHour(hourlyTrafficCost(cost))),
			['ALL-IN', total],
			[`${job.hours} h cost`, `${money(cost.job)}  a week ${money(times(allIn, HOURS_PER_WEEK))}`],
			['when stopped', unit(pricePerHour(cost.disk), '(disk only)')],
			['traffic', trafficPrices(offer)],
			...fact(typeof offer.min_bid === 'number', 'lowest bid', pricePerHour(offer.min_bid)),
			...fact((offer.discounted_hourly ?? 0) > 0, 'prepaid', pricePerHour(prepaid)),
		],
	};
}

function trafficPrices({inet_down_cost: down, inet_up_cost: up}: Offer): string {
	return down === 0 && up === 0 ? 'free' : `${perGb(down)} in  ${perGb(up)} out /GB`;
}

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
			['disk free', unit(count(roundDown(offer.disk_space)), 'GB')],
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
			...measuredFact(offer, now),
			['rental ends', endOf(offer, now)],
			['static IP', yesOrNo(offer.static_ip)],
			...fact(typeof offer.isolation === 'string', 'isolation', text(offer.isolation)),
		],
	};
}

/** Measured performance of its GPUs: "2d ago: 79.2 GB, 310 TOPS, 1.9 TB/s". */
function measuredFact({measured}: Offer, now: Date): Section['facts'] {
	if (measured === undefined || measured === null) return [];
	const {at, memory_gb: memory, int8_tops: products, memory_tbs: bandwidth} = measured;
	const age = duration(Math.max(0, now.getTime() / MS_PER_SECOND - at));
	return [['measured', `${age} ago: ${memory} GB, ${products} TOPS, ${bandwidth} TB/s`]];
}

function tierWithVerification(offer: Offer): string {
	const isDatacenter = offer.hosting_type === 1;
	const verification = isDatacenter ? text(offer.verification) : formatTier(offer);
	if (typeof offer.hosting_type !== 'number') return verification;
	return `${verification}, ${isDatacenter ? 'datacenter' : 'not datacenter'}`;
}

const MS_PER_SECOND = 1000;

/** The latest end of a rental: its duration and day. */
function endOf({duration: seconds}: Offer, now: Date): string {
	if (typeof seconds !== 'number') return MISSING;
	const end = new Date(now.getTime() + seconds * MS_PER_SECOND);
	// A service may send a duration that ends beyond the last valid date.
	const day = Number.isNaN(end.getTime()) ? '' : ` (${end.toISOString().slice(0, 10)})`;
	return `in ${duration(seconds)}${day}`;
}

/** History of its host and its prices; empty if none was seen. */
function history({gpu_name: gpu, dph_base: base, num_gpus: gpus}: Offer, context: OfferContext) {
	const {host, now} = context;
	if (host === undefined || typeof gpu !== 'string') return [];
	const prices = datedPricesOf(host, gpu);
	const before = lastEarlierPrice(prices, now);
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

/** More than fit beside each other in a comparison. */
const MOST_EQUALS = 12;

/** The other offers of as many of the same GPU, the cheapest first. */
export function equalOffers(offer: Offer, rows: readonly Offer[], job: Job): readonly Offer[] {
	const {id, gpu_name: gpu, num_gpus: gpus} = offer;
	if (gpu === undefined || gpus === undefined) return [];
	return rows
		.filter(other => other.id !== id && other.gpu_name === gpu && other.num_gpus === gpus)
		.map(other => ({other, price: costOf(other, job).allIn ?? Number.POSITIVE_INFINITY}))
		.toSorted((a, b) => a.price - b.price || a.other.id - b.other.id)
		.slice(0, MOST_EQUALS)
		.map(({other}) => other);
}

/** Equal offers with their prices on a line, as many as fit. */
export function equalsLine(
	theme: Theme,
	width: number,
	equals: readonly Offer[],
	job: Job,
): string {
	const title = 'EQUAL OFFERS';
	const tail = equals.length === 0 ? '  none in the list' : '  (= compares)';
	let line = '';
	for (const other of equals) {
		const next = `   ${other.id} ${shortPrice(costOf(other, job).allIn)}`;
		if (widthOf(title + line + next + tail) > width) break;
		line += next;
	}
	return theme.style('heading', title) + fit(line + tail, width - title.length);
}

type Props = {
	readonly sections: readonly Section[];
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
	/** Lines scrolled away. */
	readonly top?: number;
};

const LEAST_COLUMN = 36;
const MOST_COLUMNS = 3;

/** Sections of names and values, side by side where the screen is wide enough. */
export function Facts({sections, theme, width, height, top = 0}: Props) {
	const among = columnsIn(width);
	const columnWidth = Math.floor((width - among + 1) / among);
	const columns = inColumns(
		sections.map(section => sectionLines(section, theme, columnWidth)),
		among,
	);
	const lines = Array.from({length: height}, (_, row) =>
		columns.map(column => pad(column[row + top] ?? '', columnWidth)).join(' '),
	);
	return (
		<Box width={width} height={height} flexShrink={0}>
			<Text wrap="truncate">{lines.join('\n')}</Text>
		</Box>
	);
}

function columnsIn(width: number): number {
	const fitting = Math.floor((width + 1) / (LEAST_COLUMN + 1));
	return Math.max(1, Math.min(MOST_COLUMNS, fitting));
}

/** Lines to scroll, limited so that none stays hidden and no space is wasted. */
export function scrolledFacts(
	sections: readonly Section[],
	{width, height}: Pick<Props, 'width' | 'height'>,
	wanted: number,
): number {
	const blocks = sections.map(({title, facts}) => [title, ...facts.map(([name]) => name)]);
	const columns = inColumns(blocks, columnsIn(width));
	// Each ends with an empty line.
	const longest = Math.max(0, ...columns.map(column => column.length - 1));
	return Math.max(0, Math.min(wanted, longest - height));
}

/** Puts each block of lines, one after the other, under the column that is the shortest. */
function inColumns(
	blocks: ReadonlyArray<readonly string[]>,
	among: number,
): ReadonlyArray<readonly string[]> {
	const columns = Array.from({length: among}, (): string[] => []);
	for (const block of blocks) {
		const least = Math.min(...columns.map(column => column.length));
		columns.find(column => column.length === least)?.push(...block, '');
	}
	return columns;
}

function sectionLines({title, facts}: Section, theme: Theme, width: number): readonly string[] {
	const names = Math.max(...facts.map(([name]) => widthOf(name))) + 2;
	return [
		theme.style('heading', fit(title, width)),
		...facts.map(
			([name, value]) =>
				` ${theme.style('quiet', fit(name, names))}${fit(value, width - names - 1)}`,
		),
	];
}
