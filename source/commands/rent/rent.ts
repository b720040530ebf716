/** `rentty rent`: rents an offer once, even where the answer is lost; with `--count` so many. */
import type {Client} from '../../client/client.ts';
import type {PendingRent} from '../../client/rentals/pending-rent.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {findIdentityFiles} from '../../renter/connect/keys.ts';
import {isFree} from '../../renter/offers/search.ts';
import {formatGpus, LEAST_PRICE_DIFFERENCE, pricePerHour} from '../../renter/text/format.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {numberedLabel, shownLabel} from '../../renter/words/lease.ts';
import {
	type Command,
	type Context,
	getConsent,
	readNumberOption,
	yesOption,
} from '../base/command.ts';
import {instanceNames, keepNames, readNames} from '../completions.ts';
import {
	CommandError,
	exitCodeOfAll,
	exitCodes,
	failureMessage,
	type ExitCode,
} from '../base/failure.ts';
import {follow} from './follow-rental.ts';
import {leaseOptions, leasedOrder, type LeasedOrder} from '../leases/lease-options.ts';
import {refusePending} from './pending-rents.ts';
import {checkRent, NOTHING, hourlyPriceOf, stoppedPriceOf} from './checks.ts';
import {offersToRent, refuseMissingOffer, type Candidates} from './offers.ts';
import {keyOption, openKeyFile, orderOptions, readRentOrder, type RentOrder} from './order.ts';
import {reportRents} from './report.ts';
import {rentFirst, type RentedOffer} from './sending.ts';
import {refuseOverLimits, spendOption} from '../leases/spending-limits.ts';

export const rent: Command = {
	name: 'rent',
	summary: 'rent an offer, or the cheapest that words find',
	takes: 'ID|WORDS…',
	names: 'searches',
	about: [
		'Rents an offer by its number, or the cheapest that words find; where that is taken, the next',
		'equal one within the limits of the settings, or of --over. Prints the number of the instance,',
		'and with --wait how it is entered. It is rented once: a lost answer is looked for.',
		'Where a rentty was ended after it sent the same order, nothing is sent before it is known what',
		'became of that: it ends with 1 where the instance is there, and with 6 where nobody knows.',
		'The first record of the instance is compared with the order: GPUs, disk, price an hour with it,',
		'bid or on demand, rates of disk and traffic, image, label and template; its ports once it runs.',
		'One that differs, or that was made twice, is kept and printed, and the exit code is 9.',
		'With --count several are rented, of one review, each of an offer of its own; {} in the label becomes',
		'1, 2, 3. What is made by then is printed where it cannot go on, and the code is 7.',
		'With its own key it can stop or destroy itself; the service says that once, and it is kept where',
		'--keep-key or the setting keepInstanceKeys wants it, and nowhere else: key_file names the file.',
	],
	options: {
		...orderOptions,
		...leaseOptions,
		'no-end': {about: 'no end, although the setting lease has one'},
		count: {value: 'N', about: 'rent so many, each of another offer'},
		over: {value: 'PERCENT', about: 'how much dearer than the cheapest the next may be'},
		'max-price': {value: 'DOLLARS', about: 'an hour at most, with the disk'},
		...spendOption,
		wait: {about: 'look until it runs and SSH answers'},
		exact: {about: 'destroy an instance that is not as ordered, and end with 9'},
		...keyOption,
		...yesOption,
	},
	run,
};

const MOST_COUNT = 100;

async function run(context: Context): Promise<number> {
	if (context.words.length === 0)
		throw new UsageError('rentty rent needs an offer, or words that find one.');
	const count = countOf(context);
	const client = await context.changer();
	const {settings} = context;
	const asked = await readRentOrder(context, {client, settings}).catch(async (error: unknown) => {
		// A mistyped number is refused before a missing image.
		await refuseMissingOffer(context, client);
		throw error;
	});
	const readAt = context.now();
	const candidates = await offersToRent(context, client, {order: asked, count});
	const [first] = candidates.offers;
	if (first === undefined) throw new CommandError(exitCodes.notFound, 'No offer matches.');
	await checkRent(context, client, {offer: first, order: asked});
	const wanted = candidates.offers.slice(0, count);
	const prices = wanted.map(offer => hourlyPriceOf(offer, asked));
	await refuseTogether(context, prices);
	const url = context.service().url;
	const leasing = {client, url, perHour: hourlyPriceOf(first, asked)};
	const leased = await leasedOrder(context, asked, leasing);
	const orders = Array.from({length: count}, (_, at) => numbered(leased.order, at + 1, count));
	const again = await refuseAllPending(context, client, {orders, offer: first});
	await getConsent(context, {
		lines: [
			...reviewOf(first, leased.order, context.isGiven('exact')),
			...leaseLines(leased),
			...countLines(prices),
		],
		question: count === 1 ? 'Rent it?' : `Rent ${count}?`,
	});
	const isFresh = context.now() - readAt <= FRESH_MS;
	const present = isFresh ? candidates : await offersToRent(context, client, {order: asked, count});
	refuseDearer(
		prices,
		present.offers.slice(0, count).map(offer => hourlyPriceOf(offer, asked)),
	);
	return rentAll(context, client, {orders, candidates: present, again});
}

