/** Machine records for their providers, made from rows. */
import type {Machine, MaintenanceWindow} from '../../contract/nouns/machines.ts';
import {HOURS_PER_MONTH} from '../../contract/nouns/offer-cost.ts';
import {gpuIndexesOfMask} from '../base/gpu-mask.ts';
import type {InstanceRow, MachineRow} from '../database/instance-tables.ts';
import type {DefaultJobRow, ListingRow, MaintenanceRow} from '../database/provider-tables.ts';
import type {OfferRow} from '../database/schema.ts';
import {defaultJobOf} from '../default-jobs/rules.ts';
import {publishedOf} from './listing-rules.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';

type MachineFiles = {
	readonly machine: MachineRow;
	readonly listing: ListingRow | undefined;
	/** All offers of the machine, past ones included. */
	readonly offers: readonly OfferRow[];
	readonly rentals: readonly InstanceRow[];
	readonly defaultJob: DefaultJobRow | undefined;
	/** Instances of the default job. */
	readonly jobs: readonly InstanceRow[];
	readonly volumes: {readonly gb: number; readonly monthly: number};
	readonly reports: {readonly all: number; readonly recent: number};
	/** Present and future maintenance. */
	readonly windows: readonly MaintenanceRow[];
	/** Earnings of the last day in micro-dollars. */
	readonly earnedMicros: number;
};

/** Hardware fields that the machine's offers have. */
const shared = [
	'gpu_name',
	'gpu_ram',
	'gpu_lanes',
	'gpu_mem_bw',
	'bw_nvlink',
	'pcie_bw',
	'pci_gen',
	'cpu_name',
	'cpu_cores',
	'cpu_ram',
	'disk_name',
	'disk_bw',
	'inet_up',
	'inet_down',
	'driver_version',
	'direct_port_count',
	'public_ipaddr',
	'geolocation',
	'hostname',
] as const satisfies ReadonlyArray<keyof OfferRow>;

export function providerMachine(files: MachineFiles, now: number): Machine {
	const {machine, offers} = files;
	const {id, name, num_gpus} = machine;
	const listed = offers.filter(offer => offer.listed === 1);
	const whole = largestOf(listed) ?? largestOf(offers);
	const hardware = Object.fromEntries(shared.map(field => [field, whole?.[field] ?? null]));
	return {
		...hardware,
		id,
		machine_id: id,
		name,
		num_gpus,
		total_flops: whole?.total_flops ?? null,
		verification: machine.verification ?? whole?.verification ?? null,
		reliability2: machine.reliability ?? whole?.reliability ?? null,
		quarantine: machine.quarantine,
		gpu_max_cur_temp: null,
		error_description: troubleOf(machine, now) ?? null,
		timeout: machine.heard_at === null ? null : Math.max(0, Math.floor(now - machine.heard_at)),
		owner_dph: 0,
		...termsOf(files, listed),
		...diskOf(files, largestOf(listed)),
		...rentedOf(files),
		...defaultJobOf(files),
		num_reports: files.reports.all,
		num_recent_reports: files.reports.recent,
		machine_maintenance: files.windows.map(windowRecord),
	};
}

export function windowRecord(window: MaintenanceRow): MaintenanceWindow {
	const {machine_id, start_at, end_at, reason, category} = window;
	return {
		machine_id,
		start_time: start_at,
		end_time: end_at,
		duration_hours: (end_at - start_at) / 3600,
		maintenance_category: category,
		maintenance_reason: reason,
	};
}

function largestOf(offers: readonly OfferRow[]): OfferRow | undefined {
	return offers.toSorted((one, other) => other.num_gpus - one.num_gpus)[0];
}

function troubleOf({absent, contact, heard_at: heard, ...machine}: MachineRow, now: number) {
	if (machine.quarantine !== null) {
		return `Nobody can rent it until it passes its test: ${machine.quarantine}`;
	}
	if (machine.in_maintenance === 1) return 'It is being maintained: nobody can rent it.';
	if (heard === null) return 'Its host was never heard.';
	if (absent === 0) return undefined;
	if (contact === 'lost') return 'Its host is gone: nobody can rent it.';
	return `Its host was not heard for ${Math.floor((now - heard) / 60)} minutes: nobody can rent it.`;
}

