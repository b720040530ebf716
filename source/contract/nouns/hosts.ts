/**
 * Calls between a host and the market: a host publishes machines with their asks, sends heartbeats,
 * takes work, and reports results. A work order is a wanted state and not a command: a restarted
 * host takes all orders, compares them with its instances, and continues.
 */
import * as z from 'zod/mini';
import {readIsolation} from '../rules/isolation.ts';
import * as value from '../grammar/values.ts';
import {copyWork, doorWork} from './copies.ts';
import {bounds} from '../grammar/bounds.ts';
import {endpoint, LONGEST_BODY_BYTES} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {orderLists} from '../grammar/order-lists.ts';
import {report as reportOfWork, task, volumeWork, work} from './host-work.ts';
import {isRegistry, MOST_REGISTRIES} from '../rules/image-name.ts';

const word = z.nullable(value.text(128));
/** Number in which values below a billionth are 0, because databases divide them by prices. */
const number = z.nullable(
	z.number().check(
		z.minimum(0),
		z.maximum(1e9),
		z.overwrite(price => (price < 1e-9 ? 0 : price)),
	),
);
/**
 * Isolation text, shown to renters: only known words are accepted, because a host could write
 * anything.
 */
const isolation = value.text(128).check(
	z.refine(words => readIsolation(words) !== undefined, {
		error: 'must be such as "container", "sandbox, no limit of disk" or "none: shares the machine"',
	}),
);
const flag = z.nullable(z.boolean());

/**
 * Facts of a machine. Null is unknown; amounts that depend on the number of GPUs are for the whole
 * machine.
 */
export const machineFacts = z.object({
	num_gpus: value.amount.check(z.minimum(0), z.maximum(52)),
	gpu_name: value.text(128),
	gpu_arch: z._default(word, null),
	gpu_ram: z._default(number, null),
	gpu_lanes: z._default(number, null),
	gpu_mem_bw: z._default(number, null),
	gpu_max_power: z._default(number, null),
	gpu_max_temp: z._default(number, null),
	gpu_display_active: z._default(flag, null),
	bw_nvlink: z._default(number, null),
	compute_cap: z._default(number, null),
	cuda_max_good: z._default(number, null),
	driver_version: z._default(word, null),
	cpu_name: z._default(word, null),
	cpu_arch: z._default(word, null),
	cpu_cores: z._default(number, null),
	cpu_ghz: z._default(number, null),
	cpu_ram: z._default(number, null),
	has_avx: z._default(flag, null),
	disk_name: z._default(word, null),
	disk_space: z._default(number, null),
	disk_bw: z._default(number, null),
	pci_gen: z._default(number, null),
	pcie_bw: z._default(number, null),
	mobo_name: z._default(word, null),
	os_version: z._default(word, null),
	inet_up: z._default(number, null),
	inet_down: z._default(number, null),
	static_ip: z._default(flag, null),
	public_ipaddr: z._default(word, null),
	geolocation: z._default(word, null),
	hostname: z._default(word, null),
	hosting_type: z._default(number, null),
	vms_enabled: z._default(flag, null),
	/** Isolation of instances, and the limits that they lack. */
	isolation: z._default(z.nullable(isolation), null),
	/**
	 * Benchmark result of all GPUs together; rentty's market does not trust a host, and estimates
	 * it by their name.
	 */
	dlperf: z._default(number, null),
	total_flops: z._default(number, null),
});

export type MachineFacts = z.output<typeof machineFacts>;

/** The most reports or asks of a machine in one message. */
const MOST_REPORTS = 1000;
/** The most fields of a report with a few mapped ports. */
const NAMES_OF_REPORT = 50;
const MOST_ASKS = 64;

