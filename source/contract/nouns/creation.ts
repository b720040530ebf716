/** Accepting offers: each makes an instance. */
import * as z from 'zod/mini';
import {dependentBody} from '../grammar/tolerant.ts';
import {OrderError, printOrder, readOrder, type InstanceOrder} from './creation-request.ts';
import {endpoint, LONG_BODY_BYTES} from '../grammar/endpoint.ts';
import {commonRefusals, refusalReply} from '../grammar/errors.ts';
import {FilterError, readNumber} from '../grammar/filter.ts';
import {isRecord} from '../grammar/json.ts';
import {parseOfferSearch, printOfferSearch, type OfferSearch} from './offer-search.ts';
import {LeaseError, leaseOrder, readLease} from './leases.ts';
import {id} from '../grammar/values.ts';

const record = z.record(z.string(), z.unknown());

/** Every field, for the documents. */
const takes = {
	image: z.nullish(z.string()),
	template_hash_id: z.nullish(z.string()),
	label: z.nullish(z.string()),
	disk: z.nullish(z.union([z.number(), z.string()])),
	runtype: z.nullish(z.string()),
	target_state: z.nullish(z.enum(['running', 'stopped'])),
	price: z.nullish(z.number()),
	env: z.nullish(z.union([z.string(), record])),
	cancel_unavail: z.nullish(z.boolean()),
	vm: z.nullish(z.boolean()),
	onstart: z.nullish(z.string()),
	args: z.nullish(z.array(z.string())),
	args_str: z.nullish(z.string()),
	use_jupyter_lab: z.nullish(z.boolean()),
	jupyter_dir: z.nullish(z.string()),
	python_utf8: z.nullish(z.boolean()),
	lang_utf8: z.nullish(z.boolean()),
	force: z.nullish(z.boolean()),
	user: z.nullish(z.string()),
	image_login: z.nullish(z.string()),
	volume_info: z.nullish(record),
	extra_filters: z.nullish(record),
	lease: z.nullish(leaseOrder),
};

/** An order with its lease. Only the lease needs a schema, so `readOrder` loads without one. */
function readLeased(body: Readonly<Record<string, unknown>>): InstanceOrder {
	return {...readOrder(body), lease: readLease(body['lease'])};
}

const order = dependentBody<InstanceOrder>({
	read: readLeased,
	write: printOrder,
	takes,
	throws: [OrderError, LeaseError],
});

/** An order for several offers: an instance of each. */
export type OrderOfMany = {readonly askIds: readonly number[]; readonly order: InstanceOrder};

const MOST_ORDERS = 100;

const orderOfMany = dependentBody<OrderOfMany>({
	read: body => ({askIds: readIds(body['ids']), order: readLeased(body)}),
	write: ({askIds, order: each}) => ({...printOrder(each), ids: askIds}),
	takes: {...takes, ids: z.array(id)},
	throws: [OrderError, LeaseError],
});

function readIds(value: unknown): readonly number[] {
	const ids = Array.isArray(value) ? value.map(readNumber) : [];
	const known = ids.filter(number => number !== undefined && Number.isSafeInteger(number));
	if (ids.length === 0 || ids.length > MOST_ORDERS || known.length < ids.length) {
		throw new OrderError(`ids must be a list of 1 to ${MOST_ORDERS} offer ids`);
	}
	return known.filter(number => number !== undefined);
}

/** An order for the first offer of a search that can be rented. */
export type LaunchOrder = {readonly search: OfferSearch; readonly order: InstanceOrder};

const launchOrder = dependentBody<LaunchOrder>({
	read({q = {}, ...body}) {
		if (!isRecord(q)) throw new OrderError('q must be an object');
		return {search: parseOfferSearch(q), order: readLeased(body)};
	},
	write: ({search, order: each}) => ({...printOrder(each), q: printOfferSearch(search)}),
	takes: {...takes, q: record},
	throws: [OrderError, LeaseError, FilterError],
});

const created = {
	success: z.boolean(),
	/** The number of the instance. */
	new_contract: id,
	/** API key for starting, stopping and destroying this instance alone; shown once. */
	instance_api_key: z.nullish(z.string()),
};

const creationReply = z.looseObject(created);

export type Created = z.output<typeof creationReply>;

const refusedOffer = z.looseObject({
	success: z.literal(false),
	ask_id: z.nullable(id),
	error: z.string(),
	msg: z.string(),
});

const notToBeHad = {...commonRefusals, 404: refusalReply, 410: refusalReply} as const;

const badId = 'args invalid, `id` is required and must be a valid offer ID';
const askPath = z.object({
	id: z.codec(z.string().check(z.regex(/^\d{1,15}$/, badId)), z.number(), {
		decode: Number,
		encode: String,
	}),
});

export const create = endpoint({
	method: 'PUT',
	path: '/api/v0/asks/{id}/',
	summary: 'Rent an offer: make an instance of it',
	makes: ['instance', 'volume'],
	params: askPath,
	body: order,
	replies: {200: creationReply, ...notToBeHad},
	permission: 'instance_write',
	thresholdSeconds: 4.5,
	mostBytes: LONG_BODY_BYTES,
	refusesAs: 'creation',
});

export const createMany = endpoint({
	method: 'POST',
	path: '/api/v0/asks/bulk/',
	summary: 'Rent several offers',
	makes: ['instance', 'volume'],
	body: orderOfMany,
	same: {'body.askIds': 'results.ask_id'},
	replies: {
		/** A result per offer: an offer that cannot be rented does not fail the others. */
		200: z.looseObject({
			success: z.boolean(),
			new_contracts: z.array(id),
			results: z.array(z.union([z.looseObject({...created, ask_id: id}), refusedOffer])),
		}),
		...commonRefusals,
	},
	permission: 'instance_write',
	thresholdSeconds: 4.5,
	mostBytes: LONG_BODY_BYTES,
	countedAs: 'PUT /api/v0/asks/{id}/',
});

export const launch = endpoint({
	method: 'PUT',
	path: '/api/v0/launch_instance/',
	summary: 'Rent the first offer of a search',
	makes: ['instance', 'volume'],
	body: launchOrder,
	replies: {
		200: z.looseObject({...created, ask_id: z.nullish(id)}),
		...commonRefusals,
		404: refusalReply,
	},
	permission: 'instance_write',
	thresholdSeconds: 5,
	mostBytes: LONG_BODY_BYTES,
});
