/** `rentty watch`: waits for an offer. */
import type {Client} from '../client/client.ts';
import {ApiError, NetworkError, TimeoutError} from '../client/exchange/errors.ts';
import {pollUntil} from '../renter/state/polling.ts';
import {searchOffers} from '../renter/offers/local-filter.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import {costOf} from '../contract/nouns/offer-cost.ts';
import type {Offer} from '../contract/nouns/offers.ts';
import {type Command, type Context, readNumberOption} from './base/command.ts';
import {CommandError, exitCodes, failureMessage, type ExitCode} from './base/failure.ts';
import {
	printedOfferColumns,
	offerRecord,
	byCost,
	jobOptions,
	readRequestedSearch,
	type RequestedSearch,
} from './offers.ts';
import {writeRows, warnOfUnreadable} from './base/output.ts';

export const watch: Command = {
	name: 'watch',
	summary: 'wait until words find an offer',
	takes: 'WORDS…',
	names: 'searches',
	about: [
		'Searches again and again until something is found, prints the cheapest, and ends. With --follow',
		'it goes on, with a line for each offer that comes.',
	],
	options: {
		below: {value: 'DOLLARS', about: 'only what costs less an hour, all in'},
		follow: {short: 'f', about: 'go on after the first'},
		every: {value: 'SECONDS', about: 'how often to look (default 120)'},
		for: {value: 'MINUTES', about: 'how long to wait; else until Ctrl-C'},
		...jobOptions,
	},
	run,
};

/** The longest wait after failures: an offer may come at any time. */
const LONGEST_WAIT_MS = 15_000;

async function run(context: Context): Promise<number> {
	const {signal, output, now} = context;
	if (context.words.length === 0)
		throw new UsageError('rentty watch needs words that say what is wanted.');
	const everyMs = (readNumberOption(context, 'every', {least: 1}) ?? 120) * 1000;
	const minutes = readNumberOption(context, 'for');
	const until = minutes === undefined ? Number.POSITIVE_INFINITY : now() + minutes * 60_000;
	const client = await context.client();
	const wanted = await readRequestedSearch(context, client);
	const printed = new Set<number>();
	const search = openSearch(context, client, wanted);
	const ask = async (): Promise<ExitCode | undefined> => {
		const found = await search();
		const fresh = found.filter(({id}) => !printed.has(id));
		const shown = context.isGiven('follow') ? fresh : fresh.slice(0, 1);
		printHits(context, shown, wanted);
		for (const {id} of shown) printed.add(id);
		if (shown.length > 0 && !context.isGiven('follow')) return exitCodes.fine;
		if (now() + everyMs > until) return ended(printed.size, minutes);
		if (output.isTerminal && printed.size === 0) output.say('rentty: Nothing so far.');
		return undefined;
	};
	const onFailure = (error: unknown) => {
		if (!isRetryable(error)) throw error;
		output.say(`rentty: ${failureMessage(error)}`);
		return now() + everyMs > until ? ended(printed.size, minutes) : undefined;
	};
	return pollUntil({ask, everyMs, mostMs: LONGEST_WAIT_MS, signal, onFailure});
}

function ended(hits: number, minutes: number | undefined): ExitCode {
	if (hits > 0) return exitCodes.fine;
	throw new CommandError(exitCodes.timedOut, `Nothing was found in ${minutes ?? 0} minutes.`);
}

/** Searches at each poll, and warns again when the number of unreadable records changes. */
function openSearch(context: Context, client: Client, {search, job}: RequestedSearch) {
	const {signal, output} = context;
	const cost = (offer: Offer) => costOf(offer, job).allIn ?? Number.POSITIVE_INFINITY;
	let warnedOf = 0;
	return async (): Promise<readonly Offer[]> => {
		const below = readNumberOption(context, 'below') ?? Number.POSITIVE_INFINITY;
		const {offers, unreadable} = await searchOffers(client, search, {job, signal});
		if (unreadable.count !== warnedOf) warnOfUnreadable(output, unreadable, 'offers');
		warnedOf = unreadable.count;
		return byCost(offers, job).filter(
			offer => below === Number.POSITIVE_INFINITY || cost(offer) < below,
		);
	};
}

/** True for passing failures. A refused key ends the wait. */
function isRetryable(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	if (error instanceof NetworkError) return !error.isFinal;
	if (error instanceof TimeoutError) return true;
	return error instanceof ApiError && (error.status >= 500 || error.status === 429);
}

function printHits(
	{isJson, output, now}: Context,
	found: readonly Offer[],
	{job, search}: RequestedSearch,
): void {
	if (found.length === 0) return;
	const at = new Date(now()).toISOString();
	if (isJson) {
		for (const offer of found) output.json({at, ...offerRecord(offer, job, search.pricing)});
	} else writeRows(output, printedOfferColumns(job), found);
}