/** Ask of a host: a price for some GPUs of a machine. */
const ask = z.object({
	/** GPUs of the machine, counted from 0; empty for a machine without GPUs. */
	gpu_ids: z.array(z.int().check(z.minimum(0), z.maximum(51))),
	/** Dollars an hour for these GPUs together. */
	dph_base: value.dollars.check(z.minimum(0), z.maximum(10_000)),
	/** The least accepted bid; null if bids are not accepted. */
	min_bid: z.nullable(value.dollars.check(z.minimum(0.001), z.maximum(10_000))),
	/** Dollars per GB and month. */
	storage_cost: value.dollars.check(z.minimum(0), z.maximum(1000)),
	/** Dollars per GB. */
	inet_up_cost: value.dollars.check(z.minimum(0), z.maximum(1000)),
	inet_down_cost: value.dollars.check(z.minimum(0), z.maximum(1000)),
	/** Disk that an instance of this ask may use. */
	disk_space: value.gigabytes.check(z.minimum(1), z.maximum(1e9)),
	direct_port_count: z.int().check(z.minimum(0), z.maximum(65_535)),
	/** End of the offer; null for as long as the host exists. */
	end_date: z.nullable(value.instant.check(z.minimum(0), z.maximum(1e11))),
});

export type Ask = z.output<typeof ask>;

const registry = value
	.text(255)
	.check(z.refine(isRegistry, {error: 'must be the name of a registry'}));

const publication = z.object({
	/** The host's own name for the machine. Publishing it again updates the publication. */
	name: value.text(64).check(z.minLength(1)),
	facts: machineFacts,
	/** GPUs that are in use outside of the market. */
	busy_gpus: z._default(z.array(z.int().check(z.minimum(0), z.maximum(51))), []),
	asks: z.array(ask).check(z.maxLength(MOST_ASKS)),
	/** Registries that instances may be pushed to as images; none if missing. */
	push_registries: z.optional(z.array(registry).check(z.maxLength(MOST_REGISTRIES))),
	/**
	 * Permanent identifiers of its present GPUs, so that each is offered only once; none if
	 * missing.
	 */
	gpu_uuids: z.optional(
		z
			.array(value.text(64).check(z.regex(/^[\w-]+$/, 'must be the name of a GPU')))
			.check(z.maxLength(52)),
	),
	/**
	 * Port at its address where the machine greets every connection, for the market's reachability
	 * check; without it, a public market offers no ports of the machine.
	 */
	reach: z.optional(
		z.object({
			port: z.int().check(z.minimum(1024), z.maximum(65_535)),
			word: z.string().check(z.regex(/^[\da-f]{32}$/, 'must be 32 hexadecimal digits')),
		}),
	),
});

export type Publication = z.output<typeof publication>;

const publishedAsk = z.looseObject({id: value.id, gpu_ids: z.array(z.int())});

const machine = z.looseObject({
	id: value.id,
	name: z.string(),
	num_gpus: value.amount,
	asks: z.array(publishedAsk),
});

export type HostMachine = z.output<typeof machine>;

const machineIds = z.array(value.id).check(z.maxLength(bounds.machine.most));

const fromHosts = {thresholdSeconds: undefined, extension: true} as const;

export const publish = endpoint({
	method: 'PUT',
	path: '/api/v0/hosts/machines/',
	summary: 'Publish a machine and what is asked for it',
	makes: ['machine'],
	body: publication,
	replies: {200: machine, ...commonRefusals},
	permission: 'machine_write',
	...fromHosts,
});

export const list = endpoint({
	method: 'GET',
	path: '/api/v0/hosts/machines/',
	summary: 'List the machines that were published with this account',
	replies: {200: z.looseObject({machines: z.array(machine)}), ...commonRefusals},
	permission: 'machine_read',
	...fromHosts,
});

export const withdraw = endpoint({
	method: 'DELETE',
	path: '/api/v0/hosts/machines/{id}/',
	summary: 'Offer a machine no longer',
	params: value.pathWithId,
	replies: {200: value.done, ...recordRefusals},
	permission: 'machine_write',
	...fromHosts,
});

