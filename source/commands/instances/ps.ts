/** `rentty ps`: the rented instances and their cost. */
import type {FleetRow, FleetState} from '../../renter/fleet/fleet-state.ts';
import {movedText} from '../../renter/alerts/guard-alerts.ts';
import {leaseOf} from '../../renter/leases/held.ts';
import {pollUntil} from '../../renter/state/polling.ts';
import {findIdentityFiles} from '../../renter/connect/keys.ts';
import {formatCostRange, sumOfCosts} from '../../renter/instance/cost.ts';
import {viewNamed, viewsIn} from '../../renter/fleet/views.ts';
import {stateSigns} from '../../renter/instance/state-signs.ts';
import {asciiStates, isAsciiOnly} from '../../renter/text/ascii-only.ts';
import {pricePerHour} from '../../renter/text/format.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {budgetLines} from '../leases/budget-file.ts';
import {type Command, type Context, readNumberOption} from '../base/command.ts';
import {exitCodes, failureMessage} from '../base/failure.ts';
import {openFleetPolls, warnOfDoubtfulRows} from './fleet-polls.ts';
import {rowsAsked, rowsNamed} from './names.ts';
import {printedInstanceColumns, instanceJson, instanceName, stateWord} from './facts.ts';
import {writeRows} from '../base/output.ts';

export const ps: Command = {
	name: 'ps',
	summary: 'list what is rented, what state it is in and what it costs',
	takes: '[NAMES…]',
	names: 'instances',
	about: [
		'Lists instances, trouble first. Names are numbers or labels, or words that ask for instances as',
		"the filter of the console does: 'stuck cost>0.5', 'label~train idle', 'gpu=4090 ends<2h'. What is",
		'stuck or dead is called so by the limits of the settings, and by what the console has seen of it;',
		'what idles, by looks of the console or of --watch that are a minute and a half apart at most.',
		'Costs so far are of GPUs and disk: no record tells what went over the line.',
	],
	options: {
		view: {value: 'NAME', about: 'those that a view of the console asks for, such as trouble'},
		watch: {short: 'w', about: 'then a line for each change, until Ctrl-C'},
		every: {value: 'SECONDS', about: 'how often --watch looks (default 10)'},
	},
	run,
};

async function run(context: Context): Promise<number> {
	const everyMs = (readNumberOption(context, 'every', {least: 1}) ?? 10) * 1000;
	const polls = openFleetPolls(context);
	const first = await polls.poll(context.words);
	const rows = wantedRows(context, first);
	const doubts = polls.doubts();
	warnOfDoubtfulRows(context, first, doubts);
	const isSure = doubts.unsure.length + doubts.unshown.length === 0;
	if (context.isGiven('watch')) return follow(context, polls.poll, {rows, everyMs});
	if (!context.isJson) showTable(context, rows, {...first, isSure});
	else await showRecords(context, rows);
	return exitCodes.fine;
}

function wantedRows(context: Context, state: FleetState): readonly FleetRow[] {
	const {words, settings, textOf} = context;
	const name = textOf('view');
	if (name === undefined) return words.length === 0 ? state.rows : rowsNamed(state, words);
	if (words.length > 0) throw new UsageError('rentty ps takes names or --view, not both.');
	const view = viewNamed(settings, name);
	if (view !== undefined) return rowsAsked(state.rows, view.words, {isOnlyLookedAt: true});
	const known = viewsIn(settings).map(one => one.name);
	throw new UsageError(`There is no view ${name}: there are ${known.join(', ')}.`);
}

async function showRecords(context: Context, rows: readonly FleetRow[]): Promise<void> {
	const identities = await findIdentityFiles(context);
	for (const row of rows) context.output.json(instanceJson(row, identities));
}

/** True for people who see the output: programs and screen readers get words alone. */
function isSigned({output}: Context): boolean {
	return output.isTerminal && output.isSpoken !== true;
}

/** The columns of instances, the sign of the console before each state. */
function withSigns({environment, settings}: Context): typeof printedInstanceColumns {
	const isAscii = isAsciiOnly(environment, settings.glyphs);
	return printedInstanceColumns.map(column => {
		if (column.title !== 'STATE') return column;
		return {
			...column,
			cell(row) {
				const {sign} = stateSigns[row.condition];
				return `${isAscii ? asciiStates[sign] : sign} ${stateWord(row)}`;
			},
		};
	});
}

