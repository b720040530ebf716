/** Tools that search offers and templates: find, compare, templates, account. */
import * as z from 'zod/mini';
import {anyOffers} from '../../contract/nouns/offer-search.ts';
import {capLeft} from '../../contract/grammar/caps.ts';
import type {Account} from '../../contract/nouns/account.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import type {FleetState} from '../../renter/fleet/fleet-state.ts';
import {formatGpus, pricePerHour} from '../../renter/text/format.ts';
import {costOf, type Job} from '../../contract/nouns/offer-cost.ts';
import {searchOffers} from '../../renter/offers/local-filter.ts';
import {byCost, explainZero, offerRecord, readRequestedSearch} from '../offers.ts';
import {asked, pollFleet, usedNow, type Agent} from './agent.ts';
import {shortText} from '../../renter/agents/fence.ts';
import {guardLine, limitLines} from './limits.ts';
import {linesText, listed, tool, withUntrusted} from './tool.ts';

const shownFields = [
	'id',
	'gpu',
	'gpus',
	'vram_mb',
	'price_per_hour',
	'disk_gb',
	'location',
	'reliability',
	'duration_seconds',
	'down_mbps',
	'machine',
	'verification',
] as const;

function shownOffer(offer: Offer, job: Job, pricing: 'on-demand' | 'bid' | 'reserved') {
	return withUntrusted(offerRecord(offer, job, pricing), shownFields);
}

function offerLine(offer: Offer, job: Job): string {
	const price = pricePerHour(costOf(offer, job).running);
	return `${offer.id}: ${shortText(formatGpus(offer))}, ${price}, ${shortText(offer.geolocation)}`;
}

export const find = tool({
	name: 'find',
	about:
		'Offers to rent, cheapest first. words as in "4x4090 <2.50 us,ca": GPU, count, dollars an hour, VRAM (24g), country. ' +
		'Says which word to leave out where nothing matches.',
	input: z.object({
		words: z.optional(z.string().check(z.maxLength(400))),
		disk_gb: z.optional(z.number()),
		limit: z.optional(z.int().check(z.minimum(1), z.maximum(30))),
	}),
	output: listed('offers'),
	kind: 'reads',
	async run({context, client}, {words = '', disk_gb, limit = 10}) {
		const options = {disk: disk_gb === undefined ? undefined : String(disk_gb)};
		const given = words.split(/\s+/).filter(word => word !== '');
		const wanted = await readRequestedSearch(asked(context, options, given), client);
		const search = {...wanted.search, limit};
		const {job} = wanted;
		const {offers: found} = await searchOffers(client, search, {job, signal: context.signal});
		if (found.length === 0) {
			const text = await explainZero(client, wanted, context.signal);
			return {text, data: {offers: []}};
		}
		const sorted = byCost(found, job);
		return {
			text: linesText(
				'offer',
				sorted.map(offer => offerLine(offer, job)),
			),
			data: {offers: sorted.map(offer => shownOffer(offer, job, wanted.search.pricing))},
		};
	},
});

export const compare = tool({
	name: 'compare',
	about: 'Some offers beside each other, by their ids.',
	input: z.object({offers: z.array(z.int()).check(z.minLength(1), z.maxLength(10))}),
	output: listed('offers'),
	kind: 'reads',
	async run({context, client}, {offers: ids}) {
		const {settings, signal} = context;
		const {diskGb, hours, inGbPerHour, outGbPerHour} = settings;
		const job = {diskGb, hours, inGbPerHour, outGbPerHour};
		const filter = [{field: 'id', operator: 'in', value: ids} as const];
		const {offers} = await client.offers.search(
			{...anyOffers, filter, limit: ids.length, diskGb},
			{signal},
		);
		const gone = ids.filter(id => !offers.some(offer => offer.id === id));
		const lines = byCost(offers, job).map(offer => offerLine(offer, job));
		return {
			text: [linesText('offer', lines), ...gone.map(id => `${id}: gone`)].join('\n'),
			data: {offers: offers.map(offer => shownOffer(offer, job, 'on-demand'))},
		};
	},
});

export const templates = tool({
	name: 'templates',
	about: 'Templates whose name or image has all of the words in it.',
	input: z.object({words: z.optional(z.string().check(z.maxLength(200)))}),
	output: listed('templates'),
	kind: 'reads',
	async run({context, client}, {words = ''}) {
		const {templates: all} = await client.templates.search({}, {signal: context.signal});
		const parts = words.toLowerCase().split(/\s+/);
		const found = all
			.filter(({name, image}) => {
				const text = `${name ?? ''} ${image ?? ''}`.toLowerCase();
				return parts.every(part => text.includes(part));
			})
			.slice(0, 20)
			.map(({hash_id: hash, name, image}) => ({
				hash: isHash(hash) ? hash : null,
				untrusted: {name: shortText(name), image: shortText(image)},
			}));
		const lines = found.map(
			({hash, untrusted: {name, image}}) => `${hash ?? '-'}: ${name} (${image})`,
		);
		return {text: linesText('template', lines), data: {templates: found}};
	},
});

/** Quote takes a hash, so it stands among the trusted data. */
function isHash(hash: unknown): hash is string {
	return typeof hash === 'string' && /^[\da-f]{8,64}$/i.test(hash);
}

/** Use of the limits: as the market counts it, or by the rents of agents. */
async function presentUse(agent: Agent, account: Account, state: FleetState) {
	const {limits, isOfMarket, rents, service} = agent;
	if (limits.limits === undefined) return undefined;
	if (!isOfMarket) {
		const ids = new Set(state.rows.map(({instance}) => instance.id));
		return usedNow(agent, await rents.read(service), ids);
	}
	const {key_cap_used: used} = account;
	// No dollars: an instance without an end has no bounded cost.
	return used == null ? undefined : {...used, dollars: used.dollars ?? Infinity};
}

function rightsLines({limits, isOfMarket}: Agent, account: Account): readonly string[] {
	const own = isOfMarket ? [] : limitLines(limits).slice(0, -1);
	if (limits.limits !== undefined) return [...own, guardLine(account)];
	return isOfMarket ? [NO_CAP] : own;
}

/** Credit, running instances, and what the limits leave. */
async function accountAnswer(agent: Agent) {
	const {client, context, limits} = agent;
	const {signal} = context;
	const [account, {state}] = await Promise.all([
		client.account.current({signal}),
		pollFleet(agent),
	]);
	const use = await presentUse(agent, account, state);
	const left = limits.limits === undefined || use === undefined ? [] : capLeft(limits.limits, use);
	const lines = [
		...rightsLines(agent, account),
		`Credit: $${(account.credit ?? 0).toFixed(2)}. All instances cost ${pricePerHour(state.burn.now)}.`,
		...(left.length === 0 ? [] : [`Left of the limits: ${left.join('; ')}.`]),
	];
	const data = {
		credit: account.credit ?? null,
		burn_per_hour: state.burn.now,
		limits: limits.limits ?? null,
		used: use === undefined ? null : {...use, dollars: finite(use.dollars)},
		key_cap: account.key_cap ?? null,
	};
	return {text: lines.join('\n'), data};
}

const NO_CAP =
	"This key has no cap, so it only reads here. One that rents: rentty keys new agents --cap '$5/day, 2 instances'.";

const finite = (value: number) => (Number.isFinite(value) ? value : null);

export const account = tool({
	name: 'account',
	about: 'Credit, what all instances cost an hour, the limits of the user and what they leave.',
	input: z.object({}),
	output: z.looseObject({credit: z.nullable(z.number())}),
	kind: 'reads',
	run: accountAnswer,
});