/** The most relays that an agent connects to, beside the market's own. */
export const MOST_RELAYS = 16;

export const heartbeat = endpoint({
	method: 'POST',
	routine: true,
	path: '/api/v0/hosts/heartbeat/',
	summary: 'Show that machines live',
	body: z.object({machines: machineIds}),
	replies: {
		/**
		 * Interval of the heartbeat, the ids of unknown machines, whether the market has a relay
		 * for agents, and the separate relays, each with a ticket for the connections.
		 */
		200: z.looseObject({
			success: z.literal(true),
			every: value.seconds,
			unknown: z.array(value.id),
			relay: z.optional(z.boolean()),
			relays: z.optional(
				z
					.array(z.looseObject({url: value.text(255), ticket: value.text(2048)}))
					.check(z.maxLength(MOST_RELAYS)),
			),
		}),
		...commonRefusals,
	},
	permission: 'machine_write',
	...fromHosts,
	mostBytes: LONGEST_BODY_BYTES,
});

export const disconnect = endpoint({
	method: 'POST',
	routine: true,
	path: '/api/v0/hosts/disconnect/',
	summary: 'Say that machines go away',
	body: z.object({machines: machineIds}),
	replies: {200: value.done, ...commonRefusals},
	permission: 'machine_write',
	...fromHosts,
	mostBytes: LONGEST_BODY_BYTES,
});

const count = z.codec(
	z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number')),
	z.number(),
	{
		decode: Number,
		encode: String,
	},
);

const MOST_NAMED = 64;

/** Numbers with commas between them. */
const ids = z.codec(
	z.string().check(z.regex(/^\d{1,15}(,\d{1,15})*$/, 'must be whole numbers with commas between')),
	z.array(z.number()).check(z.maxLength(MOST_NAMED)),
	{
		decode: line => line.split(',').map(Number),
		encode: numbers => numbers.join(','),
	},
);

export const takeWork = endpoint({
	method: 'GET',
	path: '/api/v0/hosts/work/',
	summary: 'Take the work that changed since a revision, waiting until there is some',
	query: z.object({
		/** The revision of the last reply; 0 for all work. */
		after: count,
		/** Seconds to wait for new work, 25 at most. */
		wait: z.optional(count),
		/** Machines whose work is taken, and machines whose work other agents take; all without either. */
		machines: z.optional(ids),
		except: z.optional(ids),
	}),
	replies: {
		200: orderLists(
			z.looseObject({
				revision: z.int(),
				work: z.array(work),
				volumes: z.array(volumeWork),
				tasks: z.array(task),
				copies: z.optional(z.array(copyWork)),
				copy_doors: z.optional(z.array(doorWork)),
			}),
		),
		...commonRefusals,
	},
	permission: 'machine_read',
	...fromHosts,
});

export const report = endpoint({
	method: 'POST',
	routine: true,
	path: '/api/v0/hosts/reports/',
	summary: 'Report what became of the work',
	body: z.object({reports: z.array(reportOfWork).check(z.maxLength(MOST_REPORTS))}),
	replies: {
		/** The instances that are destroyed, or not the host's: their data can be deleted. */
		200: z.looseObject({success: z.literal(true), gone: z.array(value.id)}),
		...commonRefusals,
	},
	permission: 'machine_write',
	...fromHosts,
	mostBytes: LONGEST_BODY_BYTES,
	mostNames: MOST_REPORTS * NAMES_OF_REPORT,
});

export const answer = endpoint({
	method: 'POST',
	routine: true,
	path: '/api/v0/hosts/tasks/{id}/',
	summary: 'Answer a task',
	params: value.pathWithId,
	body: z.object({text: value.text(512 * 1024)}),
	replies: {200: value.done, ...recordRefusals},
	permission: 'machine_write',
	...fromHosts,
	mostBytes: LONGEST_BODY_BYTES,
});
