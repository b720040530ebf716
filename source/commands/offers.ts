/** `rentty offers`: what can be rented, by words that mean the same as in the console. */
import {
	duration,
	formatGpus,
	gigabytesOfMb,
	percent,
	price,
	sentence,
} from '../renter/text/format.ts';
import {costOf, type Job} from '../contract/nouns/offer-cost.ts';
import type {Offer} from '../contract/nouns/offers.ts';
import {type Pricing, anyOffers, type OfferSearch} from '../contract/nouns/offer-search.ts';
import {
	withNulls,
	type PrintedColumn,
	writeRows,
	refuseUnreadable,
	warnOfUnreadable,
} from './base/output.ts';
import type {Client} from '../client/client.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import {
	parseLine,
	type ParsedLine,
	lineWithout,
	searchPartsOf,
} from '../renter/offers/words/parse.ts';
import {requestOf} from '../renter/offers/words/request.ts';
import {findWhyZero} from '../renter/offers/words/why-zero.ts';
import {type Context, type Command, readNumberOption, type ParsedOptions} from './base/command.ts';
import {lexicon, type WordSearch} from '../renter/offers/words/fields.ts';
import {searchOffers} from '../renter/offers/local-filter.ts';
import {PER_GPU} from '../renter/words/tests.ts';
import {findWordField} from '../renter/words/clauses.ts';
import {addOwnUnverified, isVerifiedByDefault} from '../renter/offers/search.ts';
import {exitCodes} from './base/failure.ts';
import {recentGpuNames, recentOwnMachines, type RecentAsking} from './base/recent-facts.ts';

export const jobOptions = {
	disk: {value: 'GB', about: 'the disk that prices include (default: from the settings)'},
} as const;

const DEFAULT_LIMIT = 20;

export const offers: Command = {
	name: 'offers',
	summary: 'list what can be rented',
	takes: '[WORDS…]',
	names: 'searches',
	// An unanswered order is named before another rent.
	isAboutInstances: true,
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
	const limit = readNumberOption(context, 'limit', {least: 1, isWhole: true}) ?? DEFAULT_LIMIT;
	const order = readOrder(context.textOf('sort'));
	const client = await context.client();
	const wanted = await readRequestedSearch(context, client);
	// One offer beyond the limit shows whether there are more.
	const search = {...wanted.search, limit: limit + 1, ...(order !== undefined && {order})};
	const [{offers: others, unreadable, split}, own] = await Promise.all([
		searchOffers(client, search, {job: wanted.job, signal}),
		isVerifiedByDefault(wanted.parsed) ? recentOwnMachines(context, client) : [],
	]);
	const found = await addOwnUnverified(
		client,
		{search, job: wanted.job, found: others, own},
		signal,
	);
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
		writeRows(output, printedOfferColumns(wanted.job), shown);
		if (output.isTerminal) output.say(`rentty: ALL IN is with ${includedIn(wanted.job)}.`);
	}
	// What is tested here is left out of more than were asked for.
	const all = split?.here.length === 0 ? unreadable.of : 0;
	if (Math.max(all, found.length) > limit)
		output.say(`rentty: There are more than ${limit}: --limit shows them.`);
	warnOfUnreadable(output, unreadable, 'offers');
	return exitCodes.fine;
}

/** `price`, `rel:asc`. */
function readOrder(text: string | undefined): OfferSearch['order'] | undefined {
	if (text === undefined) return undefined;
	const [name = '', way] = text.split(':');
	const field = findWordField(lexicon, name);
	if (field === undefined) throw new UsageError(`--sort ${text}: there is no field ${name}.`);
	if (field.field === PER_GPU) throw new UsageError(`--sort ${text}: no service orders by it.`);
	if (way !== undefined && way !== 'asc' && way !== 'desc') {
		throw new UsageError(`--sort ${text}: after the colon stands asc or desc.`);
	}
	const isPrice = field.unit === 'dollars';
	return [[field.field, way ?? (isPrice ? 'asc' : 'desc')]];
}

/** A search as the user wrote it, and as it is sent. */
export type RequestedSearch = {
	readonly line: string;
	readonly parsed: ParsedLine;
	readonly search: WordSearch;
	readonly job: Job;
};

/** @throws UsageError that says which word is wrong */
export async function readRequestedSearch(
	{settings, ...given}: Pick<Context, 'settings' | keyof ParsedOptions> & RecentAsking,
	client: Client,
	words: readonly string[] = given.words,
): Promise<RequestedSearch> {
	const line = words.join(' ');
	const parsed = parseLine(line, words.length === 0 ? [] : await recentGpuNames(given, client));
	const [problem] = parsed.problems;
	if (problem !== undefined) {
		const word = line.slice(problem.start, problem.end);
		const message = sentence(problem.message);
		throw new UsageError(message.startsWith(word) ? message : `${word}: ${message}`);
	}
	const {hours, inGbPerHour, outGbPerHour} = settings;
	const diskGb = readNumberOption(given, 'disk', {least: 1}) ?? settings.diskGb;
	return {
		line,
		parsed,
		job: {diskGb, hours, inGbPerHour, outGbPerHour},
		search: {
			...anyOffers,
			...requestOf(parsed.words.flatMap(({clauses}) => clauses)),
			// Cheapest first by the service's own order, as it may send only the first ones.
			order: [['dph_total', 'asc']],
			diskGb,
		},
	};
}

