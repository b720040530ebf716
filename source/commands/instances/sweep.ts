/** `rentty sweep`: destroys instances that repeated polls have proven to be stuck or dead. */
import {
	isTrouble,
	evidenceFor,
	isSweepable,
	mayBeLost,
	whyLeft,
} from '../../renter/instance/condition.ts';
import type {FleetRow, FleetState} from '../../renter/fleet/fleet-state.ts';
import {pollUntil} from '../../renter/state/polling.ts';
import {
	type Command,
	type Context,
	readNumberOption,
	refuseArguments,
	yesOption,
} from '../base/command.ts';
import {destroyAll, waiting} from './actions.ts';
import {exitCodes} from '../base/failure.ts';
import {openFleetPolls, warnOfDoubtfulRows, type FleetPolls} from './fleet-polls.ts';
import {instanceName, recordLabel, stateWord} from './facts.ts';

export const sweep: Command = {
	name: 'sweep',
	summary: 'destroy all that is stuck or dead, in one review',
	takes: '',
	isAboutInstances: true,
	about: [
		'Finds what is stuck or dead by the limits of the settings, and destroys all of it. An instance is',
		'so when looks for as long as the limit have shown it so: those of earlier sweeps and of the console',
		'count, and --wait takes more. What was made or started less than the limit ago is left alone.',
	],
	options: {
		...yesOption,
		...waiting,
		wait: {
			value: 'SECONDS',
			about: 'how long to look: for evidence, then until they are gone (default 0, 60)',
		},
		every: {value: 'SECONDS', about: 'the time between two looks (default 10)'},
	},
	run,
};

async function run(context: Context): Promise<number> {
	refuseArguments('sweep', context);
	const polls = openFleetPolls(context, {keeps: true});
	const state = await pollForEvidence(context, polls);
	const rows = state.rows.filter(isSweepable);
	warnOfDoubtfulRows(context, state, polls.doubts());
	for (const row of state.rows) reportLeft(context, row);
	// Unreadable records may be stuck, too.
	const isPart = state.incomplete !== undefined;
	const counts = {all: state.rows.length, isPart};
	if (rows.length > 0) return destroyAll(context, rows, counts);
	const isAnyLeft = state.rows.some(row => isTrouble(row.condition) || mayBeLost(row));
	if (!isAnyLeft) context.output.say('rentty: Nothing is stuck or dead.');
	return isPart ? exitCodes.partlyFailed : exitCodes.fine;
}

/** Polls for as long as --wait allows, until every instance has a verdict. */
async function pollForEvidence(context: Context, {poll}: FleetPolls): Promise<FleetState> {
	const {output, signal, now} = context;
	const everyMs = (readNumberOption(context, 'every') ?? 10) * 1000;
	const until = now() + (readNumberOption(context, 'wait') ?? 0) * 1000;
	let count = 0;
	return pollUntil({
		everyMs,
		signal,
		async ask() {
			const state = await poll();
			count += 1;
			if (!isWorthWaiting(state, until, now())) return state;
			if (count === 1) output.say('rentty: Something may be stuck or dead. Looking again.');
			return undefined;
		},
	});
}

function isWorthWaiting({rows}: FleetState, until: number, now: number): boolean {
	if (now >= until) return false;
	return rows.some(
		row => mayBeLost(row) || (isTrouble(row.condition) && whyLeft(row) !== undefined),
	);
}

/** Says why an instance that may be stuck or dead is left alone. */
function reportLeft({output, isJson, settings}: Context, row: FleetRow): void {
	const why = isTrouble(row.condition) ? whyLeft(row) : unproven(row, settings.limits.bootMinutes);
	if (why === undefined) return;
	const {id, label} = row.instance;
	const evidence = evidenceFor(row);
	output.say(`rentty: ${instanceName(row.instance)} is left alone (${stateWord(row)}): ${why}.`);
	if (isJson) {
		const money = {at_most_per_hour: row.rate.atMost ?? null};
		output.json({id, label: recordLabel(label), outcome: 'left', message: why, ...money, evidence});
	}
}

function unproven(row: FleetRow, bootMinutes: number): string | undefined {
	if (!mayBeLost(row)) return undefined;
	const help = `--wait ${bootMinutes * 60} looks until it is known, and later sweeps add to these looks`;
	const word = row.condition === 'failing' ? 'dead' : 'stuck';
	return `${evidenceFor(row)} is too little to call it ${word}; ${help}`;
}