/** Time for which prices hold: an answer may come hours after its question. */
const FRESH_MS = 30_000;

/** Refuses prices above those that were agreed to. */
function refuseDearer(
	agreed: ReadonlyArray<number | undefined>,
	present: ReadonlyArray<number | undefined>,
): void {
	const [before, now] = [sumOf(agreed), sumOf(present)];
	if (before === undefined || now === undefined || now <= before + LEAST_PRICE_DIFFERENCE) return;
	const moved = `It costs ${pricePerHour(now)} by now, and not ${pricePerHour(before)} as you were asked.`;
	throw new CommandError(exitCodes.overBudget, `${moved} ${NOTHING} The same command asks again.`);
}

type Again = ReadonlyMap<RentOrder, PendingRent>;

/** Refuses orders that were sent before without an answer; those that may still arrive late, each for one order. */
async function refuseAllPending(
	context: Context,
	client: Client,
	{orders, offer}: {readonly orders: readonly RentOrder[]; readonly offer: Offer},
): Promise<Again> {
	const again = new Map<RentOrder, PendingRent>();
	for (const order of orders) {
		const shown = {offer, order: order.order, creation: order.creation};
		const perHour = hourlyPriceOf(offer, order);
		// oxlint-disable-next-line no-await-in-loop -- each poll for one may show the others
		const late = await refusePending(context, client, {...shown, perHour});
		const taken = new Set([...again.values()].map(({token}) => token));
		const free = late.find(({token}) => !taken.has(token));
		if (free !== undefined) again.set(order, free);
	}
	return again;
}

/** @throws UsageError */
function countOf(context: Context): number {
	const count = readNumberOption(context, 'count', {least: 1, isWhole: true}) ?? 1;
	if (count > MOST_COUNT) throw new UsageError(`--count takes ${MOST_COUNT} at most.`);
	if (count > 1 && context.textOf('keep-key') !== undefined) {
		throw new UsageError('--keep-key names one file: leave out --count, or use keepInstanceKeys.');
	}
	return count;
}

/** Refuses several whose sum passes the limit for all that is rented; that for one is held for each. */
async function refuseTogether(
	context: Context,
	prices: ReadonlyArray<number | undefined>,
): Promise<void> {
	const {settings} = context;
	if (prices.length === 1 || settings.spend.fleetMaxPerHour === null) return;
	const spend = {...settings.spend, askOverPerHour: null};
	const spending = {perHour: sumOf(prices), nothing: NOTHING};
	await refuseOverLimits({...context, settings: {...settings, spend}}, spending);
}

/** Undefined if one of them is not known. */
function sumOf(prices: ReadonlyArray<number | undefined>): number | undefined {
	const sum = prices.reduce<number>((all, price = Number.NaN) => all + price, 0);
	return Number.isNaN(sum) ? undefined : sum;
}

function countLines(prices: ReadonlyArray<number | undefined>): readonly string[] {
	if (prices.length === 1) return [];
	return [
		`  Count   ${prices.length}, each of another offer, ${pricePerHour(sumOf(prices))} together`,
	];
}

/** The order, with its number instead of `{}` in its label. */
function numbered(order: RentOrder, number: number, count: number): RentOrder {
	if (count === 1) return order;
	const write = (label: string) => numberedLabel(label, number);
	const {creation} = order;
	const {label} = creation;
	return {
		...order,
		order: {...order.order, label: order.order.label && write(order.order.label)},
		creation: {...creation, label: {...label, value: label.value && write(label.value)}},
	};
}

type Many = {
	readonly orders: readonly RentOrder[];
	readonly candidates: Candidates;
	readonly again: Again;
};

