/** `rentty lease`: shows and changes the end of an instance, and names its enforcers. */
import {UsageError} from '../../renter/text/usage-error.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {messageOf} from '../../contract/rules/thrown.ts';
import {sentence} from '../../renter/text/format.ts';
import {lateMs, leaseOf, passedDeadlineText, enforcerText} from '../../renter/leases/held.ts';
import {endlessLease, hasEnd, type Lease} from '../../renter/words/lease.ts';
import {
	leaseFrom,
	LeaseTermsError,
	readLength,
	remainingTerms,
	writeTerms,
} from '../../renter/leases/lease-terms.ts';
import {getConsent, yesOption, type Command, type Context} from '../base/command.ts';
import {openAgreedLeases} from '../../renter/leases/agreed.ts';
import {enforcersOf, type EnforcerQuery, type Enforcer} from '../../renter/leases/enforcers.ts';
import type {Client} from '../../client/client.ts';
import {sendLease, type LeaseChangeResult} from '../../renter/leases/send-lease.ts';
import {maySpentText, withoutSpentBudget} from '../../renter/leases/spent-budget.ts';
import {exitCodes} from '../base/failure.ts';
import {findNamedInstance} from '../instances/fleet-polls.ts';
import {openInside} from '../../renter/leases/ssh-inside.ts';
import {instanceName} from '../instances/facts.ts';
import {
	leaseOptions,
	readBeforeOptions,
	readLeaseOptions,
	refuseEndless,
	termOf,
} from './lease-options.ts';

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
		restore: {about: 'write the lease again that its label no longer says'},
		...yesOption,
	},
	run,
};

async function run(context: Context): Promise<number> {
	const {words, signal, isGiven} = context;
	const [name] = words;
	if (name === undefined || words.length > 1) {
		throw new UsageError('rentty lease needs the name of one instance.');
	}
	const given = Object.keys(lease.options).filter(option => option !== 'yes' && isGiven(option));
	refuseContradiction(given);
	const isChange = given.length > 0;
	const client = await (isChange ? context.changer() : context.client());
	const found = await findNamedInstance(client, name, signal);
	const asking = askingOf(context, client);
	const sent = isChange ? await change(context, asking, found) : undefined;
	await show(context, asking, sent?.instance ?? found);
	return sent?.isOwn === false ? exitCodes.failed : exitCodes.fine;
}

/** Options that allow only some beside them: they say what all of the lease is to be. */
const exclusive: ReadonlyArray<readonly [option: string, beside: readonly string[]]> = [
	['none', ['keep']],
	['restore', []],
	['extend', Object.keys(leaseOptions).filter(name => name !== 'for')],
];

/** @throws UsageError if options ask for two different leases */
function refuseContradiction(given: readonly string[]): void {
	for (const [option, beside] of exclusive) {
		const other = given.find(name => name !== option && !beside.includes(name));
		if (given.includes(option) && other !== undefined) {
			throw new UsageError(
				`--${option} and --${other} ask for two different leases: leave one. Nothing was changed.`,
			);
		}
	}
}

export function askingOf(context: Context, client: Client): EnforcerQuery {
	const {name} = context.service();
	const inside = openInside({...context, client, name});
	const agreed = openAgreedLeases(context.folders.state, context.service());
	return {...context, client, inside, agreed, name};
}

async function change(
	context: Context,
	asking: EnforcerQuery,
	instance: Instance,
): Promise<LeaseChangeResult> {
	await agreeToBudget(context, asking, instance).catch(refuseLease);
	let next: Lease | undefined;
	const sent = await sendLease(asking, instance, present => {
		next = wantedLease(context, asking, present);
		return next;
	}).catch(refuseLease);
	if (!sent.isOwn) {
		const name = instanceName(instance);
		context.output.say(
			`rentty: The lease of ${name} was not set: the service has another label, or it was changed elsewhere at the same time. What counts is shown; the same command tries again.`,
		);
	}
	for (const problem of sent.problems) context.output.say(`rentty: ${problem}`);
	if (next === undefined)
		for (const one of sent.enforcers) context.output.say(`  ${enforcerText(one)}`);
	return sent;
}

/** Asks before a budget that may be spent already. */
async function agreeToBudget(
	context: Context,
	asking: EnforcerQuery,
	instance: Instance,
): Promise<void> {
	const row = {instance, now: asking.client.clock.now()};
	const warning = maySpentText(row, wantedLease(context, asking, instance));
	if (warning !== undefined) await getConsent(context, {lines: [warning], question: 'Set it?'});
}

/** The lease that the options ask for. @throws LeaseTermsError */
function wantedLease(
	context: Context,
	asking: EnforcerQuery,
	instance: Instance,
): Lease | undefined {
	const now = asking.client.clock.now();
	const {lease: held} = leaseOf(instance);
	const wanted = context.isGiven('restore')
		? restored(asking, instance)
		: nextLease(context, held, now / 1000);
	return withoutSpentBudget({instance, now}, wanted);
}

