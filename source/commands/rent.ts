/** `rentty rent`: rents an offer once, even where the answer is lost. */
import {limitsAtRent, spendOption} from './spending-limits.ts';
import {ReplyError, ApiError} from '../client/exchange/errors.ts';
import {sentence, money, pricePerHour, gpusOf} from '../renter/text/format.ts';
import {CommandError, exitCodeOf, exitCodes, failureMessage} from './failure.ts';
import type {Client} from '../client/client.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import {costOf} from '../contract/nouns/offer-cost.ts';
import type {Offer} from '../contract/nouns/offers.ts';
import {findIdentityFiles} from '../renter/connect/keys.ts';
import {agreedOrder, isTaken} from '../renter/orders/agreed-order.ts';
import {doublesText} from '../renter/orders/doubles.ts';
import {differenceRecord, type Rented, follow, type Followed} from './follow-rental.ts';
import {isFree} from '../renter/offers/search.ts';
import {shownLabel} from '../renter/words/lease.ts';
import {type Command, type Context, getConsent, yesOption} from './command.ts';
import {sshRecord} from './instance-facts.ts';
import {keyOption, openKeyPlace, orderOptions, readRentOrder, type Order} from './rent-order.ts';
import {leaseOptions, leasedOrder, type LeasedOrder} from './lease-options.ts';
import {instanceNames, keepNames, readNames} from './completions.ts';
import type {Doubles, PendingRent, RentOutcome} from '../client/rentals/pending-rent.ts';
import {refusePending} from './pending-rents.ts';
import {
	checkRent,
	offersToRent,
	priceOf,
	refuseMissingOffer,
	type Candidates,
} from './rent-offers.ts';

type Created = Extract<RentOutcome, {outcome: 'created'}>;
type Unknown = Extract<RentOutcome, {outcome: 'unknown'}>;

/** @throws CommandError where no instance was created, or that is unknown */
function createdOf(outcome: RentOutcome): Created {
	switch (outcome.outcome) {
		case 'created':
			return outcome;
		case 'not created': {
			const {why, error} = outcome;
			const message =
				why === 'never sent'
					? failureMessage(error)
					: 'The answer was lost, and no such instance was found. It is safe to try again';
			const code = why === 'not found' ? exitCodes.timedOut : exitCodeOf(error);
			throw new CommandError(code, message, {cause: error});
		}
		case 'unknown':
			throw new CommandError(exitCodes.timedOut, unknownText(outcome), {cause: outcome.error});
	}
}

function unknownText({candidates, error, pending}: Unknown): string {
	const why = error instanceof ReplyError ? ` ${sentence(capitalised(error.why))}` : '';
	const [one, ...others] = candidates;
	const several = `One of ${candidates.join(', ')} may be it.`;
	const found = one === undefined ? '' : ` ${others.length > 0 ? several : `${one} may be it.`}`;
	return `It is not known whether ${pending.offerId} was rented.${why}${found} Nothing was destroyed. Do not rent again before rentty ps shows it.`;
}

