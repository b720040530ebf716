/** Tools that rent: a quote, and the rent that it binds. */
import * as z from 'zod/mini';
import {anyOffers} from '../../contract/nouns/offer-search.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {formatGpus, pricePerHour} from '../../renter/text/format.ts';
import {countryOf} from '../../contract/grammar/filter-match.ts';
import {labelWithAgentTag} from '../../renter/instance/agent-tag.ts';
import {agreedOrder} from '../../renter/orders/agreed-order.ts';
import {doublesText} from '../../renter/orders/doubles.ts';
import {CommandError} from '../base/failure.ts';
import {shownLabel} from '../../renter/words/lease.ts';
import {leasedOrder} from '../leases/lease-options.ts';
import {checkRent, hourlyPriceOf} from '../rent/checks.ts';
import {readRentOrder, type RentOrder} from '../rent/order.ts';
import {limitsAtRent} from '../leases/spending-limits.ts';
import {asked, changeLimits, limitProblem, pollFleet, refused, reserve, usedNow} from './agent.ts';
import type {Agent} from './agent.ts';
import {approvalProblem} from './approvals.ts';
import {quotedText, shortText} from '../../renter/agents/fence.ts';
import {noteMade, readEarlierRent, refuseRepeated, unmade, type Again} from './earlier-rents.ts';
import {isAllowedImage} from './limits.ts';
import {QUOTE_SECONDS, readQuote, signatureIn, signQuote, tokenOf, type Quote} from './quotes.ts';
import type {AgentRent, Line} from './rents.ts';
import {wholeId, tool} from './tool.ts';

/** The order of a quote, as it would be sent now. */
async function orderOf({context, client}: Agent, offer: number, order: Quote['order']) {
	const {settings, signal} = context;
	const own = {...settings, templateHash: null};
	const options = asked(context, order);
	const read = await readRentOrder(options, {client, settings: own});
	const filter = [{field: 'id', operator: 'eq', value: offer} as const];
	const diskGb = read.creation.disk.value;
	const {offers} = await client.offers.search({...anyOffers, filter, limit: 1, diskGb}, {signal});
	const [found] = offers;
	if (found === undefined || found.rentable === false) {
		throw refused(`Offer ${offer} is gone: find others. Nothing was rented.`);
	}
	await checkRent(options, client, {offer: found, order: read});
	const perHour = hourlyPriceOf(found, read);
	if (perHour === undefined) throw refused('The service names no price: nothing was rented.');
	return {found, read, perHour, options};
}

/** @throws CommandError for what the user's limits forbid, regardless of the running instances */
function refuseForbidden(agent: Agent, terms: Terms): void {
	const {each, images} = agent.limits;
	const {lease_hours: hours, regions} = changeLimits(agent);
	const {perHour, seconds, image, location} = terms;
	if (seconds > hours * 3600) {
		throw refused(`The user's limit is a lease of ${hours} hours: ask for at most that.`);
	}
	if (each !== undefined && perHour > each) {
		throw refused(
			`The user's limit is $${each} an hour for one instance; this is ${pricePerHour(perHour)}.`,
		);
	}
	if (!isAllowedImage(agent.limits, image)) {
		throw refused(
			`The user allows the images ${images?.join(', ')}, and not ${quotedText(image)}.`,
		);
	}
	const country = location === null ? null : (countryOf(location)?.toUpperCase() ?? null);
	if (regions !== undefined && (country === null || !regions.includes(country))) {
		throw refused(`The user allows machines in ${regions.join(', ')}: add these to the words.`);
	}
}

type Terms = {
	readonly perHour: number;
	readonly seconds: number;
	readonly image: string;
	readonly location: string | null;
};

function termsOf(
	offer: Offer,
	{creation}: RentOrder,
	price: Pick<Quote, 'perHour' | 'leaseSeconds'>,
) {
	const location = offer.geolocation ?? null;
	const image = creation.image.value ?? '';
	return {perHour: price.perHour, seconds: price.leaseSeconds, image, location};
}

const words = z.string().check(z.minLength(1), z.maxLength(4000));

export const quote = tool({
	name: 'quote',
	about:
		'Binds an offer, its price, an image or template, a disk and a lease for five minutes. rent takes the quote. ' +
		'The instance is destroyed when the lease ends.',
	input: z.object({
		offer: wholeId,
		hours: z.number().check(z.positive(), z.maximum(8760)),
		image: z.optional(words),
		template: z.optional(words),
		disk_gb: z.optional(z.int().check(z.minimum(1))),
		label: z.optional(z.string().check(z.maxLength(60))),
		onstart: z.optional(words),
		env: z.optional(words),
	}),
	output: z.looseObject({quote: z.string(), price_per_hour: z.number()}),
	kind: 'reads',
	async run(agent, {offer, hours, image, template, disk_gb, label, onstart, env}) {
		changeLimits(agent);
		if (onstart?.startsWith('@') === true) throw refused('onstart is a text: no file is read.');
		const disk = disk_gb === undefined ? undefined : String(disk_gb);
		const options = {
			image,
			template,
			disk,
			onstart,
			env,
			label: labelWithAgentTag(shortText(label ?? '', 60), agent.name),
		};
		const order = Object.fromEntries(
			Object.entries(options).flatMap(([name, value]) =>
				value === undefined ? [] : [[name, value]],
			),
		);
		const {found, read, perHour} = await orderOf(agent, offer, order);
		const price = {perHour, leaseSeconds: Math.round(hours * 3600)};
		const terms = termsOf(found, read, price);
		refuseForbidden(agent, terms);
		const {service, name, client, secret} = agent;
		const at = client.clock.now() / 1000;
		const gpus = found.num_gpus ?? 1;
		const bound = {service, agent: name, at, offer, gpus, order, ...price};
		const total = perHour * hours;
		return {
			text: [
				`${quotedText(`${formatGpus(found)} in ${found.geolocation}`, 120)} for ${hours} h: ` +
					`${pricePerHour(perHour)}, $${total.toFixed(2)} in all without traffic; then it is destroyed.`,
				'rent takes this quote within five minutes, with a key of your choice.',
			].join('\n'),
			data: {
				quote: signQuote(bound, secret),
				price_per_hour: perHour,
				total,
				disk_gb: read.creation.disk.value,
				untrusted: {image: shortText(terms.image)},
				expires_at: new Date((at + QUOTE_SECONDS) * 1000).toISOString(),
			},
		};
	},
});

