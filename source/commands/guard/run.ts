/** `rentty guard run`: polls the instances of several profiles, until it is ended. */
import {join} from 'node:path';
import process from 'node:process';
import {setFlagsFromString} from 'node:v8';
import {replaceFile} from '../../client/files/files.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {alertOf, movedText, openOutbox} from '../../renter/alerts/guard-alerts.ts';
import {alertOfEvent, openKeptAlerts} from '../../renter/alerts/kept-alerts.ts';
import {readKept, serviceFile} from '../../renter/files/kept-file.ts';
import {openKeptCosts} from '../../renter/leases/sightings.ts';
import {openAgreedLeases} from '../../renter/leases/agreed.ts';
import {isLabelEvent, type GuardEvent, type LabelEvent} from '../../renter/leases/ending.ts';
import {pricePerHour} from '../../renter/text/format.ts';
import {budgetText} from '../../renter/leases/budgets.ts';
import {createGuard, type GuardPoll} from '../../renter/leases/guard.ts';
import {openLeadership, type Leadership} from '../../renter/leases/guard-status.ts';
import {openDelivery} from '../alerts.ts';
import {pollUntil} from '../../renter/state/polling.ts';
import {type Context, type OpenableService, readNumberOption} from '../base/command.ts';
import {budgetsOf, createChargeReader} from '../leases/budget-file.ts';
import {CommandError, exitCodes, failureMessage} from '../base/failure.ts';
import {openInside} from '../../renter/leases/ssh-inside.ts';
import {createGpuRounds} from '../../renter/history/gpu-rounds.ts';
import {openUseHistory} from '../../renter/history/use-history.ts';
import {openRunBook} from '../../renter/training/kept-runs.ts';
import {createRunRounds} from '../../renter/training/run-rounds.ts';

const USUAL_SECONDS = 30;
/** Longest time between two polls that count as consecutive. */
const MOST_SECONDS = 60;

/** The guard polls twice a minute for months: optimising compilers would take 8 MB for nothing. */
const smallFlags = [
	'--no-wasm-tier-up',
	'--no-wasm-dynamic-tiering',
	'--no-opt',
	'--no-maglev',
] as const;

const steady = (): number => performance.now();

type ProfileStatus = {
	/** Time of the service's last answer, in milliseconds since 1970 on this machine's clock. */
	heardAt?: number;
	instances?: number;
	ending?: number;
	/** Keys of the enforced leases, by instance. */
	leases?: Readonly<Record<string, string>>;
	/** Instances whose idleness could not be measured. */
	unmeasured?: readonly number[];
	problem: string | null;
};

type Guarded = {
	readonly name: string;
	readonly poll: () => Promise<GuardPoll>;
	readonly settle: () => Promise<void>;
	readonly close: () => Promise<void>;
	readonly status: ProfileStatus;
};

export async function runGuard(context: Context): Promise<number> {
	const every = readNumberOption(context, 'every', {least: 1}) ?? USUAL_SECONDS;
	if (every > MOST_SECONDS) throw new UsageError(`--every takes at most ${MOST_SECONDS} seconds.`);
	for (const flag of smallFlags) setFlagsFromString(flag);
	const leadership = openLeadership({file: join(context.folders.state, 'guard.json'), steady});
	const services = servicesOf(context);
	const guarded: Guarded[] = [];
	try {
		for (const service of services) guarded.push(await openGuarded(context, service, leadership));
		await pollRepeatedly(context, guarded, {leadership, everyMs: every * 1000});
	} finally {
		await Promise.all(guarded.map(async ({close}) => close()));
		// A guard that cannot write the leadership file has nothing to leave.
		await leadership.leave().catch(() => undefined);
	}
	return exitCodes.fine;
}

/** @throws CommandError if a profile may change nothing */
export function servicesOf(context: Context): readonly OpenableService[] {
	const names = context.textOf('profiles')?.split(',') ?? [];
	const named = names.map(name => context.serviceOf([`--profile=${name.trim()}`]));
	const services = names.length === 0 ? [context.serviceOf(context.serviceWords)] : named;
	const closed = services.find(({isReadOnly}) => isReadOnly);
	if (closed === undefined) return services;
	const message = `The profile ${closed.name} is read-only: its guard could end nothing.`;
	throw new CommandError(exitCodes.notAccepted, message);
}

