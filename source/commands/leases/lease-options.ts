/** Options of `rentty rent` and `rentty lease` for the end of an instance, and an order with that end. */
import {UsageError} from '../../renter/text/usage-error.ts';
import {
	busyKinds,
	usualBefore,
	actions,
	type Before,
	endlessLease,
	hasEnd,
	type Lease,
} from '../../renter/words/lease.ts';
import {
	LeaseTermsError,
	readAction,
	readCost,
	readIgnores,
	readLength,
	readWhenDone,
	type Terms,
	leaseFrom,
	readTerms,
	remainingTerms,
	usualTerms,
	writeTerms,
} from '../../renter/leases/lease-terms.ts';
import type {ParsedOptions, Option, Context} from '../base/command.ts';
import type {Client} from '../../client/client.ts';
import {waitSentence} from '../../renter/leases/held.ts';
import {clocksApart, withLease} from '../../renter/orders/leased-order.ts';
import type {RentOrder} from '../rent/order.ts';

export const leaseOptions: Readonly<Record<string, Option>> = {
	for: {value: 'TIME', about: 'end it after a time, such as 6h or 1h30m'},
	idle: {value: 'TIME', about: 'end it when it has done nothing for so long'},
	budget: {value: 'DOLLARS', about: 'end it when it has cost so much'},
	'when-done': {about: 'end it before that when its run is done; a guard sees it'},
	when: {value: 'WHAT', about: 'so at step=N, line=TEXT or file=PATH; done, or none'},
	// oxlint-disable-next-line unicorn/no-thenable -- a word of the command line, and no function
	then: {
		value: 'WHAT',
		oneOf: actions,
		about: 'stop, destroy (default), or stop-destroy: an hour later',
	},
	before: {value: 'COMMAND', about: 'what runs in it before the end, to save results'},
	'before-limit': {value: 'TIME', about: 'how long that may take (default 5m)'},
	grace: {value: 'TIME', about: 'by how much the end is put off where that fails (default 10m)'},
	ignore: {value: 'WHAT', about: `what is not busy, of ${busyKinds.join(',')}`},
	keep: {about: 'no rule ends it but its own deadline'},
};

/** The terms that are given; undefined if none is. @throws UsageError */
export function readLeaseOptions(options: ParsedOptions): Partial<Terms> | undefined {
	const terms: Partial<Terms> = {
		...termOf(options, 'for', text => ({forSeconds: readLength(text)})),
		...termOf(options, 'idle', text => ({idleSeconds: readLength(text)})),
		...termOf(options, 'budget', text => ({maxCost: readCost(text)})),
		...(options.isGiven('when-done') && {whenDone: {kind: 'run'} as const}),
		...termOf(options, 'when', text => ({
			whenDone: text === 'none' ? undefined : readWhenDone(text),
		})),
		...termOf(options, 'then', text => ({action: readAction(text)})),
		...termOf(options, 'ignore', text => ({ignores: readIgnores(text)})),
		...(options.isGiven('keep') && {isKept: true}),
	};
	return Object.keys(terms).length === 0 ? undefined : terms;
}

/** The command to run before the end; undefined if none is given. @throws UsageError */
export function readBeforeOptions(options: ParsedOptions): Before | undefined {
	const command = options.textOf('before');
	const limit = termOf(options, 'before-limit', text => ({limitSeconds: readLength(text)}));
	const grace = termOf(options, 'grace', text => ({graceSeconds: readLength(text)}));
	if (command === undefined) {
		if (limit ?? grace) throw new UsageError('--before-limit and --grace need --before.');
		return undefined;
	}
	return {...usualBefore, command, ...limit, ...grace};
}

/** @throws UsageError */
export function termOf<Term>(
	options: ParsedOptions,
	name: string,
	read: (text: string) => Term,
): Term | undefined {
	const text = options.textOf(name);
	return text === undefined ? undefined : refusing(`--${name}: `, () => read(text));
}

/**
 * Turns an error about terms into a usage error.
 * @throws UsageError
 */
function refusing<Of>(about: string, make: () => Of): Of {
	try {
		return make();
	} catch (error) {
		if (!(error instanceof LeaseTermsError)) throw error;
		const why = about === '' ? error.message : `${about}${error.message}.`;
		throw new UsageError(why, {cause: error});
	}
}

export type LeasedOrder = {
	readonly order: RentOrder;
	/** The lease in words, such as `for 6h then destroy`; undefined without one. */
	readonly terms: string | undefined;
	/** Sentences about enforcers of the lease, and about those that cannot enforce it. */
	readonly notes: readonly string[];
};

type Leasing = {
	readonly client: Client;
	/** The service as the instance reaches it. */
	readonly url: string | undefined;
	/** Price of the running instance with its disk, in dollars an hour. */
	readonly perHour: number | undefined;
};

/**
 * Adds the lease of the command line to the label, to the onstart as a watchdog, and to a service that
 * keeps leases.
 * @throws UsageError
 */
export async function leasedOrder(
	context: Context,
	order: RentOrder,
	{client, url, perHour}: Leasing,
): Promise<LeasedOrder> {
	const before = readBeforeOptions(context);
	const given = readLeaseOptions(context) ?? termsOfSettings(context, order.template?.hash_id);
	if (given === undefined && before === undefined) return {order, terms: undefined, notes: []};
	const now = client.clock.now() / 1000;
	const lease = leaseFrom(
		{...remainingTerms(endlessLease, now), ...given, ...(before && {before})},
		now,
	);
	refuseEndless(lease);
	const hasLeases = await client.extensions.leases(context.signal);
	const skewMs = client.clock.skewMs();
	const late = hasLeases ? waitSentence(lease) : undefined;
	const apart = lease.endsAt === undefined ? undefined : clocksApart(skewMs);
	// An interactive user reads them among the notes.
	if (context.isGiven('yes')) {
		if (late !== undefined) context.output.say(`rentty: ${late}`);
		if (apart !== undefined) context.output.say(`rentty: Its end is ${apart}.`);
	}
	const {ordered, notes} = refusing('', () =>
		withLease(order, {lease, now, skewMs, url, perHour, hasLeases}),
	);
	return {order: ordered, terms: writeTerms(remainingTerms(lease, now)), notes};
}

/** @throws UsageError if what is to come before an end has no end */
export function refuseEndless(lease: Lease): void {
	const {before, whenDone} = lease;
	const option = before === undefined ? 'when-done' : 'before';
	if ((before === undefined && whenDone === undefined) || hasEnd(lease)) return;
	throw new UsageError(`--${option} needs an end: --for, --idle or --budget.`);
}

/**
 * The lease of the settings; undefined if they have none, or `--no-end` is given.
 * @throws UsageError
 */
function termsOfSettings(
	{settings, isGiven}: Context,
	hash: string | undefined,
): Terms | undefined {
	const text = usualTerms(settings, hash);
	if (text === 'none' || isGiven('no-end')) return undefined;
	const isTemplates = hash !== undefined && settings.templateLeases[hash] !== undefined;
	const name = isTemplates ? 'templateLeases' : 'lease';
	return refusing(`The setting ${name}: `, () => readTerms(text));
}