/** Offers by what they cost with everything, the cheapest first; those of unknown cost last. */
export function byCost(found: readonly Offer[], job: Job): readonly Offer[] {
	const cost = (offer: Offer) => costOf(offer, job).allIn ?? Number.POSITIVE_INFINITY;
	return found
		.map(offer => ({offer, cost: cost(offer)}))
		.toSorted((a, b) => (a.cost === b.cost ? a.offer.id - b.offer.id : a.cost - b.cost))
		.map(({offer}) => offer);
}

/** Advice on an empty result: the words to leave out so that offers are found. */
export async function explainZero(
	client: Client,
	{line, parsed, search, job}: RequestedSearch,
	signal: AbortSignal,
): Promise<string> {
	const parts = searchPartsOf(parsed);
	const ask = async (wanted: WordSearch) =>
		(await searchOffers(client, wanted, {job, signal})).offers;
	const {singles, pairs} = await findWhyZero({search, parts, ask});
	const [best] = [...singles, ...pairs].toSorted((a, b) => b.count - a.count);
	// Notes about short words are no reason; one about an unknown GPU is.
	const unknown = parsed.words.flatMap(({note = ''}) =>
		note.startsWith('no GPU') ? [`N${sentence(note.slice(1))}`] : [],
	);
	const none = ['No offer matches.', ...unknown].join(' ');
	if (best === undefined || best.count === 0) return none;
	const left = best.without.map(({label}) => label).join(' ');
	const rest = lineWithout(line, best.without);
	const least = best.isLeast ? 'at least ' : '';
	const others = `${none} Without ${left} there are ${least}${best.count}`;
	return rest.trim() === '' ? `${others}.` : `${others}: ${rest}`;
}

/** An offer as `--json` shows it, with null for values that the service does not give. */
export function offerRecord(offer: Offer, job: Job, pricing: Pricing) {
	const cost = costOf(offer, job);
	return withNulls({
		id: offer.id,
		gpu: offer.gpu_name,
		gpus: offer.num_gpus,
		vram_mb: offer.gpu_ram,
		pricing,
		gpu_per_hour: cost.gpu,
		price_per_hour: cost.running,
		all_in_per_hour: cost.allIn,
		job_total: cost.job,
		least_bid: offer.min_bid,
		disk_gb: job.diskGb,
		free_disk_gb: offer.disk_space,
		location: offer.geolocation,
		reliability: offer.reliability ?? offer.reliability2,
		duration_seconds: offer.duration,
		cuda: offer.cuda_max_good,
		down_mbps: offer.inet_down,
		up_mbps: offer.inet_up,
		machine: offer.machine_id,
		host: offer.host_id,
		verification: offer.verification,
		isolation: offer.isolation,
		measured: offer.measured,
		rentable: offer.rentable,
	});
}

/** Extras that prices include beside the GPUs: "a disk of 40 GB". */
function includedIn({diskGb, inGbPerHour, outGbPerHour}: Job): string {
	const traffic = [
		...(inGbPerHour > 0 ? [`${inGbPerHour} GB/h in`] : []),
		...(outGbPerHour > 0 ? [`${outGbPerHour} GB/h out`] : []),
	].join(', ');
	const disk = `a disk of ${diskGb} GB`;
	return traffic === '' ? disk : `${disk} and the traffic of the settings (${traffic})`;
}

/** Columns as in the console: $/H is for the GPUs alone, ALL IN for an hour of the job. */
export function printedOfferColumns(job: Job): ReadonlyArray<PrintedColumn<Offer>> {
	return [
		{title: 'ID', isNumber: true, cell: ({id}) => String(id)},
		{title: 'GPUS', cell: formatGpus},
		{title: 'VRAM', isNumber: true, cell: ({gpu_ram: ram}) => gigabytesOfMb(ram)},
		{title: '$/H', isNumber: true, cell: offer => price(costOf(offer, job).gpu)},
		{title: 'ALL IN', isNumber: true, cell: offer => price(costOf(offer, job).allIn)},
		{
			title: 'REL',
			isNumber: true,
			cell: ({reliability, reliability2}) => percent(reliability ?? reliability2),
		},
		{title: 'DAYS', isNumber: true, cell: ({duration: seconds}) => duration(seconds)},
		{title: 'WHERE', cell: ({geolocation}) => geolocation ?? undefined},
	];
}