function capitalised(text: string): string {
	return text.slice(0, 1).toUpperCase() + text.slice(1);
}

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
		'With its own key it can stop or destroy itself; the service says that once, and it is kept where',
		'--keep-key or the setting keepInstanceKeys wants it, and nowhere else: key_file names the file.',
	],
	options: {
		...orderOptions,
		...leaseOptions,
		'no-end': {about: 'no end, although the setting lease has one'},
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

async function run(context: Context): Promise<number> {
	if (context.words.length === 0)
		throw new UsageError('rentty rent needs an offer, or words that find one.');
	const client = await context.changer();
	const {settings, signal} = context;
	const asked = await readRentOrder(context, {client, settings, signal}).catch(
		async (error: unknown) => {
			// A mistyped number is told before an image that is missing.
			await refuseMissingOffer(context, client);
			throw error;
		},
	);
	const candidates = await offersToRent(context, client, asked);
	const [first] = candidates.offers;
	if (first === undefined) throw new CommandError(exitCodes.notFound, 'No offer matches.');
	await checkRent(context, client, {offer: first, order: asked});
	const leased = await leasedOrder(context, asked, {
		client,
		url: context.service().url,
		perHour: priceOf(first, asked),
	});
	const {order} = leased;
	const shown = {offer: first, order: order.order, creation: order.creation};
	const again = await refusePending(context, client, {...shown, perHour: priceOf(first, order)});
	await getConsent(context, {
		lines: [...reviewOf(first, order, context.isGiven('exact')), ...leaseLines(leased)],
		question: 'Rent it?',
	});
	const place = await openKeyPlace(context);
	const {key, ...made} = await rentFirst(context, client, {...candidates, order, again}).catch(
		async (error: unknown) => {
			await place.drop();
			throw error;
		},
	);
	const rented = {...made, keyFile: await place.keep(made.id, key)};
	await keepName(context, {id: rented.id, label: order.order.label ?? null});
	const followed = await follow(context, client, {
		...rented,
		isWaitedFor: context.isGiven('wait') && order.order.target !== 'stopped',
	});
	const {environment} = context;
	const service = {environment, client: async () => client, signal};
	// Only an instance that can be entered needs keys.
	const isEntered = followed.instance !== undefined && !followed.isGone;
	const identities = isEntered ? await findIdentityFiles({...service, id: rented.id}) : [];
	tell(context, {...rented, ...followed, order, identities});
	await client.pendingRents.told(made.pending);
	signal.throwIfAborted();
	const isTwice = made.doubles !== undefined && followed.exitCode === exitCodes.fine;
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

function reviewOf(offer: Offer, order: Order, isExact: boolean): readonly string[] {
	const {creation, template} = order;
	const {disk} = costOf(offer, {
		diskGb: creation.disk.value,
		hours: 1,
		inGbPerHour: 0,
		outGbPerHour: 0,
	});
	const image = creation.image.value ?? '-';
	const from = template === undefined ? '' : ` (template ${template.name ?? template.hash_id})`;
	const where = [gpusOf(offer), offer.geolocation].filter(part => typeof part === 'string');
	return [
		`  Offer   ${[offer.id, ...where].join('  ')}`,
		`  Image   ${image}${from}`,
		`  Disk    ${creation.disk.value} GB`,
		isFree(offer, order.own)
			? '  Price   nothing: the machine is your own'
			: `  Price   ${pricePerHour(priceOf(offer, order))} while it runs, ${pricePerHour(disk)} stopped`,
		...(shownLabel(creation.label.value) === ''
			? []
			: [`  Label   ${shownLabel(creation.label.value)}`]),
		...(isExact ? ['  Exact   an instance that is not as ordered is destroyed'] : []),
	];
}

type RentedOffer = Rented & {
	readonly offer: Offer;
	readonly key: string | undefined;
	readonly doubles: Doubles | undefined;
};

/** Tries one offer after the other, the next only if no instance was created. */
async function rentFirst(
	context: Context,
	client: Client,
	{
		offers,
		whyNone,
		order,
		again,
	}: Candidates & {readonly order: Order; readonly again: PendingRent | undefined},
): Promise<RentedOffer> {
	const {signal, output} = context;
	let refusal: unknown;
	for (const offer of offers) {
		try {
			const onDoubt = () =>
				output.say(
					'rentty: The answer was lost. Looking whether it was rented, which may take half a minute.',
				);
			const perHour = priceOf(offer, order);
			const agreed = agreedOrder({...order, offer, perHour});
			const label = shownLabel(order.creation.label.value);
			const mayRent = limitsAtRent(context, {perHour, label});
			const options = {signal, onDoubt, agreed, again, mayRent};
			// oxlint-disable-next-line no-await-in-loop -- never two at once
			const outcome = await client.instances.rent(offer, order.order, options);
			const {id, pending, key, doubles} = createdOf(outcome);
			const twice = doubles && doublesText(doubles);
			if (twice !== undefined) output.say(`rentty: ${twice}`);
			return {id, pending, offer, key, doubles};
		} catch (error) {
			if (!(error instanceof ApiError) || !isTaken(error)) throw error;
			refusal = error;
			if (offers.length > 1) output.say(`rentty: Offer ${offer.id} is gone.`);
		}
	}
	const why = await whyNone();
	const message = `${why} Nothing was created, and nothing is charged.`;
	throw new CommandError(exitCodes.notFound, message, {cause: refusal});
}

type RentReport = Followed & {
	readonly id: number;
	readonly offer: Offer;
	readonly keyFile: string | undefined;
	readonly doubles: Doubles | undefined;
	readonly order: Order;
	/** Private keys that ssh does not try by itself. */
	readonly identities: readonly string[];
};

function tell({isJson, output}: Context, report: RentReport): void {
	if (isJson) return output.json(recordOf(report));
	const {id, offer, order, instance, unlike, isGone, identities, keyFile} = report;
	// A script has no use for the number of an instance that is gone.
	if (isGone) return undefined;
	const ssh = instance && sshRecord(instance, identities);
	output.line(String(id));
	if (ssh) output.line(ssh.command);
	if (keyFile !== undefined) output.say(`rentty: Its own key is kept in ${keyFile}.`);
	const costs = unlike?.perHour ?? priceOf(offer, order);
	const day = costs === undefined ? '' : `, ${money(costs * 24)} a day`;
	const isOwn = costs === 0 && isFree(offer, order.own);
	const price = isOwn ? 'nothing: the machine is your own' : `${pricePerHour(costs)}${day}`;
	return output.say(`rentty: ${id} costs ${price}. rentty destroy ${id} ends it.`);
}

function recordOf(report: RentReport) {
	const {id, offer, order, instance, unlike, isGone, identities, keyFile, doubles} = report;
	const key_file = keyFile ?? null;
	const differences = (unlike?.differences ?? []).map(differenceRecord);
	const price_per_hour = priceOf(offer, order) ?? null;
	const label = shownLabel(order.order.label) || null;
	const same = {id, offer: offer.id, label, price_per_hour};
	const kept = {differences, key_file, doubles: doubleRecords(doubles)};
	if (isGone) return {...same, state: 'gone', ssh: null, ...kept};
	const ssh = instance === undefined ? null : sshRecord(instance, identities);
	return {...same, state: instance?.actual_status ?? null, ssh, ...kept};
}

function doubleRecords({certain, perhaps}: Doubles = {certain: [], perhaps: []}) {
	return [...certain, ...perhaps].map(double => ({
		id: double.id,
		price_per_hour: double.dph_total ?? null,
		is_certain: certain.includes(double),
	}));
}
