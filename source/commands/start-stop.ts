/** `rentty start` and `rentty stop`. */
import type {Client} from '../client/client.ts';
import type {FleetRow} from '../renter/fleet/fleet-state.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import type {Command, Context} from './command.ts';
import {numberOf} from './command-line.ts';
import {getConsent, yesOption} from './consent.ts';
import {exitCodes} from './failure.ts';
import {openFleetLooks, rowsNamed} from './fleet-look.ts';
import {stateWord} from './instance-facts.ts';
import {doToAll, outcomeOf, reviewLines, type Outcome} from './outcomes.ts';
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
		const rows = await namedRows(context, 'stop');
		const client = await context.changer();
		const timeoutMs = (numberOf(context, 'wait', {least: 1}) ?? 60) * 1000;
		await getConsent(context, {lines: reviewLines(rows, stateWord), question: 'Stop?'});
		return doToAll(context, rows, async row => stopOne(context, client, {row, timeoutMs}));
	},
};

async function stopOne(
	{signal, isGiven}: Context,
	client: Client,
	{row, timeoutMs}: {readonly row: FleetRow; readonly timeoutMs: number},
): Promise<Outcome> {
	const {id} = row.instance;
	if (row.condition === 'stopped') return {outcome: 'is stopped', exitCode: exitCodes.fine};
	if (isGiven('no-wait')) {
		await client.instances.stop(id, {signal});
		return {outcome: 'accepted', exitCode: exitCodes.fine};
	}
	const outcome = outcomeOf(await client.instances.halt(id, {signal, timeoutMs}));
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
		wait: {about: 'look until they run'},
	},
	async run(context) {
		const rows = await namedRows(context, 'start');
		const client = await context.changer();
		await getConsent(context, {lines: reviewLines(rows, stateWord), question: 'Start?'});
		return doToAll(context, rows, async row => startOne(context, client, row));
	},
};

async function startOne(context: Context, client: Client, row: FleetRow): Promise<Outcome> {
	const {id} = row.instance;
	const {signal} = context;
	if (row.condition !== 'stopped') {
		return {outcome: 'is not stopped', exitCode: exitCodes.fine};
	}
	const {isQueued, message} = await client.instances.start(id, {signal});
	const accepted = isQueued ? 'waits for its GPUs' : 'starting';
	if (!context.isGiven('wait')) return {outcome: accepted, exitCode: exitCodes.fine, message};
	const booted = await watchBoot(context, client, id);
	return {outcome: booted.outcome, exitCode: booted.exitCode, message: booted.message};
}

async function namedRows(context: Context, command: string): Promise<readonly FleetRow[]> {
	if (context.words.length === 0) {
		throw new UsageError(`rentty ${command} needs the names of instances.`);
	}
	return rowsNamed(await openFleetLooks(context).look(context.words), context.words);
}
