/** `rentty offers`: what can be rented. */
import {UsageError} from '../renter/text/usage-error.ts';
import {lexicon} from '../renter/offers/words/fields.ts';
import {fieldNamed} from '../renter/words/clauses.ts';
import type {OfferSearch} from '../contract/nouns/offer-search.ts';
import {readOwnMachines} from '../renter/orders/own-machines.ts';
import {addOwnUnverified, isVerifiedByDefault} from '../renter/offers/own-offers.ts';
import type {Command, Context} from './command.ts';
import {numberOf} from './command-line.ts';
import {exitCodes} from './failure.ts';
import {includedIn, offerColumns, offerRecord} from './offer-facts.ts';
import {byCost, explainZero, jobOptions, readWanted} from './offer-search.ts';
import {writeRows} from './output.ts';
import {refuseUnreadable, tellUnreadable} from './unreadable.ts';

const DEFAULT_LIMIT = 20;

export const offers: Command = {
	name: 'offers',
	summary: 'list what can be rented',
	takes: '[WORDS…]',
	names: 'searches',
	about: [
		'Lists offers, the cheapest first. Words say which, as in the search line of the console:',
		"rentty offers 4x4090 '<2.50' 24g us,ca dc. What a shell would read is put in quotes.",
		'$/H is the GPUs alone; ALL IN adds the disk, and the traffic of the settings. In JSON they are',
		'gpu_per_hour and all_in_per_hour, price_per_hour is without traffic, and disk_gb says with how',
		'much disk.',
	],
	options: {
		...jobOptions,
		sort: {value: 'FIELD', about: 'another order: rel, or rel:asc for the other way'},
		limit: {value: 'N', about: `how many at most (default ${DEFAULT_LIMIT})`},
	},
	run,
};

async function run(context: Context): Promise<number> {
	const {output, isJson, signal} = context;
	const limit = numberOf(context, 'limit', {least: 1, isWhole: true}) ?? DEFAULT_LIMIT;
	const order = readOrder(context.textOf('sort'));
	const client = await context.client();
	const wanted = await readWanted(context, client);
	// One more than is shown tells whether there are others.
	const search = {...wanted.search, limit: limit + 1, ...(order !== undefined && {order})};
	const [{offers: others, unreadable}, own] = await Promise.all([
		client.offers.search(search, {signal}),
		isVerifiedByDefault(wanted.parsed) ? readOwnMachines(client, signal) : [],
	]);
	const found = await addOwnUnverified(client, {search, found: others, own}, signal);
	if (found.length === 0) {
		refuseUnreadable(unreadable, 'offers');
		output.say(`rentty: ${await explainZero(client, wanted, signal)}`);
		return exitCodes.notFound;
	}
	const sorted = order === undefined ? byCost(found, wanted.job) : found;
	const shown = sorted.slice(0, limit);
	if (isJson)
		for (const offer of shown) output.json(offerRecord(offer, wanted.job, search.pricing));
	else {
		writeRows(output, offerColumns(wanted.job), shown);
		if (output.isTerminal) output.say(`rentty: ALL IN is with ${includedIn(wanted.job)}.`);
	}
	if (Math.max(unreadable.of, found.length) > limit)
		output.say(`rentty: There are more than ${limit}: --limit shows them.`);
	tellUnreadable(output, unreadable, 'offers');
	return exitCodes.fine;
}

/** `price`, `rel:asc`. */
function readOrder(text: string | undefined): OfferSearch['order'] | undefined {
	if (text === undefined) return undefined;
	const [name = '', way] = text.split(':');
	const field = fieldNamed(lexicon, name);
	if (field === undefined) throw new UsageError(`--sort ${text}: there is no field ${name}.`);
	if (way !== undefined && way !== 'asc' && way !== 'desc') {
		throw new UsageError(`--sort ${text}: after the colon stands asc or desc.`);
	}
	const isPrice = field.unit === 'dollars';
	return [[field.field, way ?? (isPrice ? 'asc' : 'desc')]];
}