function dollars(micros: number): number {
	return micros / MICROS_PER_DOLLAR;
}

function termsOf({machine, listing}: MachineFiles, listed: readonly OfferRow[]) {
	const [offer] = listed.toSorted((one, other) => one.num_gpus - other.num_gpus);
	if (machine.listed === 0 || offer === undefined) {
		return {
			listed: false,
			listed_gpu_cost: null,
			min_bid_price: null,
			listed_storage_cost: null,
			listed_inet_up_cost: null,
			listed_inet_down_cost: null,
			listed_min_gpu_count: null,
			credit_discount_max: null,
			start_date: null,
			end_date: null,
		};
	}
	const gpus = Math.max(1, offer.num_gpus);
	const floor = offer.floor_bid_micros;
	return {
		listed: true,
		listed_gpu_cost: dollars(offer.dph_base_micros / gpus),
		min_bid_price: floor === null ? null : dollars(floor / gpus),
		listed_storage_cost: dollars(offer.storage_cost_micros),
		listed_inet_up_cost: dollars(offer.inet_up_cost_micros ?? 0),
		listed_inet_down_cost: dollars(offer.inet_down_cost_micros ?? 0),
		listed_min_gpu_count: offer.num_gpus,
		credit_discount_max: listing?.discount ?? offer.credit_discount_max,
		start_date: offer.start_date,
		end_date: offer.end_date,
	};
}

function diskOf({machine, offers, rentals, volumes}: MachineFiles, offer: OfferRow | undefined) {
	const inAll = publishedOf(machine, offers)?.facts.disk_space ?? null;
	const taken = Math.ceil(rentals.reduce((sum, {disk_gb: gb}) => sum + gb, volumes.gb));
	const offered = Math.floor(offer?.disk_space ?? 0);
	return {
		disk_space: offered,
		max_disk_space: inAll === null ? offered : Math.floor(inAll),
		alloc_disk_space: taken,
		avail_disk_space: Math.max(0, offered - taken),
	};
}

function rentedOf({machine, rentals, volumes, earnedMicros}: MachineFiles) {
	const running = rentals.filter(({current}) => current === 'running');
	const ends = rentals.map(({end_date: end}) => end);
	return {
		gpu_occupancy: occupancyOf(machine, running),
		current_rentals_running: running.length,
		current_rentals_running_on_demand: onDemandOf(running),
		current_rentals_resident: rentals.length,
		current_rentals_on_demand: onDemandOf(rentals),
		client_end_date: ends.length === 0 ? null : Math.max(...ends),
		earn_hour: dollars(hourlyOf(machine, rentals) + volumes.monthly / HOURS_PER_MONTH),
		earn_day: dollars(earnedMicros),
	};
}

function onDemandOf(rows: readonly InstanceRow[]): number {
	return rows.filter(row => row.is_bid === 0).length;
}

/** Micro-dollars an hour from renters. A provider's own instances earn nothing. */
function hourlyOf({account_id: provider}: MachineRow, rentals: readonly InstanceRow[]): number {
	return rentals
		.filter(({account_id: renter}) => renter !== provider)
		.reduce((sum, {gpu_micros, storage_micros, disk_gb, current, actual}) => {
			const gpu = current === 'running' && actual === 'running' ? gpu_micros : 0;
			return sum + gpu + (storage_micros * disk_gb) / HOURS_PER_MONTH;
		}, 0);
}

/** A letter for each GPU: D on demand, I interruptible, x free. */
function occupancyOf({num_gpus: gpus}: MachineRow, running: readonly InstanceRow[]): string {
	const letters = Array.from({length: gpus}, () => 'x');
	for (const {gpu_mask: mask, is_bid: isBid} of running) {
		for (const gpu of gpuIndexesOfMask(mask))
			if (gpu < gpus) letters[gpu] = isBid === 1 ? 'I' : 'D';
	}
	return letters.join(' ');
}
