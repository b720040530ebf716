/** Terms of listings, and the asks that they make of a machine. */
import {type Ask, type Publication, machineFacts} from '../../contract/nouns/hosts.ts';
import type {MachineTerms} from '../../contract/nouns/machines.ts';
import {Refusal} from '../base/refusal.ts';
import type {MachineRow} from '../database/instance-tables.ts';
import type {ListingRow} from '../database/provider-tables.ts';
import type {OfferRow} from '../database/schema.ts';
import {readGpuIds} from '../base/gpu-mask.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';

/** A host's publication of a machine, without its name. */
type Published = Omit<Publication, 'name'>;

/** Default price of disk in dollars per GB and month. */
const USUAL_DISK_PRICE = 0.1;

/** @throws Refusal for impossible terms */
export function listingOf(
	terms: MachineTerms,
	before: ListingRow | undefined,
	now: number,
): ListingRow {
	if (!isGiven(terms.price_gpu) && before === undefined) {
		throw refuse('price_gpu is needed: dollars per GPU and hour.');
	}
	if (terms.vol_size === 0 && isGiven(terms.vol_price)) {
		throw refuse('vol_price cannot be given where vol_size is 0.');
	}
	return {
		...usual,
		...before,
		...pricesIn(terms),
		...(isGiven(terms.min_chunk) && {min_chunk: terms.min_chunk}),
		...(isGiven(terms.credit_discount_max) && {discount: terms.credit_discount_max}),
		...(isGiven(terms.vol_size) && {volume_gb: terms.vol_size}),
		...endOf(terms, before, now),
		machine_id: terms.machine,
		is_on: 1,
		since: before?.is_on === 1 ? before.since : now,
	};
}

/** Default terms of a first listing. */
const usual = {
	gpu_micros: 0,
	disk_micros: USUAL_DISK_PRICE * MICROS_PER_DOLLAR,
	up_micros: 0,
	down_micros: 0,
	floor_micros: null,
	min_chunk: 1,
	discount: 0,
	volume_gb: null,
	volume_micros: null,
};

/** Given prices in micro-dollars. */
function pricesIn(terms: MachineTerms): Partial<ListingRow> {
	const given = {
		gpu_micros: terms.price_gpu,
		disk_micros: terms.price_disk,
		up_micros: terms.price_inetu,
		down_micros: terms.price_inetd,
		floor_micros: terms.price_min_bid,
		volume_micros: terms.vol_price,
	};
	return Object.fromEntries(
		Object.entries(given).flatMap(([name, dollars]) =>
			isGiven(dollars) ? [[name, Math.round(dollars * MICROS_PER_DOLLAR)]] : [],
		),
	);
}

/** End of a listing: a date, a time counted anew each day, or none. */
function endOf(
	{end_date: end, duration}: MachineTerms,
	before: ListingRow | undefined,
	now: number,
): Pick<ListingRow, 'end_date' | 'rolling_seconds'> {
	if (isGiven(end) && isGiven(duration)) {
		throw refuse('end_date and duration cannot both be given.');
	}
	if (isGiven(end)) {
		if (end <= now) throw refuse('end_date is over.');
		return {end_date: end, rolling_seconds: null};
	}
	const rolling = duration ?? before?.rolling_seconds ?? null;
	if (rolling !== null) return {end_date: now + rolling, rolling_seconds: rolling};
	const kept = before?.end_date ?? 0;
	return {end_date: kept > now ? kept : null, rolling_seconds: null};
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
	return value !== null && value !== undefined;
}

function refuse(message: string): Refusal {
	return new Refusal('badArguments', message);
}

/**
 * Terms of a machine that is offered without a listing; undefined if it is not offered. The lowest
 * of several prices counts, so that no rental gets dearer.
 */
export function presentListing(
	machine: Pick<MachineRow, 'id' | 'publication' | 'num_gpus'>,
	offers: readonly OfferRow[],
	now: number,
): ListingRow | undefined {
	const listed = offers.filter(offer => offer.listed === 1);
	const {asks = []} = publishedOf(machine, listed.length > 0 ? listed : offers) ?? {};
	if (asks.length === 0) return undefined;
	const sizes = asks.map(({gpu_ids: ids}) => Math.max(1, ids.length));
	const least = (of: (ask: Ask, gpus: number) => number) =>
		Math.min(...asks.map((ask, index) => of(ask, sizes[index] ?? 1)));
	const floors = asks.flatMap((ask, index) =>
		ask.min_bid === null ? [] : [priceOfOne(ask.min_bid, sizes[index] ?? 1)],
	);
	const end = least(({end_date}) => end_date ?? Infinity);
	const terms: MachineTerms = {
		machine: machine.id,
		price_gpu: least((ask, gpus) => priceOfOne(ask.dph_base, gpus)),
		price_disk: least(ask => ask.storage_cost),
		price_inetu: least(ask => ask.inet_up_cost),
		price_inetd: least(ask => ask.inet_down_cost),
		price_min_bid: floors.length === 0 ? null : Math.min(...floors),
		min_chunk: 2 ** Math.floor(Math.log2(Math.min(...sizes))),
		credit_discount_max: listed[0]?.credit_discount_max,
		end_date: Number.isFinite(end) && end > now ? end : null,
	};
	return listingOf(terms, undefined, now);
}

