/** A provider's machines: their state, the terms on which they are offered, and their earnings. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {bareList, listReply} from '../grammar/list-reply.ts';
import {tolerant} from '../grammar/tolerant.ts';
import * as value from '../grammar/values.ts';
import {DAY} from '../rules/durations.ts';

const {amount, id, instant, pathWithId, done, dollars, pathUser} = value;

const days = {day: 1, week: 7, month: 30, year: 365} as const;
const LONGEST_DAYS = 3650;

/** Seconds of a time such as `3 months`, or of a number of seconds; undefined for other text. */
export function readTerm(text: string): number | undefined {
	const [, count, unit] = /^\s*(\d{1,9})(?:\s*(day|week|month|year)s?)?\s*$/i.exec(text) ?? [];
	if (count === undefined) return undefined;
	const known = Object.entries(days).find(([name]) => name === unit?.toLowerCase());
	return Number(count) * (known === undefined ? 1 : known[1] * DAY);
}

const term = z.codec(
	z.union([z.string(), z.number()], 'must be such as 3 months, or seconds'),
	z
		.number('must be such as 3 months, or seconds')
		.check(
			z.minimum(DAY, 'must be at least a day'),
			z.maximum(LONGEST_DAYS * DAY, 'must be at most ten years'),
		),
	{decode: said => readTerm(String(said)) ?? Number.NaN, encode: seconds => seconds},
);

const price = (least: number, most: number) =>
	z.nullish(
		z
			.number('must be a number of dollars')
			.check(
				z.minimum(least, `must be at least ${least}`),
				z.maximum(most, `must be at most ${most}`),
			),
	);

/** Sizes of a share of a machine, whose GPUs are bits of a number. */
const chunks = [1, 2, 4, 8, 16, 32];

const machineTerms = z.object({
	machine: id,
	/** Dollars per GPU-hour; for a machine without GPUs, dollars an hour. */
	price_gpu: price(0.001, 128),
	/** Dollars per GB and month. */
	price_disk: price(0, 1000),
	/** Dollars per GB, out of the machine and into it. */
	price_inetu: price(0, 1000),
	price_inetd: price(0, 1000),
	/** Least bid per GPU and hour. */
	price_min_bid: price(0.001, 128),
	/** Least number of GPUs that are rented together. */
	min_chunk: z.nullish(
		z.int().check(z.refine(size => chunks.includes(size), 'must be 1, 2, 4, 8, 16 or 32')),
	),
	end_date: z.nullish(instant.check(z.minimum(0), z.maximum(1e11))),
	/** Time for which the machine is offered, renewed each day. */
	duration: z.nullish(term),
	credit_discount_max: z.nullish(z.number().check(z.minimum(0), z.maximum(1))),
	/** GB offered for volumes; 0 for none. */
	vol_size: z.nullish(z.int().check(z.minimum(0), z.maximum(1e9))),
	vol_price: price(0, 1000),
});

export type MachineTerms = z.output<typeof machineTerms>;

export const maintenanceWindow = tolerant(
	{machine_id: id},
	{
		start_time: instant,
		end_time: instant,
		duration_hours: z.number(),
		maintenance_category: z.string(),
		maintenance_reason: z.string(),
	},
);

export type MaintenanceWindow = z.output<typeof maintenanceWindow>;

const hardware = {
	num_gpus: amount,
	gpu_name: z.string(),
	gpu_ram: value.megabytes,
	gpu_lanes: amount,
	gpu_mem_bw: value.gigabytesPerSecond,
	bw_nvlink: value.gigabytesPerSecond,
	pcie_bw: value.gigabytesPerSecond,
	pci_gen: value.figure,
	total_flops: value.figure,
	cpu_name: z.string(),
	cpu_cores: amount,
	cpu_ram: value.megabytes,
	disk_name: z.string(),
	disk_bw: value.megabytesPerSecond,
	inet_up: value.megabitsPerSecond,
	inet_down: value.megabitsPerSecond,
	driver_version: z.string(),
	direct_port_count: amount,
	public_ipaddr: z.string(),
	geolocation: z.string(),
	gpu_max_cur_temp: value.celsius,
};

const state = {
	verification: z.string(),
	reliability2: value.share,
	/** Problem in words; null for none. */
	error_description: z.string(),
	/** Reason why the machine cannot be rented until it passes its test; null for none. */
	quarantine: z.string(),
	/** Seconds since the machine's last heartbeat. */
	timeout: value.seconds,
	/** A letter for each GPU: D on demand, R reserved, I interruptible, x free. */
	gpu_occupancy: z.string(),
	current_rentals_running: amount,
	current_rentals_running_on_demand: amount,
	current_rentals_resident: amount,
	current_rentals_on_demand: amount,
	num_reports: amount,
	num_recent_reports: amount,
	earn_hour: value.dollars,
	earn_day: value.dollars,
	machine_maintenance: z.array(maintenanceWindow),
	/** Bid of the default job, which runs on idle GPUs; null for a machine without one. */
	bid_gpu_cost: value.dollarsPerHour,
	bid_image: z.string(),
	bid_image_args: z.array(z.string()),
	/** GPUs on which the default job runs at present. */
	bid_gpus_running: amount,
	/** Reason why the default job does not run on all idle GPUs; null if it does. */
	bid_trouble: z.string(),
};