/** Rents one order after the other, then follows all; made instances are printed however it ends. */
async function rentAll(
	context: Context,
	client: Client,
	{orders, candidates, again}: Many,
): Promise<ExitCode> {
	const made: Array<MadeOffer & {readonly order: RentOrder}> = [];
	let problem: unknown;
	for (const order of orders) {
		try {
			// oxlint-disable-next-line no-await-in-loop -- never two at once
			made.push({
				order,
				...(await rentOne(context, client, {order, candidates, again: again.get(order)})),
			});
			if (orders.length > 1) context.output.say(`rentty: ${made.length} of ${orders.length}.`);
		} catch (error) {
			problem = error;
			break;
		}
	}
	if (made.length === 0) throw problem;
	const followed = await Promise.allSettled(
		made.map(async one => followAndReport(context, client, one)),
	);
	for (const [at, {status}] of followed.entries()) {
		if (status === 'rejected')
			context.output.say(`rentty: ${made[at]?.id} is rented, and charged.`);
	}
	await client.pendingRents.markReported(...made.map(({pending}) => pending));
	context.signal.throwIfAborted();
	const codes = followed.map(one => {
		if (one.status === 'rejected') throw one.reason;
		return one.value;
	});
	if (problem === undefined) return exitCodeOfAll(codes);
	const message = `${made.length} of ${orders.length} are rented, and charged. ${failureMessage(problem)}`;
	throw new CommandError(exitCodes.partlyFailed, message, {cause: problem});
}

type MadeOffer = Omit<RentedOffer, 'key'> & {readonly keyFile: string | undefined};

async function rentOne(
	context: Context,
	client: Client,
	{order, candidates, again}: Parameters<typeof rentFirst>[2],
): Promise<MadeOffer> {
	const keyFile = await openKeyFile(context);
	const {key, ...made} = await rentFirst(context, client, {candidates, order, again}).catch(
		async (error: unknown) => {
			await keyFile.drop();
			throw error;
		},
	);
	await keepName(context, {id: made.id, label: order.order.label ?? null});
	return {...made, keyFile: await keyFile.keep(made.id, key)};
}

async function followAndReport(
	context: Context,
	client: Client,
	rented: MadeOffer & {readonly order: RentOrder},
): Promise<ExitCode> {
	const {signal, environment} = context;
	const {order, id, doubles} = rented;
	const followed = await follow(context, client, {
		...rented,
		isWaitedFor: context.isGiven('wait') && order.order.target !== 'stopped',
	});
	const service = {environment, client: async () => client, signal};
	// Only an instance that can be entered needs keys.
	const isEntered = followed.instance !== undefined && !followed.isGone;
	const identities = isEntered ? await findIdentityFiles({...service, id}) : [];
	reportRents(context, {...rented, ...followed, identities});
	const isTwice = doubles !== undefined && followed.exitCode === exitCodes.fine;
	return isTwice ? exitCodes.notAsOrdered : followed.exitCode;
}

/** Names of new instances, for shells to complete. */
async function keepName(
	context: Context,
	instance: {readonly id: number; readonly label: string | null},
): Promise<void> {
	const {instances} = await readNames(context);
	await keepNames(context, {instances: [...instanceNames([instance]), ...instances]});
}

function leaseLines({terms = 'no end', notes}: LeasedOrder): readonly string[] {
	return [`  Ends    ${terms}`, ...notes.map(note => `          ${note}`)];
}

function reviewOf(offer: Offer, order: RentOrder, isExact: boolean): readonly string[] {
	const {creation, template} = order;
	const image = creation.image.value ?? '-';
	const from = template === undefined ? '' : ` (template ${template.name ?? template.hash_id})`;
	const where = [formatGpus(offer), offer.geolocation].filter(part => typeof part === 'string');
	return [
		`  Offer   ${[offer.id, ...where].join('  ')}`,
		`  Image   ${image}${from}`,
		`  Disk    ${creation.disk.value} GB`,
		isFree(offer, order.own)
			? '  Price   nothing: the machine is your own'
			: `  Price   ${pricePerHour(hourlyPriceOf(offer, order))} while it runs, ${pricePerHour(stoppedPriceOf(offer, order))} stopped`,
		...(shownLabel(creation.label.value) === ''
			? []
			: [`  Label   ${shownLabel(creation.label.value)}`]),
		...(isExact ? ['  Exact   an instance that is not as ordered is destroyed'] : []),
	];
}
