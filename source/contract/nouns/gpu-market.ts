/** GPUs offered and rented in the whole market, with their prices, at present and before. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals} from '../grammar/errors.ts';
import {readNumber} from '../grammar/filter.ts';
import {listReply, mapReply} from '../grammar/list-reply.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {amount, dollarsPerHour, figure, instant} from '../grammar/values.ts';

export const gpuNames = endpoint({
	method: 'GET',
	path: '/api/v0/gpu_names/unique/',
	summary: 'List the names of the GPUs that are offered',
	replies: {
		200: listReply(z.looseObject({gpu_names: z.array(z.string())}), {
			name: 'gpu_names',
			record: z.string(),
		}),
		...commonRefusals,
	},
	permission: undefined,
	thresholdSeconds: undefined,
});

const sizes = ['all', '1', '2', '4', '8'] as const;

/** Machines included in the figures: by default verified machines of any size and location. */
const machines = {
	verified: z._default(z.enum(['yes', 'no', 'all']), 'yes'),
	hosting_type: z._default(z.enum(['all', 'secure_cloud', 'community']), 'all'),
	/** GPUs of the machine; 8 is 8 and more. */
	num_gpus: z._default(z.enum(sizes), 'all'),
};

export type MachineChoice = z.output<z.ZodMiniObject<typeof machines>>;

const counts = {
	rented_verified: amount,
	avail_verified: amount,
	rented_unverified: amount,
	avail_unverified: amount,
};

const worth = {
	dlperf: figure,
	tflops: figure,
	tflops_per_dollar: figure,
	dlperf_per_dollar: figure,
};

/** Present figures of a GPU by its name. Prices are for one GPU and hour. */
const gpuFigures = tolerant(
	{gpu_name: z.string()},
	{
		...counts,
		...worth,
		total: amount,
		available: amount,
		/** Percent of GPUs rented: at present, and on average over 30 days. */
		usage: figure,
		usage_30d: figure,
		price_p10: dollarsPerHour,
		price_p25: dollarsPerHour,
		price_median: dollarsPerHour,
		price_p75: dollarsPerHour,
		price_p90: dollarsPerHour,
	},
);

export type GpuFigures = z.output<typeof gpuFigures>;

const moments = z.array(instant);
const numbers = z.array(z.number());
/** Prices at the timestamps; left out if unknown. */
const prices = z.optional(z.array(z.nullable(dollarsPerHour)));

/** Figures of a GPU over time: all lists are as long as their timestamps. */
const gpuHistory = tolerant(
	{},
	{
		supply_demand: z.looseObject({
			timestamps: moments,
			rented_verified: numbers,
			avail_verified: numbers,
			rented_unverified: numbers,
			avail_unverified: numbers,
			total: numbers,
		}),
		pricing: z.looseObject({
			timestamps: moments,
			rented_p10: prices,
			rented_median: prices,
			rented_p90: prices,
			avail_p10: prices,
			avail_median: prices,
			avail_p90: prices,
		}),
		stats: tolerant({}, worth),
	},
);

export type GpuHistory = z.output<typeof gpuHistory>;

const place = tolerant(
	{gpu_name: z.string()},
	{
		latitude: z.number(),
		longitude: z.number(),
		city: z.string(),
		country_code: z.string(),
		num_gpus: amount,
		rented: z.boolean(),
		verified: z.boolean(),
		datacenter: z.boolean(),
	},
);

export type GpuLocation = z.output<typeof place>;

const success = z.optional(z.boolean());

export const current = endpoint({
	method: 'GET',
	path: '/api/v0/metrics/gpu/current/',
	summary: 'Show what GPUs are offered and rented at present, and at what prices',
	query: z.object(machines),
	replies: {
		200: listReply(z.looseObject({success, gpus: z.array(gpuFigures)}), {
			name: 'gpus',
			record: gpuFigures,
		}),
		...commonRefusals,
	},
	permission: 'misc',
	thresholdSeconds: 3,
});

const moment = z.optional(
	z.codec(z.string(), z.number('must be a number'), {
		decode: value => readNumber(value) ?? Number.NaN,
		encode: String,
	}),
);

export const history = endpoint({
	method: 'GET',
	path: '/api/v0/metrics/gpu/history/',
	summary: 'Show how many GPUs were offered and rented over time, and at what prices',
	query: z.object({
		...machines,
		/** Names with commas between them; all GPUs without one. */
		gpu_name: z.optional(z.string()),
		/** Seconds since 1970; defaults to a day ago. */
		start: moment,
		end: moment,
		/** Seconds between points, at least 60; more if there would be too many points. */
		step: moment,
	}),
	replies: {200: mapReply('gpus', gpuHistory), ...commonRefusals},
	permission: 'misc',
	thresholdSeconds: 3,
});

export const locations = endpoint({
	method: 'GET',
	path: '/api/v0/metrics/gpu/locations/',
	summary: 'Show where GPUs are offered',
	replies: {
		200: listReply(z.looseObject({success, locations: z.array(place)}), {
			name: 'locations',
			record: place,
		}),
		...commonRefusals,
	},
	permission: 'misc',
	thresholdSeconds: 3,
});
