/**
 * `rentty stop`, `rentty start` and `rentty destroy`: the outcome of each instance is printed as soon as it is
 * known, and all of them are summed up in one exit code.
 */
import {readChanges} from '../../renter/actions/changed-meanwhile.ts';
import {budgetedStarts, spendingsOfStarts} from '../../renter/actions/start-limits.ts';
import {troubleEvidence, removalOf} from '../../renter/actions/instance-actions.ts';
import type {FleetRow, FleetState} from '../../renter/fleet/fleet-state.ts';
import {isAtRest} from '../../renter/instance/condition.ts';
import {paidAhead} from '../../renter/instance/cost.ts';
import {isPastEnd} from '../../renter/leases/held.ts';
import {
	confirmingPhrase,
	MISSING,
	money,
	pricePerHour,
	sentence,
} from '../../renter/text/format.ts';
import {
	type Context,
	type Command,
	readNumberOption,
	getConsent,
	yesOption,
} from '../base/command.ts';
import {exitCodes} from '../base/failure.ts';
import {instanceName, stateWord} from './facts.ts';
import {doToAll, orPart, commandOutcomeOf, type Counts, type CommandOutcome} from './outcomes.ts';
import type {Client} from '../../client/client.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {refuseStartsOverBudget} from '../leases/budget-file.ts';
import {openFleetPolls, warnOfDoubtfulRows} from './fleet-polls.ts';
import {refuseOverLimits, spendOption} from '../leases/spending-limits.ts';
import {isOnlyIds, rowsNamed} from './names.ts';
import {watchBoot} from './boot.ts';

export const stop: Command = {
	name: 'stop',
	summary: 'stop instances; their disks stay, and cost',
	takes: 'NAMES…',
	names: 'instances',
	about: [
		'Ends the containers. The disks stay and cost; the GPUs may be taken by others. It is looked at',
		'until they have stopped. Names are numbers or labels.',
	],
	options: {
		...yesOption,
		'no-wait': {about: 'end when the service has accepted it'},
		wait: {value: 'SECONDS', about: 'how long to look until they have stopped (default 60)'},
	},
	async run(context) {
		const {rows, counts} = await namedRows(context, 'stop');
		const client = await context.changer();
		const timeoutMs = waitMs(context);
		await getConsent(context, {lines: reviewLines(rows), question: 'Stop?'});
		const changes = await changesMeanwhile(context, client, rows);
		const halt = async (row: FleetRow) => stopOne(context, client, {row, timeoutMs});
		const code = await doToAll(context, rows, unlessChanged(changes, halt));
		return orPart(code, counts.isPart);
	},
};

async function stopOne(
	{signal, isGiven}: Context,
	client: Client,
	{row, timeoutMs}: {readonly row: FleetRow; readonly timeoutMs: number},
): Promise<CommandOutcome> {
	const {id} = row.instance;
	if (isAtRest(row.condition)) return {outcome: 'is stopped', exitCode: exitCodes.fine};
	if (isGiven('no-wait')) {
		await client.instances.stop(id, {signal});
		return {outcome: 'accepted', exitCode: exitCodes.fine};
	}
	const outcome = commandOutcomeOf(await client.instances.halt(id, {signal, timeoutMs}));
	return outcome.outcome === 'gone' ? {...outcome, exitCode: exitCodes.notFound} : outcome;
}

export const start: Command = {
	name: 'start',
	summary: 'start stopped instances',
	takes: 'NAMES…',
	names: 'instances',
	about: [
		'Starts instances where their GPUs are free; else they wait for them. Names are numbers or',
		'labels.',
	],
	options: {
		...yesOption,
		...spendOption,
		wait: {about: 'look until they run'},
	},
	async run(context) {
		const {rows, counts, state} = await namedRows(context, 'start');
		const client = await context.changer();
		await refuseStarts(context, rows, state);
		const ending = rows.filter(({instance, now}) => isPastEnd(instance, now));
		const notes = ending.map(({instance: {id}}) => `  ${sentence(`${id}: ${pastEnd(id)}`)}`);
		await getConsent(context, {lines: [...reviewLines(rows), ...notes], question: 'Start?'});
		const code = await doToAll(context, rows, async row => startOne(context, client, row));
		return orPart(code, counts.isPart);
	},
};

async function refuseStarts(
	context: Context,
	rows: readonly FleetRow[],
	{burn, incomplete, rows: all}: FleetState,
): Promise<void> {
	refuseStartsOverBudget(context, budgetedStarts(rows, all));
	const nothing = 'Nothing was started.';
	for (const {perHour, fleet} of spendingsOfStarts(rows, burn)) {
		const others = {burn: {...burn, ...fleet}, incomplete};
		// oxlint-disable-next-line no-await-in-loop -- nothing is read: the fleet is known
		await refuseOverLimits(context, {perHour, nothing, fleet: others});
	}
}

async function startOne(context: Context, client: Client, row: FleetRow): Promise<CommandOutcome> {
	const {id} = row.instance;
	const {signal} = context;
	if (!isAtRest(row.condition)) {
		return {outcome: 'is not stopped', exitCode: exitCodes.fine};
	}
	const {isQueued, message: says} = await client.instances.start(id, {signal});
	const accepted = isQueued ? 'waits for its GPUs' : 'starting';
	const message = isPastEnd(row.instance, row.now) ? pastEnd(id) : says;
	if (!context.isGiven('wait')) return {outcome: accepted, exitCode: exitCodes.fine, message};
	return watchBoot(context, client, id);
}