/**
 * The lease that was agreed here. A lease whose deadline has passed is refused: the instance would end at
 * once.
 */
function restored({agreed, client}: EnforcerQuery, instance: Instance): Lease {
	const found = agreed?.lost(instance);
	const name = instanceName(instance);
	if (found === undefined) {
		throw new UsageError(
			`There is no lease to restore: ${name} has lost none that was agreed here.`,
		);
	}
	if (found.endsAt !== undefined && found.endsAt * 1000 <= client.clock.now()) {
		throw new UsageError(
			`Its deadline has passed: rentty lease ${instance.id} --for sets another.`,
		);
	}
	return found;
}

function refuseLease(error: unknown): never {
	if (!(error instanceof LeaseTermsError)) throw error;
	throw new UsageError(`${sentence(messageOf(error))} Nothing was changed.`, {cause: error});
}

/** The lease with the changes of the options; undefined for none. */
function nextLease(context: Context, held: Lease | undefined, now: number): Lease | undefined {
	const {isGiven} = context;
	if (isGiven('none')) {
		const isKept = isGiven('keep') || held?.isKept === true;
		return isKept ? {...endlessLease, isKept} : undefined;
	}
	const before = readBeforeOptions(context) ?? held?.before;
	const given = readLeaseOptions(context);
	const changed = leaseFrom({...remainingTerms(held ?? endlessLease, now), ...given, before}, now);
	// An unchanged end keeps its seconds, so that the lease stays equal.
	const endsAt = isGiven('for') ? changed.endsAt : held?.endsAt;
	const next = {...changed, endsAt: extendedBy(context, endsAt, now)};
	if (next.whenDone !== held?.whenDone) refuseEndless(next);
	return next;
}

/** The deadline, put off where the command line says so. */
function extendedBy(context: Context, endsAt: number | undefined, now: number) {
	const seconds = termOf(context, 'extend', readLength);
	if (seconds === undefined) return endsAt;
	if (endsAt !== undefined) return Math.max(endsAt, Math.ceil(now)) + seconds;
	throw new UsageError('There is no deadline to extend: --for sets one.');
}

async function show(
	{isJson, output}: Context,
	asking: EnforcerQuery,
	instance: Instance,
): Promise<void> {
	const enforcers = await enforcersOf(asking, instance);
	const now = asking.client.clock.now() / 1000;
	const found = asking.agreed?.lost(instance);
	const lost = found && writeTerms(remainingTerms(found, Math.floor(now)));
	if (isJson) output.json({...recordOf(instance, now), lost: lost ?? null, enforcers});
	else for (const line of linesOf(instance, {now, lost, enforcers})) output.line(line);
}

function recordOf(instance: Instance, now: number) {
	const {lease: held, label} = leaseOf(instance);
	const terms = held === undefined ? null : writeTerms(remainingTerms(held, now));
	const late = lateMs(instance, now * 1000);
	return {
		id: instance.id,
		label,
		terms,
		ends_at: held?.endsAt ?? null,
		late_seconds: late === undefined ? null : Math.floor(late / 1000),
	};
}

type Shown = {
	readonly now: number;
	/** Terms that were agreed here, but that the label has lost. */
	readonly lost: string | undefined;
	readonly enforcers: readonly Enforcer[];
};

function linesOf(instance: Instance, {now, lost, enforcers}: Shown): readonly string[] {
	const {lease: held, isUnknown} = leaseOf(instance);
	const passed = passedDeadlineText(instance, now * 1000);
	const terms =
		held && hasEnd(held) ? (passed ?? writeTerms(remainingTerms(held, now))) : undefined;
	const isEnding = held === undefined || hasEnd(held);
	const shown = enforcers.filter(({who}) => isEnding || who === 'job');
	const mayEnd = shown.length > 0;
	const may = mayEnd ? ', and may still be ended by:' : '.';
	const none = held === undefined ? 'has no lease' : 'has a lease that does not end it';
	const text =
		terms !== undefined
			? `ends: ${terms}`
			: lost !== undefined
				? `has a label that no longer says its lease${may}`
				: isUnknown
					? `has a lease that cannot be read: rentty ends nothing by it${may}`
					: mayEnd
						? none + may
						: 'has no end.';
	const agreed = `What was agreed: ${lost}. rentty lease ${instance.id} --restore writes it again, --none lets go of it.`;
	return [
		`${instanceName(instance)} ${text}`,
		...shown.map(one => `  ${enforcerText(one)}`),
		...(lost === undefined ? [] : [`  ${agreed}`]),
	];
}
