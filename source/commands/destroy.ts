/** `rentty destroy` and `rentty sweep`: ends instances, and looks until they are gone. */
import type {Client} from '../client/client.ts';
import {isTrouble} from '../console/fleet/condition.ts';
import type {FleetRow, FleetState} from '../console/fleet/fleet-state.ts';
import {UsageError} from '../console/options.ts';
import {setTimeout as pause} from 'node:timers/promises';
import type {Command, Context} from './command.ts';
import {numberOf, refuseWords} from './command-line.ts';
import {getConsent, yesOption} from './consent.ts';
import {exitCodeOf, exitCodes, messageOf} from './failure.ts';
import {openFleetLooks, rowsNamed} from './fleet-look.ts';
import {stateWord} from './instance-facts.ts';
import {doToAll, reviewLines} from './outcomes.ts';
import type {Outcome} from './outcomes.ts';

const waiting = {
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
		'until the service lists them no longer. Names are numbers or labels.',
	],
	options: {...yesOption, ...waiting},
	async run(context) {
		if (context.words.length === 0)
			throw new UsageError('rentty destroy needs the names of instances.');
		const {rows} = await openFleetLooks(context).look();
		return destroyAll(context, rowsNamed(rows, context.words), rows.length);
	},
};

export const sweep: Command = {
	name: 'sweep',
	summary: 'destroy all that is stuck or dead, in one review',
	takes: '',
	about: [
		'Finds what is stuck or dead by the limits of the settings, and destroys all of it. A state that',
		'ends everything is believed at the second look.',
	],
	options: {
		...yesOption,
		...waiting,
		every: {value: 'SECONDS', about: 'the time between two looks (default 10)'},
	},
	run: runSweep,
};

async function runSweep(context: Context): Promise<number> {
	refuseWords('sweep', context);
	const everyMs = (numberOf(context, 'every') ?? 10) * 1000;
	const {look} = openFleetLooks(context);
	let state: FleetState = await look();
	if (state.rows.some(({condition}) => condition === 'failing')) {
		context.output.say('rentty: Something may be dead. Looking again.');
		await pause(everyMs, undefined, {signal: context.signal});
		state = await look();
	}
	const rows = state.rows.filter(({condition}) => isTrouble(condition));
	if (rows.length > 0) return destroyAll(context, rows, state.rows.length);
	context.output.say('rentty: Nothing is stuck or dead.');
	return exitCodes.fine;
}

async function destroyAll(
	context: Context,
	rows: readonly FleetRow[],
	all: number,
): Promise<number> {
	const client = await context.changer();
	const timeoutMs = (numberOf(context, 'wait', {least: 1}) ?? 60) * 1000;
	const isAll = rows.length > 1 && rows.length === all;
	const many = rows.length === 1 ? 'this instance' : `${rows.length} instances`;
	await getConsent(context, {
		lines: reviewLines(rows, stateWord),
		question: `Destroy ${isAll ? `all ${rows.length} instances` : many} and what is on the disk?`,
		// What holds data, or is everything there is, is not lost by a slip of a finger.
		word: isAll || rows.some(({seen}) => seen.hasRun) ? 'destroy' : undefined,
	});
	const {signal} = context;
	return doToAll(context, rows, async ({instance: {id}}) => {
		if (!context.isGiven('no-wait')) return remove(client, id, {signal, timeoutMs});
		await client.instances.destroy(id, {signal});
		return {outcome: 'accepted', exitCode: exitCodes.fine};
	});
}

async function remove(
	client: Client,
	id: number,
	patience: {readonly signal: AbortSignal; readonly timeoutMs: number},
): Promise<Outcome> {
	const removal = await client.instances.remove(id, patience);
	switch (removal.outcome) {
		case 'gone':
			return {outcome: 'gone', exitCode: exitCodes.fine};
		case 'still listed': {
			const what = removal.isAccepted ? 'it was accepted' : 'nobody answered';
			return {
				outcome: 'still listed',
				exitCode: exitCodes.timedOut,
				message: `${what}, and it is listed all the same`,
			};
		}
		case 'refused': {
			const {error} = removal;
			return {outcome: 'refused', exitCode: exitCodeOf(error), message: messageOf(error)};
		}
		case 'unknown': {
			const message = 'the instances cannot be listed at present';
			return {outcome: 'unknown', exitCode: exitCodes.timedOut, message};
		}
	}
}
