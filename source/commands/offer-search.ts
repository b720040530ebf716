/** Words of a command line as a search for offers, with the same meaning as in the console. */
import type {Client} from '../client/client.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import {costOf, type Job} from '../contract/nouns/offer-cost.ts';
import {anyOffers, type OfferSearch} from '../contract/nouns/offer-search.ts';
import {parseLine, type ParsedLine, lineWithout, partsOf} from '../renter/offers/words/parse.ts';
import {requestOf} from '../renter/offers/words/request.ts';
import {findWhyZero} from '../renter/offers/words/why-zero.ts';
import type {Offer} from '../contract/nouns/offers.ts';
import type {Context} from './command.ts';
import {numberOf} from './command-line.ts';

/** Search as the user wrote it and as it is sent. */
export type Wanted = {
	readonly line: string;
	readonly parsed: ParsedLine;
	readonly search: OfferSearch;
	readonly job: Job;
};

/** The options that say what prices are for. */
export const jobOptions = {
	disk: {value: 'GB', about: 'the disk that prices include (default: from the settings)'},
} as const;

/** @throws UsageError that says which word is wrong */
export async function readWanted(
	{settings, ...given}: Pick<Context, 'settings' | 'isGiven' | 'textOf' | 'words' | 'signal'>,
	client: Client,
	words: readonly string[] = given.words,
): Promise<Wanted> {
	const line = words.join(' ');
	const parsed = parseLine(line, words.length === 0 ? [] : await namesSeen(client, given.signal));
	const [problem] = parsed.problems;
	if (problem !== undefined) {
		throw new UsageError(`${line.slice(problem.start, problem.end)}: ${problem.message}.`);
	}
	const {hours, inGbPerHour, outGbPerHour} = settings;
	const diskGb = numberOf(given, 'disk', {least: 1}) ?? settings.diskGb;
	return {
		line,
		parsed,
		job: {diskGb, hours, inGbPerHour, outGbPerHour},
		search: {
			...anyOffers,
			...requestOf(parsed.words.flatMap(({clauses}) => clauses)),
			// The cheapest first, as the service counts it: also where it does not send all.
			order: [['dph_total', 'asc']],
			diskGb,
		},
	};
}

/** The names of GPUs that short words may mean. Without them the usual ones are known. */
async function namesSeen(client: Client, signal: AbortSignal): Promise<readonly string[]> {
	try {
		return (await client.offers.gpuNames({signal})).names;
	} catch {
		signal.throwIfAborted();
		return [];
	}
}

/** Offers by what they cost with everything, the cheapest first; those of unknown cost last. */
export function byCost(offers: readonly Offer[], job: Job): readonly Offer[] {
	const cost = (offer: Offer) => costOf(offer, job).allIn ?? Number.POSITIVE_INFINITY;
	return offers
		.map(offer => ({offer, cost: cost(offer)}))
		.toSorted((a, b) => (a.cost === b.cost ? a.offer.id - b.offer.id : a.cost - b.cost))
		.map(({offer}) => offer);
}

/** Advice on an empty result: the words to leave out so that offers are found. */
export async function explainZero(
	client: Client,
	{line, parsed, search}: Wanted,
	signal: AbortSignal,
): Promise<string> {
	const parts = partsOf(parsed);
	const ask = async (wanted: OfferSearch) => (await client.offers.search(wanted, {signal})).offers;
	const {singles, pairs} = await findWhyZero({search, parts, ask});
	const [best] = [...singles, ...pairs].toSorted((a, b) => b.count - a.count);
	if (best === undefined || best.count === 0) return 'No offer matches.';
	const left = best.without.map(({label}) => label).join(' ');
	const rest = lineWithout(line, best.without);
	const least = best.isLeast ? 'at least ' : '';
	return `No offer matches. Without ${left} there are ${least}${best.count}: ${rest}`;
}