const terms = {
	listed: z.boolean(),
	/** Dollars per GPU-hour, and per GB. Null for a machine that is not listed. */
	listed_gpu_cost: value.dollarsPerHour,
	min_bid_price: value.dollarsPerHour,
	listed_storage_cost: value.dollarsPerGbMonth,
	listed_inet_up_cost: value.dollarsPerGb,
	listed_inet_down_cost: value.dollarsPerGb,
	listed_min_gpu_count: amount,
	/** Dollars an hour for its owner's own rentals; absent if the service does not report it. */
	owner_dph: value.dollarsPerHour,
	credit_discount_max: value.share,
	start_date: instant,
	end_date: instant,
	/** Latest end of a rental. */
	client_end_date: instant,
	/** Disk in GB: offered, in total, used by instances, and free. */
	disk_space: value.gigabytes,
	max_disk_space: value.gigabytes,
	alloc_disk_space: value.gigabytes,
	avail_disk_space: value.gigabytes,
};

/** Unknown fields are kept. */
const machine = tolerant(
	{id},
	{machine_id: id, hostname: z.string(), name: z.string(), ...hardware, ...state, ...terms},
);

export type Machine = z.output<typeof machine>;

const doneTo = z.looseObject({
	success: z.literal(true),
	msg: z.optional(z.string()),
	machine_id: z.optional(id),
	user_id: z.optional(id),
});

const reading = {permission: 'machine_read', thresholdSeconds: 1} as const;
const writing = {permission: 'machine_write', thresholdSeconds: 1} as const;

export const list = endpoint({
	method: 'GET',
	path: '/api/v0/machines/',
	summary: 'List the machines of the account, with their terms, state and earnings',
	replies: {
		200: listReply(z.looseObject({machines: z.array(machine)}), {
			name: 'machines',
			record: machine,
			hasIds: true,
		}),
		...commonRefusals,
	},
	...reading,
});

export const show = endpoint({
	method: 'GET',
	path: '/api/v0/machines/{id}/',
	summary: 'Show a machine of the account',
	params: pathWithId,
	same: {'params.id': 'machines.id'},
	replies: {200: bareList('machines', machine), ...recordRefusals},
	...reading,
});

export const offer = endpoint({
	method: 'PUT',
	path: '/api/v0/machines/create_asks/',
	summary: 'Offer a machine, or change its terms; what is rented keeps its own',
	body: machineTerms,
	replies: {
		/** Counts of rentals extended to the new end. */
		200: z.looseObject({
			success: z.literal(true),
			msg: z.optional(z.string()),
			extended: amount,
		}),
		...recordRefusals,
	},
	...writing,
});

export const unlist = endpoint({
	method: 'DELETE',
	path: '/api/v0/machines/{id}/asks/',
	summary: 'Offer a machine no longer; what is rented goes on',
	params: pathWithId,
	same: {'params.id': 'machine_id'},
	replies: {200: doneTo, ...recordRefusals},
	...writing,
	thresholdSeconds: 1.8,
});

export const setFloor = endpoint({
	method: 'PUT',
	path: '/api/v0/machines/{id}/minbid/',
	summary: 'Set the least that a bid must be, per GPU and hour',
	params: pathWithId,
	body: z.object({
		price: z.number('must be a number of dollars').check(z.minimum(0.001), z.maximum(128)),
	}),
	replies: {200: done, ...recordRefusals},
	...writing,
	thresholdSeconds: 1.5,
});

/** A number in a query; the text `null` is none. */
const figure = z.optional(
	z.codec(
		z.string().check(z.regex(/^(?:null|\d{1,9}(?:\.\d{1,12})?)$/, 'must be a number')),
		z.nullable(z.number()),
		{decode: line => (line === 'null' ? null : Number(line)), encode: String},
	),
);

const earned = {gpu_earn: dollars, sto_earn: dollars, bwu_earn: dollars, bwd_earn: dollars};

const perMachine = z.looseObject({machine_id: id, ...earned});
const perDay = z.looseObject({day: z.int(), ...earned});

export const earnings = endpoint({
	method: 'GET',
	path: '/api/v0/users/{user_id}/machine-earnings/',
	summary: 'Show what machines earn: by machine, by day, and what is not paid out',
	params: pathUser,
	query: z.object({
		/** Days since 1970 in UTC, both included. */
		sday: figure,
		eday: figure,
		/** Number of days up to today; 30 by default. */
		last_days: figure,
		machid: figure,
	}),
	same: {'query.machid': 'per_machine.machine_id'},
	replies: {
		200: z.looseObject({
			summary: z.looseObject({
				total_gpu: dollars,
				total_stor: dollars,
				total_bwu: dollars,
				total_bwd: dollars,
			}),
			/** Gross earnings, the market's share, net earnings, and spendable money. */
			current: z.looseObject({
				balance: dollars,
				service_fee: dollars,
				total: dollars,
				credit: dollars,
			}),
			per_machine: z.array(perMachine),
			per_day: z.array(perDay),
		}),
		...commonRefusals,
	},
	permission: 'billing_read',
	thresholdSeconds: 2,
});
