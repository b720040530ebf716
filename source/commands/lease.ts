/** `rentty lease`: shows when an instance ends and who sees to it, and changes that. */
import {UsageError} from '../renter/usage-error.ts';
import type {Instance} from '../contract/instance-record.ts';
import {leaseOf} from '../renter/leases/held.ts';
import {endlessLease, hasEnd, type Lease} from '../renter/leases/lease.ts';
import {
	leaseFrom,
	LeaseTermsError,
	readLength,
	termsOf,
	writeTerms,
} from '../renter/leases/lease-terms.ts';
import type {Command, Context} from './command.ts';
import {enforcersOf, enforcerText, type Asking} from '../renter/leases/enforcers.ts';
import {sendLease, type Sent} from '../renter/leases/send-lease.ts';
import {exitCodes} from './failure.ts';
import {findInstance} from './fleet-look.ts';
import {openInside} from '../renter/connect/inside.ts';
import {instanceName} from './instance-facts.ts';
import {leaseOptions, readBeforeOptions, readLeaseOptions, termOf} from './lease-options.ts';

export const lease: Command = {
	name: 'lease',
	summary: 'show or change when an instance ends by itself',
	takes: 'NAME',
	names: 'instances',
	about: [
		'Shows the lease of an instance, and who enforces it: the watchdog inside, a guard, the service;',
		'each confirmed or not. With options it changes the lease, and tells all of them.',
	],
	options: {
		...leaseOptions,
		extend: {value: 'TIME', about: 'put its deadline off by so long'},
		none: {about: 'let it go on without an end'},
	},
	run,
};

async function run(context: Context): Promise<number> {
	const {words, signal, isGiven} = context;
	const [name] = words;
	if (name === undefined || words.length > 1) {
		throw new UsageError('rentty lease needs the name of one instance.');
	}
	const isChange = Object.keys(lease.options).some(option => isGiven(option));
	const client = await (isChange ? context.changer() : context.client());
	const found = await findInstance(client, name, signal);
	const inside = openInside({...context, client, name: context.service().name});
	const asking: Asking = {...context, client, inside, name: context.service().name};
	const sent = isChange ? await change(context, asking, found) : undefined;
	await show(context, asking, sent?.instance ?? found);
	return sent?.isOwn === false ? exitCodes.failed : exitCodes.fine;
}

async function change(context: Context, asking: Asking, instance: Instance): Promise<Sent> {
	const {lease: held} = leaseOf(instance);
	const next = nextLease(context, held, asking.client.clock.now() / 1000);
	const sent = await sendLease(asking, instance, next).catch(refuseLongLabel);
	if (!sent.isOwn) context.output.say(notSet(instance));
	for (const problem of sent.problems) context.output.say(`rentty: ${problem}`);
	if (next === undefined)
		for (const one of sent.enforcers) context.output.say(`  ${enforcerText(one)}`);
	return sent;
}

function notSet(instance: Instance): string {
	const name = instanceName(instance);
	return `rentty: The lease of ${name} was not set: the service has another label, or it was changed elsewhere at the same time. What counts is shown; the same command tries again.`;
}

function refuseLongLabel(error: unknown): never {
	if (!(error instanceof LeaseTermsError)) throw error;
	const text = 'The label has no room for the lease: a shorter command or label has.';
	throw new UsageError(text, {cause: error});
}

/** The lease that the options make of one; undefined for none. */
function nextLease(context: Context, held: Lease | undefined, now: number): Lease | undefined {
	const {isGiven} = context;
	if (isGiven('none')) {
		const isKept = isGiven('keep') || held?.isKept === true;
		return isKept ? {...endlessLease, isKept} : undefined;
	}
	const before = readBeforeOptions(context) ?? held?.before;
	const given = readLeaseOptions(context);
	const changed = leaseFrom({...termsOf(held ?? endlessLease, now), ...given, before}, now);
	// What stays keeps its very second, so that it stays the same lease.
	const endsAt = isGiven('for') ? changed.endsAt : held?.endsAt;
	const extension = termOf(context, 'extend', readLength);
	return {...changed, endsAt: extension === undefined ? endsAt : extended(endsAt, extension, now)};
}

function extended(endsAt: number | undefined, seconds: number, now: number): number {
	if (endsAt !== undefined) return Math.max(endsAt, Math.ceil(now)) + seconds;
	throw new UsageError('There is no deadline to extend: --for sets one.');
}

async function show({isJson, output}: Context, asking: Asking, instance: Instance): Promise<void> {
	const {lease: held, isUnknown, label} = leaseOf(instance);
	const enforcers = await enforcersOf(asking, instance);
	const now = asking.client.clock.now() / 1000;
	const terms = held && writeTerms(termsOf(held, now));
	if (isJson) {
		const ends_at = held?.endsAt ?? null;
		output.json({id: instance.id, label, terms: terms ?? null, ends_at, enforcers});
		return;
	}
	const name = instanceName(instance);
	if (isUnknown)
		return output.line(`${name} has a lease of another version: rentty ends nothing by it.`);
	if (held === undefined || !hasEnd(held)) return output.line(`${name} has no end.`);
	output.line(`${name} ends: ${terms}`);
	for (const enforcer of enforcers) output.line(`  ${enforcerText(enforcer)}`);
	return undefined;
}