function showTable(
	context: Context,
	rows: readonly FleetRow[],
	{burn, incomplete, isSure}: FleetState & {readonly isSure: boolean},
): void {
	const {output} = context;
	if (rows.length === 0) {
		if (incomplete !== undefined || !isSure) return;
		output.say('rentty: Nothing is rented, and nothing is charged as far as this key can see.');
		return;
	}
	writeRows(output, isSigned(context) ? withSigns(context) : printedInstanceColumns, rows);
	warnOfLostLeases(output, rows);
	warnOfMovedLeases(output, rows);
	if (isAll(context)) {
		const rented = rows.flatMap(({condition, instance}) =>
			condition === 'gone' ? [] : [instance],
		);
		for (const line of budgetLines(context, rented)) output.say(`rentty: ${line}`);
	}
	if (!output.isTerminal) return;
	const most = burn.atMost === burn.now ? '' : ` (at most ${pricePerHour(burn.atMost)})`;
	const unknown = burn.unpriced === 0 ? '' : `, and ${burn.unpriced} of unknown price`;
	const all = incomplete === undefined ? 'All together cost' : 'Those that could be read cost';
	const soFar = formatCostRange(sumOfCosts(rows));
	const spent = soFar === undefined ? '' : ` So far: ${soFar}, without traffic.`;
	output.say(`${all} ${pricePerHour(burn.now)}${most}${unknown}.${spent}`);
}

/** An instance whose label lost its lease goes on, and costs, without an end. */
function warnOfLostLeases({say}: Context['output'], rows: readonly FleetRow[]): void {
	const ids = rows.flatMap(({instance, lostLease}) =>
		lostLease === undefined ? [] : [instance.id],
	);
	if (ids.length === 0) return;
	const [one, its] = ids.length === 1 ? ['The label', 'its lease'] : ['Labels', 'their leases'];
	say(
		`rentty: ${one} of ${ids.join(', ')} lost ${its}: nothing ends what was agreed to end. rentty lease ${ids[0]} --restore writes it again.`,
	);
}

function warnOfMovedLeases({say}: Context['output'], rows: readonly FleetRow[]): void {
	for (const {instance, leaseMovedMs: ms, now} of rows) {
		const {lease} = leaseOf(instance);
		if (ms === undefined || lease?.endsAt === undefined) continue;
		say(`rentty: ${movedText({id: instance.id, ms, leftMs: lease.endsAt * 1000 - now})}`);
	}
}

/** True if all that is rented is asked for. */
function isAll({words, isGiven}: Context): boolean {
	return words.length === 0 && !isGiven('view');
}

type Following = {readonly rows: readonly FleetRow[]; readonly everyMs: number};

/** Prints a line an instance, and then one for each that changes. */
async function follow(
	context: Context,
	poll: () => Promise<FleetState>,
	{rows: first, everyMs}: Following,
): Promise<number> {
	const {signal, output} = context;
	const printed = new Map<number, string>();
	const identities = context.isJson ? await findIdentityFiles(context) : [];
	const wanted = isAll(context) ? undefined : new Set(first.map(({instance: {id}}) => id));
	let wasSilent = false;
	function printChanges(rows: readonly FleetRow[]): void {
		for (const row of rows) {
			const state = stateWord(row);
			if (printed.get(row.instance.id) === state) continue;
			if (wanted !== undefined && !wanted.has(row.instance.id)) continue;
			printChange(context, row, {from: printed.get(row.instance.id), identities});
			printed.set(row.instance.id, state);
		}
	}

	printChanges(first);
	return pollUntil<number>({
		everyMs,
		firstMs: everyMs,
		signal,
		async ask() {
			printChanges((await poll()).rows);
			wasSilent = false;
			return undefined;
		},
		onFailure(error) {
			// A silent service is reported once.
			if (!wasSilent) output.say(`rentty: ${failureMessage(error)}`);
			wasSilent = true;
			return undefined;
		},
	});
}

type Change = {readonly from: string | undefined; readonly identities: readonly string[]};

function printChange(
	{isJson, output, now}: Context,
	row: FleetRow,
	{from, identities}: Change,
): void {
	const at = new Date(now()).toISOString();
	if (isJson) {
		output.json({at, from: from ?? null, to: stateWord(row), ...instanceJson(row, identities)});
		return;
	}
	const state = from === undefined ? stateWord(row) : `${from} > ${stateWord(row)}`;
	const message = row.instance.status_msg?.trim() ?? '';
	const parts = [at, instanceName(row.instance), state, ...(message === '' ? [] : [message])];
	output.line(...(output.isTerminal ? [parts.join('  ')] : parts));
}
