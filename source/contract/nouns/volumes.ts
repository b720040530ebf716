/**
 * Volumes: disks on one machine that outlive instances. The machine's provider offers the space.
 */
import * as z from 'zod/mini';
import {dependentBody, tolerant} from '../grammar/tolerant.ts';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {FilterError, readNumber} from '../grammar/filter.ts';
import {listReply} from '../grammar/list-reply.ts';
import * as value from '../grammar/values.ts';
import {
	parseVolumeSearch,
	printVolumeSearch,
	type VolumeSearch,
	volumeNamePattern,
	volumeNameRule,
} from './volume-search.ts';

const machine = {
	machine_id: value.id,
	host_id: value.id,
	cluster_id: value.id,
	cpu_name: z.string(),
	cpu_arch: z.string(),
	cuda_max_good: value.figure,
	disk_name: z.string(),
	/** The free size of an offer; the size of a volume. */
	disk_space: value.gigabytes,
	driver_version: z.string(),
	mobo_name: z.string(),
	os_version: z.string(),
	inet_up: value.megabitsPerSecond,
	inet_down: value.megabitsPerSecond,
	reliability2: value.share,
	static_ip: z.boolean(),
	geolocation: z.string(),
	verification: z.string(),
	start_date: value.instant,
	end_date: value.instant,
	storage_cost: value.dollarsPerGbMonth,
	storage_total_cost: value.dollarsPerHour,
};

/** Unknown fields are kept. */
const volumeOffer = tolerant(
	{id: value.id},
	{
		...machine,
		ask_contract_id: value.id,
		bundle_id: value.id,
		gpu_arch: z.string(),
		cpu_ghz: value.gigahertz,
		disk_bw: value.megabytesPerSecond,
		/** Numbers that are documented as texts, unlike those of offers. */
		driver_vers: z.string(),
		reliability: value.share,
		reliability_mult: value.share,
		score: value.figure,
		geolocode: z.string(),
		vericode: z.string(),
		vms_enabled: z.boolean(),
		external: z.boolean(),
		duration: value.seconds,
	},
);

export type VolumeOffer = z.output<typeof volumeOffer>;

/** Unknown fields are kept. */
export const volume = tolerant(
	{id: value.id},
	{
		...machine,
		label: z.string(),
		/** `creating` while it is being cloned, and `in-use` while an instance uses it. */
		status: z.string(),
		/** Last message about copies into the volume, or about its clones. */
		status_msg: z.string(),
		/** The volume whose content was cloned into it. */
		clone_of: value.id,
		/** The caller's idempotency mark of the request that created it. */
		wish: z.string(),
		instances: z.array(z.unknown()),
		public_ipaddr: z.string(),
		type: z.string(),
	},
);

export type Volume = z.output<typeof volume>;

const volumeSearch = dependentBody<VolumeSearch>({
	read: parseVolumeSearch,
	write: printVolumeSearch,
	takes: {
		order: z.optional(z.array(z.tuple([z.string(), z.string()]))),
		limit: z.optional(z.int()),
		allocated_storage: z.optional(value.gigabytes),
	},
	throws: [FilterError],
});

/** A whole number, which some clients write as text. */
export function whole(least: number, problem: string) {
	const number = z.int(problem).check(z.minimum(least, problem));
	return z.codec(z.union([z.number(), z.string()], problem), number, {
		decode: given => readNumber(given) ?? Number.NaN,
		encode: given => given,
	});
}

const badId = 'Please provide a valid volume ID.';

const done = z.looseObject({success: z.optional(z.boolean()), msg: z.optional(z.string())});

export const search = endpoint({
	method: 'POST',
	path: '/api/v0/volumes/search/',
	summary: 'Search the room that machines have for volumes',
	onlyReads: true,
	body: volumeSearch,
	same: {'body.filter': 'offers'},
	replies: {
		200: listReply(z.looseObject({offers: z.array(volumeOffer)}), {
			name: 'offers',
			record: volumeOffer,
			hasIds: true,
		}),
		...commonRefusals,
	},
	permission: 'misc',
	keyless: true,
	thresholdSeconds: 5.5,
	unfit: 'badRequest',
});

export const list = endpoint({
	method: 'GET',
	path: '/api/v0/volumes/',
	summary: 'List the volumes of the account',
	query: z.object({
		type: z.optional(z.enum(['all_volume', 'local_volume', 'network_volume'])),
	}),
	replies: {
		200: listReply(z.looseObject({volumes: z.array(volume)}), {
			name: 'volumes',
			record: volume,
			hasIds: true,
		}),
		...commonRefusals,
	},
	permission: 'instance_read',
	thresholdSeconds: 5.5,
});