/** Price per GPU, rounded down so that all together cost no more than before. */
function priceOfOne(dollars: number, gpus: number): number {
	return Math.floor(Math.round(dollars * MICROS_PER_DOLLAR) / gpus) / MICROS_PER_DOLLAR;
}

/** Asks for a published machine on the terms of its listing; none if unlisted. */
export function listedAsks(listing: ListingRow, {facts, asks}: Published): Ask[] {
	if (listing.is_on === 0) return [];
	const present = new Set(asks.flatMap(({gpu_ids: ids}) => ids));
	const groups = groupsOf(facts.num_gpus, listing.min_chunk).filter(ids =>
		ids.every(id => present.has(id)),
	);
	// A group that the host publishes itself has its own disk and ports; others get their share.
	const whole = asks.toSorted((one, other) => other.gpu_ids.length - one.gpu_ids.length)[0];
	if (whole === undefined) return [];
	const known = new Map(
		asks.map(ask => [ask.gpu_ids.toSorted((one, other) => one - other).join(), ask]),
	);
	return groups.map(ids => {
		const count = Math.max(1, ids.length);
		const own = known.get(ids.join());
		const share = count / Math.max(1, whole.gpu_ids.length);
		const dollars = (perGpu: number) => (perGpu * count) / MICROS_PER_DOLLAR;
		return {
			gpu_ids: ids,
			dph_base: dollars(listing.gpu_micros),
			min_bid: listing.floor_micros === null ? null : dollars(listing.floor_micros),
			storage_cost: listing.disk_micros / MICROS_PER_DOLLAR,
			inet_up_cost: listing.up_micros / MICROS_PER_DOLLAR,
			inet_down_cost: listing.down_micros / MICROS_PER_DOLLAR,
			disk_space: own?.disk_space ?? Math.max(1, Math.floor(whole.disk_space * share)),
			direct_port_count: own?.direct_port_count ?? whole.direct_port_count,
			end_date: listing.end_date,
		};
	});
}

/** Groups of neighbouring GPUs: of the least size, of twice that and so on, and all GPUs. */
function groupsOf(gpus: number, least: number): number[][] {
	if (gpus === 0) return [[]];
	const groups: number[][] = [];
	for (let size = least; size < gpus; size *= 2) {
		for (let first = 0; first + size <= gpus; first += size) groups.push(range(first, size));
	}
	// A machine with very many GPUs is offered in its larger groups.
	return [...groups, range(0, gpus)].slice(-MOST_GROUPS);
}

const MOST_GROUPS = 64;

function range(first: number, size: number): number[] {
	return Array.from({length: size}, (_, index) => first + index);
}

/** The last publication of a machine; for a made-up machine, read from its offers. */
export function publishedOf(
	{publication, num_gpus}: Pick<MachineRow, 'publication' | 'num_gpus'>,
	offers: readonly OfferRow[],
): Published | undefined {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	if (publication !== null) return JSON.parse(publication) as Published;
	const whole = offers.toSorted((one, other) => other.num_gpus - one.num_gpus)[0];
	if (whole === undefined) return undefined;
	const share = whole.gpu_frac ?? 1;
	const inAll = (value: number | null) => (value === null ? null : value / share);
	return {
		busy_gpus: [],
		facts: machineFacts.parse({
			...whole,
			num_gpus,
			dlperf: inAll(whole.dlperf),
			total_flops: inAll(whole.total_flops),
			disk_space: inAll(whole.disk_space),
			gpu_display_active: flag(whole.gpu_display_active),
			has_avx: flag(whole.has_avx),
			static_ip: flag(whole.static_ip),
			vms_enabled: flag(whole.vms_enabled),
		}),
		asks: offers.map(askOf),
	};
}

function flag(value: number | null): boolean | null {
	return value === null ? null : value === 1;
}

function dollarsOf(micros: number | null): number {
	return (micros ?? 0) / MICROS_PER_DOLLAR;
}

function askOf(offer: OfferRow): Ask {
	return {
		gpu_ids: readGpuIds(offer.gpu_ids),
		dph_base: dollarsOf(offer.dph_base_micros),
		min_bid: offer.floor_bid_micros === null ? null : dollarsOf(offer.floor_bid_micros),
		storage_cost: dollarsOf(offer.storage_cost_micros),
		inet_up_cost: dollarsOf(offer.inet_up_cost_micros),
		inet_down_cost: dollarsOf(offer.inet_down_cost_micros),
		disk_space: offer.disk_space ?? 1,
		direct_port_count: offer.direct_port_count ?? 0,
		end_date: offer.end_date,
	};
}