export const rent = tool({
	name: 'rent',
	about:
		'Rents what a quote binds, once: the same key is the same instance, also after a lost answer. ' +
		'Refused where price or limits changed.',
	input: z.object({
		quote: z.string().check(z.maxLength(20_000)),
		key: z.string().check(z.regex(/^[\w.-]{1,64}$/)),
	}),
	output: z.looseObject({id: z.int()}),
	kind: 'rents',
	async run(agent, {quote: text, key}) {
		const {service, name, client, secret, rents} = agent;
		const token = tokenOf({service, agent: name}, key, secret);
		const now = client.clock.now() / 1000;
		const earlier = await readEarlierRent(agent, token, text);
		if (earlier !== undefined && 'id' in earlier) {
			return answerFor(earlier.id, 'This key rented it before: nothing was sent.');
		}
		const again = earlier?.again;
		const read = readQuote(text, {secret, now, service, agent: name});
		if ('problem' in read) throw refused(`${read.problem} Nothing was rented.`);
		const bound = read.quote;
		const {found, read: order, perHour, options} = await orderOf(agent, bound.offer, bound.order);
		if (perHour > bound.perHour + 1e-9) {
			throw refused(
				`It costs ${pricePerHour(perHour)} by now, not ${pricePerHour(bound.perHour)}.`,
			);
		}
		refuseForbidden(agent, termsOf(found, order, bound));
		const approval = await approvalProblem(agent, {
			id: `${token} ${signatureIn(text)}`,
			quote: bound,
			offer: found,
		});
		if (approval !== undefined) throw refused(approval);
		const lease = {for: `${bound.leaseSeconds}s`};
		// A lease of the settings would be another than the quote's.
		const leasing = {client, url: agent.context.service().url, perHour};
		const leased = await leasedOrder({...asked(options, lease)}, order, leasing);
		const agreed = agreedOrder({...leased.order, offer: found, perHour});
		await refuseRepeated(agent, {token, agreed, again});
		const {gpus, leaseSeconds} = bound;
		const asking = {service, agent: name, quote: signatureIn(text), perHour, gpus, at: now};
		const line = {token, asked: asking, endsAt: now + leaseSeconds};
		await reserveWithinLimits(agent, line, again);
		const label = shownLabel(order.creation.label.value);
		const help = 'Only the user can raise that.';
		const outcome = await client.instances
			.rent(found, withMark(leased.order.order, name), {
				signal: agent.context.signal,
				agreed,
				mayRent: limitsAtRent(agent.context, {perHour, label}, help),
				again: {token},
			})
			.catch(async (error: unknown) => {
				// A refusal of the service, or of the settings, says that nothing was made, unless an earlier one may arrive.
				const isRefused = isRefusal(error) || error instanceof CommandError;
				if (isRefused && again === undefined) await rents.note({token, goneAt: now});
				throw error;
			});
		if (outcome.outcome !== 'created') throw refused(await unmade(agent, outcome));
		const trouble = await noteMade(agent, outcome);
		const {doubles} = outcome;
		const twice = doubles === undefined ? '' : ` Tell the user: ${doublesText(doubles)}`;
		const ends = [leased.terms, ...notesOf(agent, leased.notes)].join('; ');
		const said = `It is destroyed by its lease: ${ends}.${twice} ${trouble ?? ''}`;
		return answerFor(outcome.id, said.trim());
	},
});

/** At a market its own leases are all that ends an instance, and enough. */
function notesOf({isOfMarket}: Agent, notes: readonly string[]): readonly string[] {
	return isOfMarket ? ['the market ends it'] : notes;
}

function isRefusal(error: unknown): boolean {
	return error instanceof Error && error.name === 'ApiError';
}

export const AGENT_VARIABLE = 'RENTTY_AGENT';

/** Tags an order in its environment, which programs in the instance see, too. */
function withMark<Of extends RentOrder['order']>(order: Of, name: string): Of {
	return {...order, env: [...(order.env ?? []), [AGENT_VARIABLE, name] as const]};
}

/** Counts a rent among those of agents before it is sent. @throws CommandError beyond the limits */
async function reserveWithinLimits(
	agent: Agent,
	line: Line & {readonly asked: object},
	again: Again | undefined,
): Promise<void> {
	const {state} = await pollFleet(agent);
	const ids = new Set(state.rows.map(({instance}) => instance.id));
	const {token, asked: next, endsAt = Infinity} = line;
	await reserve(agent, 'Nothing was rented.', rents => {
		const others = rents.filter(one => one.token !== token);
		const wanted: AgentRent = {...next, token, id: undefined, endsAt, goneAt: undefined};
		const why = limitProblem(agent, usedNow(agent, [...others, wanted], ids));
		const sent = rents.find(one => one.token === token && one.goneAt === undefined);
		if (why !== undefined) return {result: why};
		if (sent !== undefined && sent.at !== again?.rent.at)
			return {result: 'This key is being rented with by another call: try again.'};
		return {result: undefined, line};
	});
}

function answerFor(made: number, text: string) {
	return {text: `Instance ${made}. ${text}`, data: {id: made}};
}