/** The highest accepted price, in dollars per GB and month. */
const highestPrice = z.nullish(z.number().check(z.minimum(0), z.maximum(1000)));

export const create = endpoint({
	method: 'PUT',
	path: '/api/v0/volumes/',
	summary: 'Create a volume where a machine has room for it',
	makes: ['volume'],
	body: z.object({
		id: whole(0, 'must be the id of an offer of a volume search'),
		size: z.nullish(whole(1, 'must be a whole number of at least 1 (GB)')),
		name: z.nullish(z.string().check(z.regex(volumeNamePattern, volumeNameRule))),
		most_storage_cost: highestPrice,
	}),
	replies: {
		200: z.looseObject({volume_name: z.string(), volume_id: z.nullish(value.id)}),
		...recordRefusals,
	},
	permission: 'instance_write',
	thresholdSeconds: 5.5,
});

export const copy = endpoint({
	method: 'POST',
	path: '/api/v0/volumes/copy/',
	summary:
		'Clone a volume where a machine has room for it: charged for from now on, and given back where its host fails by its own fault',
	makes: ['volume', 'copy'],
	body: z.object({
		/** The volume, which no instance may use. */
		src_id: whole(0, 'must be the id of a volume'),
		dst_id: whole(0, 'must be the id of an offer of a volume search'),
		/** Size of the clone; by default that of the volume. */
		size: z.nullish(whole(1, 'must be a whole number of at least 1 (GB)')),
		/** Ignored: copies are never compressed. */
		disable_compression: z.nullish(z.boolean()),
		name: z.nullish(z.string().check(z.regex(volumeNamePattern, volumeNameRule))),
		most_storage_cost: highestPrice,
		/**
		 * The caller's idempotency mark for this clone: a repeated request creates no second one.
		 */
		wish: z.nullish(value.text(64).check(z.regex(/^[\w-]+$/, 'has letters, digits, - and _'))),
	}),
	replies: {
		200: z.looseObject({
			success: z.literal(true),
			volume_id: value.id,
			volume_name: z.optional(z.string()),
			msg: z.optional(z.string()),
			disk_space: z.optional(value.gigabytes),
			storage_cost: z.optional(value.dollarsPerGbMonth),
			storage_total_cost: z.optional(value.dollarsPerHour),
		}),
		...recordRefusals,
	},
	permission: 'instance_write',
	thresholdSeconds: 5.5,
});

const remove = endpoint({
	method: 'DELETE',
	path: '/api/v0/volumes/',
	summary: 'Delete a volume and what is on it',
	/** The id, which may be in the query or in the body. */
	query: z.object({id: z.optional(value.pathId)}),
	body: z.object({id: z.nullish(whole(0, badId))}),
	replies: {200: done, ...recordRefusals},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: 5.5,
});

export {remove as delete};

const machineIds = z.union([value.id, z.array(value.id).check(z.minLength(1), z.maxLength(100))]);

export const offerRoom = endpoint({
	method: 'POST',
	path: '/api/v0/volumes/',
	summary: 'Offer room for volumes on machines that are listed; on all that are named, or on none',
	body: z.object({
		machine: z.codec(machineIds, z.array(value.id), {
			decode: given => (typeof given === 'number' ? [given] : given),
			encode: given => given,
		}),
		size: z.nullish(whole(1, 'must be a whole number of at least 1 (GB)')),
		/** Dollars per GB and month. */
		price_disk: z.nullish(z.number().check(z.minimum(0), z.maximum(1000))),
		/** Ignored: volume space ends with the other offers of its machine. */
		end_date: z.nullish(value.instant),
	}),
	same: {'body.machine': 'volume_offers.machine_id'},
	replies: {
		200: z.looseObject({
			success: z.literal(true),
			msg: z.optional(z.string()),
			volume_offers: z.array(
				z.looseObject({
					id: value.id,
					machine_id: value.id,
					size: value.gigabytes,
					price_disk: value.dollarsPerGbMonth,
					end_date: z.nullable(value.instant),
				}),
			),
		}),
		...recordRefusals,
	},
	permission: 'machine_write',
	thresholdSeconds: 5,
});

export const unlistRoom = endpoint({
	method: 'POST',
	path: '/api/v0/volumes/unlist/',
	summary: 'Offer room for volumes no longer; volumes that are there stay',
	body: z.object({
		id: whole(0, 'You must pass in `id` in the body of the request'),
	}),
	replies: {
		200: z.looseObject({success: z.literal(true), msg: z.optional(z.string())}),
		...recordRefusals,
	},
	permission: 'machine_write',
	thresholdSeconds: 5,
});