function pastEnd(id: number): string {
	return `its lease is over, so that whoever keeps it ends it again; rentty lease ${id} --for 2h gives it another`;
}

/** Options of commands that destroy or sweep. */
export const waiting = {
	'no-wait': {about: 'end when the service has accepted it'},
	wait: {value: 'SECONDS', about: 'how long to look until they are gone (default 60)'},
} as const;

export const destroy: Command = {
	name: 'destroy',
	summary: 'end instances for good, and look until they are gone',
	takes: 'NAMES…',
	names: 'instances',
	about: [
		'Deletes instances and all that is on their disks. Accepted is not gone: they are looked for',
		'until their records and a list say so. Names are numbers or labels, or words that ask for',
		"instances, as for rentty ps: 'stuck', 'label~train idle>2h'. The review names each of them.",
	],
	options: {...yesOption, ...waiting},
	async run(context) {
		const {rows, counts} = await namedRows(context, 'destroy');
		return destroyAll(context, rows, counts);
	},
};

/**
 * Asks, destroys, and prints the outcome of each.
 *
 * @param counts of what the rows were chosen from
 */
export async function destroyAll(
	context: Context,
	rows: readonly FleetRow[],
	{all, isPart}: Counts,
): Promise<number> {
	const client = await context.changer();
	const timeoutMs = waitMs(context);
	const isAll = rows.length > 1 && rows.length === all;
	const many = rows.length === 1 ? 'this instance' : `${rows.length} instances`;
	await getConsent(context, {
		lines: reviewLines(rows),
		question: `Destroy ${isAll ? `all ${rows.length} instances` : many} and what is on the disk?`,
		// A typed phrase, where data or everything that is rented would be lost.
		word:
			isAll || rows.some(({observation}) => observation.hasRun)
				? confirmingPhrase('destroy', rows.length)
				: undefined,
	});
	const {signal} = context;
	const changes = await changesMeanwhile(context, client, rows);
	if (context.isGiven('no-wait')) {
		const accept = unlessChanged(changes, async row => {
			const {id, evidence} = removalOf(row);
			await client.instances.destroy(id, {signal, note: {evidence}});
			return {outcome: 'accepted', exitCode: exitCodes.fine};
		});
		return orPart(await doToAll(context, rows, accept), isPart);
	}
	const agreed = rows.filter(({instance: {id}}) => !changes.has(id)).map(removalOf);
	const removal = client.instances.removeAll(agreed, {signal, timeoutMs});
	const remove = async ({instance: {id}}: FleetRow) => commandOutcomeOf(await removal(id));
	return orPart(await doToAll(context, rows, unlessChanged(changes, remove)), isPart);
}

/** Changes of instances while a question stood; none with --yes, whose poll was a moment ago. */
async function changesMeanwhile(
	{isGiven, signal}: Context,
	client: Client,
	rows: readonly FleetRow[],
): Promise<ReadonlyMap<number, string>> {
	return isGiven('yes') ? new Map() : readChanges(client, rows, signal);
}

/** Acts only on rows that are still as they were agreed to. */
function unlessChanged(
	changes: ReadonlyMap<number, string>,
	act: (row: FleetRow) => Promise<CommandOutcome>,
): (row: FleetRow) => Promise<CommandOutcome> {
	return async row => {
		const change = changes.get(row.instance.id);
		if (change === undefined) return act(row);
		return {outcome: 'left', exitCode: exitCodes.failed, message: `${change}, so nothing was sent`};
	};
}

/**
 * Instances that a command names, with the count of all.
 * @throws UsageError if there are no words
 */
async function namedRows(context: Context, command: string) {
	const {words} = context;
	if (words.length === 0) throw new UsageError(`rentty ${command} needs the names of instances.`);
	const polls = openFleetPolls(context);
	const state = await polls.poll(words);
	warnOfDoubtfulRows(context, state, polls.doubts());
	const rows = rowsNamed(state, words);
	// A condition may match unreadable records as well; an id cannot.
	const isPart = state.incomplete !== undefined && !isOnlyIds(words);
	return {rows, counts: {all: state.rows.length, isPart}, state};
}

function waitMs(context: Context): number {
	return (readNumberOption(context, 'wait', {least: 1}) ?? 60) * 1000;
}

function reviewLines(rows: readonly FleetRow[]): readonly string[] {
	return rows.map(row => {
		const {instance, rate, observation} = row;
		const data = observation.hasRun ? 'ran, has data' : 'never ran';
		const price = rate.atMost === undefined ? MISSING : `up to ${pricePerHour(rate.atMost)}`;
		const trouble = troubleEvidence(row);
		const left = paidAhead([row]);
		const ahead = left > 0 ? [`${money(left)} paid ahead is left`] : [];
		return `  ${[instanceName(instance), stateWord(row), data, price, ...ahead, ...(trouble === undefined ? [] : [trouble])].join('  ')}`;
	});
}
