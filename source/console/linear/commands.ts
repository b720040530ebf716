/** What can be said in a conversation. What spends or destroys asks for a sentence to be typed. */
import {anyOffers} from '../../contract/offer-search.ts';
import type {OfferSearch} from '../../contract/offer-search.ts';
import {costOf} from '../../contract/offer-cost.ts';
import {parseLine} from '../../contract/offer-words/parse.ts';
import {requestOf} from '../../contract/offer-words/request.ts';
import type {Offer} from '../../contract/offers.ts';
import type {FleetRow} from '../fleet/fleet-state.ts';
import {jobOf} from '../screens/offers/job.ts';
import {searchForOffer} from '../screens/offers/search.ts';
import type {Conversation} from './linear.ts';
import {fleetSentence, instanceSentence, nameOf, offerSentence} from './sentences.ts';

type Command = (conversation: Conversation, words: string) => Promise<void>;

/** More than that nobody listens to. */
const MOST_LISTED = 10;
const LEFT = 'Nothing was done.';

export const commands: Readonly<Record<string, Command | undefined>> = {
	offers,
	instances,
	rent,
	stop: async (conversation, words) => remove('stop', conversation, words),
	destroy: async (conversation, words) => remove('destroy', conversation, words),
};

async function offers({client, settings, write}: Conversation, words: string): Promise<void> {
	const parsed = parseLine(words.replaceAll(/\bunder /g, '<'));
	const [problem] = parsed.problems;
	if (problem !== undefined) {
		write(`${problem.message}.`);
		return;
	}
	const search: OfferSearch = {
		...anyOffers,
		diskGb: settings.diskGb,
		...requestOf(parsed.words.flatMap(({clauses}) => clauses)),
	};
	const job = jobOf(settings);
	const price = (offer: Offer) => costOf(offer, job).allIn ?? Number.POSITIVE_INFINITY;
	const found = (await client.offers.search(search)).toSorted((a, b) => price(a) - price(b));
	write(
		`${found.length} offers${found.length > MOST_LISTED ? `, the ${MOST_LISTED} cheapest` : ''}.`,
	);
	for (const offer of found.slice(0, MOST_LISTED)) write(offerSentence(offer, job));
}

async function instances({fleet, write}: Conversation): Promise<void> {
	await fleet.refresh();
	const state = fleet.state.get();
	write(fleetSentence(state));
	for (const row of state.rows) write(instanceSentence(row));
}

function find({fleet}: Conversation, name: string): FleetRow | undefined {
	const named = fleet.state
		.get()
		.rows.filter(row => String(row.instance.id) === name || nameOf(row) === name);
	return named.length === 1 ? named[0] : undefined;
}

async function remove(
	deed: 'stop' | 'destroy',
	conversation: Conversation,
	name: string,
): Promise<void> {
	const {client, fleet, ask, write, readOnly} = conversation;
	if (readOnly !== undefined) throw new Error(readOnly);
	await fleet.refresh();
	const row = find(conversation, name);
	if (row === undefined) {
		write(`No single instance is called "${name}". instances lists them.`);
		return;
	}
	const {id} = row.instance;
	const sentence = `${deed} ${id}`;
	write(instanceSentence(row));
	write(deed === 'stop' ? 'Its disk stays and is charged.' : 'Everything on it is lost for good.');
	if ((await ask(`Type ${sentence} to do it, anything else to leave it.`)) !== sentence) {
		write(LEFT);
		return;
	}
	await client.instances[deed](id);
	if (deed === 'destroy') fleet.noteDestroyed(id);
	write(`The service accepted it. What becomes of ${nameOf(row)} is said when it is seen.`);
	await fleet.refresh();
}

async function rent(conversation: Conversation, words: string): Promise<void> {
	const {client, ask, write, readOnly} = conversation;
	if (readOnly !== undefined) throw new Error(readOnly);
	const id = /^\d+$/.test(words) ? Number(words) : Number.NaN;
	if (!Number.isSafeInteger(id)) {
		write('rent needs the number of an offer. offers lists them.');
		return;
	}
	const order = await askOrder(conversation);
	const offer = order === undefined ? undefined : await lookUp(conversation, id, order.disk);
	if (order === undefined || offer === undefined) return;
	const sentence = `rent ${id}`;
	if ((await ask(`Type ${sentence} to rent it, anything else to leave it.`)) !== sentence) {
		write(`${LEFT} Nothing is charged.`);
		return;
	}
	write(describe(await client.instances.rent(offer, order)));
	await conversation.fleet.refresh();
}

/** Asks for what is to run, one question at a time; undefined where an answer cannot be followed. */
async function askOrder({settings, ask, write}: Conversation) {
	const usual = settings.templateHash ?? '';
	const without =
		usual === '' ? 'There is no usual template.' : 'An empty line takes your usual template.';
	const image = await ask(`Which image? ${without}`);
	if (image === '' && usual === '') {
		write(`Without an image nothing can run. ${LEFT}`);
		return undefined;
	}
	const label = await ask('Which label? An empty line for none.');
	const size = await ask(`How much disk, in GB? An empty line for ${settings.diskGb}.`);
	const disk = size === '' ? settings.diskGb : Number(size);
	if (!Number.isFinite(disk) || disk < 8) {
		write(`The disk has to be a number of at least 8. ${LEFT}`);
		return undefined;
	}
	return {disk, ...(image === '' ? {templateHash: usual} : {image}), ...(label !== '' && {label})};
}

/** The offer as it is now, read out; undefined where it is not to be had. */
async function lookUp(
	conversation: Conversation,
	id: number,
	diskGb: number,
): Promise<Offer | undefined> {
	const {client, settings, write} = conversation;
	const job = {...jobOf(settings), diskGb};
	const [offer] = await client.offers.search(searchForOffer(id, {pricing: 'on-demand', diskGb}));
	if (offer === undefined) {
		write(`Offer ${id} is not there any more. Nothing was rented, nothing is charged.`);
		return undefined;
	}
	write(offerSentence(offer, job));
	const refusal = overspent(conversation, costOf(offer, job).allIn);
	if (refusal !== undefined) write(refusal);
	return refusal === undefined ? offer : undefined;
}

/** Why it would cost too much; undefined where it does not. */
function overspent({settings, fleet}: Conversation, price: number | undefined): string | undefined {
	const most = settings.spend.fleetMaxPerHour;
	if (most === null) return undefined;
	if (price === undefined)
		return 'Its price is unknown, so your limit cannot be kept. Nothing was rented.';
	const sum = fleet.state.get().burn.atMost + price;
	if (sum <= most) return undefined;
	return `All together would cost $${sum.toFixed(2)} an hour, more than your limit of $${most}. Nothing was rented.`;
}

type Outcome = Awaited<ReturnType<Conversation['client']['instances']['rent']>>;

function describe(outcome: Outcome): string {
	switch (outcome.outcome) {
		case 'created':
			return `Rented: instance ${outcome.id}. It is charged from now on. Its changes are said by themselves.`;
		case 'not created':
			return 'It was not rented, and nothing is charged.';
		case 'unknown':
			return 'The answer was lost. Do not rent again yet: instances says whether there is a new one.';
	}
}