async function openGuarded(
	context: Context,
	service: OpenableService,
	leadership: Leadership,
): Promise<Guarded> {
	const {client, close} = await service.open();
	const {name} = service;
	const kept = openKeptAlerts(serviceFile(context.folders.state, 'alerts', service), context.now);
	const costFile = serviceFile(context.folders.state, 'costs', service);
	const costs = openKeptCosts(costFile, service, steady);
	const {signal, now} = context;
	const outbox = openOutbox({...openDelivery(context), kept, signal, now});
	const pollFile = serviceFile(context.folders.state, 'looks', service);
	const inside = openInside({...context, client, name});
	const use = openUseHistory(serviceFile(context.folders.state, 'use', service, 'jsonl'));
	const rounds = createGpuRounds({inside, use, now});
	const runs = createRunRounds({
		client,
		now,
		book: openRunBook(serviceFile(context.folders.state, 'runs', service, 'jsonl')),
		inside,
		settings: context.settings,
		signal,
		send(event) {
			context.output.say(`rentty: ${name}: ${event.text}`);
			outbox.add(alertOfEvent(event, name, now()));
		},
	});
	const guard = createGuard({
		client,
		steady,
		now: context.now,
		inside,
		done: runs.done,
		onList(instances) {
			rounds.sample(instances);
			runs.readDue(instances);
		},
		mayAct: async () => leadership.lead(),
		report(event) {
			printEvent(context, name, event);
			outbox.add(alertOf(event, name, context.now()));
		},
		pollFile: {read: () => readKept(pollFile), write: async text => replaceFile(pollFile, text)},
		signal: context.signal,
		agreed: openAgreedLeases(context.folders.state, service),
		ordered: async () =>
			new Map((await client.pendingRents.all()).map(({token, label}) => [token, label ?? ''])),
		costs,
		money: {
			profile: name,
			budgets: budgetsOf(context),
			charged: createChargeReader(context, client),
		},
	});
	async function poll(): Promise<GuardPoll> {
		outbox.resume();
		return guard.poll();
	}
	async function settle(): Promise<void> {
		await guard.settle();
		// Alerts still being sent are left to the next guard.
		await Promise.all([runs.settle(), rounds.settle()]);
		await Promise.all([kept.settle(), costs.settle(), use.settle()]);
	}
	return {name, close, status: {problem: null}, poll, settle};
}

type Looking = {readonly leadership: Leadership; readonly everyMs: number};

async function pollRepeatedly(
	context: Context,
	guarded: readonly Guarded[],
	{leadership, everyMs}: Looking,
): Promise<void> {
	const {signal, output, isGiven, now} = context;
	const since = now();
	let led: boolean | undefined;
	let trouble: string | undefined;
	async function pollAll(): Promise<true | undefined> {
		const leads = await leadership.lead(statusOf(guarded, since));
		if (leads !== led) output.say(`rentty: ${leads ? 'guarding' : 'another guard acts'}.`);
		led = leads;
		const problem = leadership.trouble();
		if (problem !== undefined && problem !== trouble) {
			output.say(
				`rentty: ${problem}: what is due is ended all the same, and other guards and consoles do not see this one.`,
			);
		}
		trouble = problem;
		if (!leads && isGiven('alone')) return true;
		if (leads) await Promise.all(guarded.map(async one => pollOnce(context, one)));
		if (leads) await leadership.lead(statusOf(guarded, since));
		return undefined;
	}

	try {
		await pollUntil({ask: pollAll, everyMs, signal});
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		await Promise.all(guarded.map(async ({settle}) => settle()));
	}
}

function statusOf(guarded: readonly Guarded[], since: number): Readonly<Record<string, unknown>> {
	const profiles = Object.fromEntries(guarded.map(({name, status}) => [name, status]));
	return {profiles, since, rssMb: Math.round(process.memoryUsage.rss() / 1e6)};
}

/** Polls once. A failure is reported once, and the next poll tries again. */
async function pollOnce(context: Context, {name, poll, status}: Guarded): Promise<void> {
	const {signal, output, now} = context;
	const before = status.problem;
	try {
		const {problem = null, date: _date, ...polled} = await poll();
		const ending = Object.keys(polled.leases).length;
		Object.assign(status, {...polled, heardAt: now(), ending, problem});
	} catch (error) {
		if (signal.aborted) return;
		status.problem = failureMessage(error);
	}
	if (status.problem === before) return;
	output.say(`rentty: ${name}: ${status.problem ?? 'it answers again'}.`);
}

function printEvent({isJson, output, now}: Context, profile: string, event: GuardEvent): void {
	const at = new Date(now()).toISOString();
	if (isJson) return output.json({at, profile, ...event});
	const name = ['id' in event ? String(event.id) : '', event.label].join(' ').trim();
	return output.line(`${at} ${profile}: ${[name, eventText(event)].join(' ').trim()}`);
}

function eventText(event: GuardEvent): string {
	if (isLabelEvent(event)) return labelText(event);
	switch (event.kind) {
		case 'ending':
			return `ends in ${event.seconds} s`;
		case 'late':
			return `was to end ${event.seconds} s ago, and is still there`;
		case 'postponed':
			return event.why;
		case 'ended':
		case 'not ended':
			return `${event.kind}: ${event.act}, ${event.proof} (${event.evidence})`;
		case 'budget':
			return `budget ${event.state.level}: ${budgetText(event.state)}`;
		case 'may cost':
			return `it has cost ${event.costs}: nothing ends it by its cost until that is certain`;
		case 'dearer':
			return `costs ${pricePerHour(event.to)} instead of ${pricePerHour(event.from)}`;
		case 'contradiction':
			return `${event.field} was ${event.before}, and is ${event.after}: nothing is ended by it`;
		case 'clock':
			return `the service's clock jumped by ${event.seconds} s, which is not taken for time`;
	}
}

function labelText(event: LabelEvent): string {
	switch (event.kind) {
		case 'unknown lease':
			return 'has a lease that cannot be read: nothing is ended by it here';
		case 'overdue lease':
			return `has a deadline that was ${event.seconds} s past when it was first seen: nothing is ended by it`;
		case 'changed lease':
			return `its lease was "${event.before}", and its label says "${event.after}" now`;
		case 'lost lease':
			return `its label no longer says what was agreed (${event.terms}): nothing is ended by it here`;
		case 'moved lease':
			return `ends at another time than was asked for: ${movedText(event)}`;
	}
}
