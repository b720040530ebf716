/** `rentty run`: whether instances are learning, from their logs. */
import type {Client} from '../../client/client.ts';
import type {FleetRow} from '../../renter/fleet/fleet-state.ts';
import {duration, money} from '../../renter/text/format.ts';
import {pollUntil} from '../../renter/state/polling.ts';
import {openInside} from '../../renter/leases/ssh-inside.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {splitLines} from '../../renter/text/new-lines.ts';
import {patternProblem} from '../../renter/training/own-patterns.ts';
import {previewPattern} from '../../renter/training/pattern-preview.ts';
import {RUN_TAIL, type RunReading} from '../../renter/training/run-reading.ts';
import {openRunReader, type RunReader} from '../../renter/training/run-reader.ts';
import type {TrainingVerdict} from '../../renter/training/verdict.ts';
import {type Command, type Context, readNumberOption} from '../base/command.ts';
import {exitCodeOf, exitCodeOfAll, exitCodes, failureMessage} from '../base/failure.ts';
import {openFleetPolls} from './fleet-polls.ts';
import {rowsNamed} from './names.ts';
import {instanceName, stateWord} from './facts.ts';
import {type PrintedColumn, withNulls, writeRows} from '../base/output.ts';

export const learning: Command = {
	name: 'run',
	summary: 'say whether instances are learning: step, loss, time and money left',
	takes: 'NAMES…',
	names: 'instances',
	about: [
		'Reads the log of an instance, twice, and says in a word what its training does: LEARNING, FLAT,',
		'RISING, NAN (the loss is no number), SILENT (no step for twelve times the usual pause), BUSY NO STEP',
		'(so, while its GPUs work), IDLE, EVALUATING, STARTING, DONE, or NO RUN. Lines of the usual trainers',
		'are understood, and lines of JSON with step and loss; --pattern shows what a pattern of your own',
		'would read: text as it stands, * for anything, and {step} {of} {loss} {lr} {tokens} {grad}',
		'{seconds} {epoch} {done} {checkpoint} {eval}. The setting runPatterns keeps it.',
	],
	options: {
		follow: {short: 'f', about: 'then a line at each change of a verdict, until Ctrl-C'},
		pattern: {value: 'TEXT', about: 'show what a pattern reads in the last lines; nothing is kept'},
		every: {value: 'SECONDS', about: 'time between two looks (default 5)'},
	},
	run,
};

type Shown = RunReading & {readonly row: FleetRow};

async function run(context: Context): Promise<number> {
	const {words, signal, output} = context;
	if (words.length === 0) throw new UsageError('rentty run needs the names of instances.');
	const pattern = context.textOf('pattern');
	if (pattern !== undefined) return tryPattern(context, pattern);
	const everyMs = (readNumberOption(context, 'every', {least: 1}) ?? 5) * 1000;
	const client = await context.client();
	const fleet = openFleetPolls(context);
	const isFollowed = context.isGiven('follow');
	const readRuns = openRunPolls(context, client);
	const printed = new Map<number, TrainingVerdict>();
	let polls = 0;
	return pollUntil({
		everyMs,
		signal,
		async ask() {
			const found = await readRuns(rowsNamed(await fleet.poll(words), words));
			polls++;
			// A single poll may fall into a pause.
			if (polls < 2) return undefined;
			const shown = found.shown.filter(
				({row, verdict}) => printed.get(row.instance.id) !== verdict,
			);
			for (const {row, verdict} of shown) printed.set(row.instance.id, verdict);
			show(context, shown, polls === 2);
			return isFollowed ? undefined : exitCodeOfAll(found.codes);
		},
		onFailure(error) {
			if (polls < 2) throw error;
			output.say(`rentty: ${failureMessage(error)}`);
			return undefined;
		},
	});
}

async function tryPattern(context: Context, pattern: string): Promise<number> {
	const {output, isJson, signal} = context;
	const problem = patternProblem(pattern);
	if (problem !== undefined) throw new UsageError(`--pattern: ${problem}.`);
	const client = await context.client();
	const rows = rowsNamed(await openFleetPolls(context).poll(context.words), context.words);
	let matches = 0;
	for (const {instance} of rows) {
		const {id} = instance;
		// oxlint-disable-next-line no-await-in-loop -- one log after the other
		const text = await client.instances.logs(id, {tail: RUN_TAIL, daemon: false}, {signal});
		const {count, of, last} = previewPattern(pattern, splitLines(text), TRIED_LINES);
		matches += count;
		if (isJson) output.json({id, matches: count, lines: of, last});
		else {
			output.line(`${instanceName(instance)}: ${count} of ${of} lines match`);
			for (const one of last) output.line(one.gives ?? 'no match', one.text);
		}
	}
	return matches > 0 ? exitCodes.fine : exitCodes.failed;
}

const TRIED_LINES = 10;

/** Polls the runs of instances, each poll aware of the earlier ones. */
function openRunPolls(context: Context, client: Client) {
	const {signal, now, output, settings} = context;
	const inside = openInside({...context, client, name: context.service().name});
	const readers = new Map<number, RunReader>();

	async function readRun(row: FleetRow): Promise<Shown> {
		const {id} = row.instance;
		const read = readers.get(id) ?? openRunReader({settings, inside, since: now()});
		readers.set(id, read);
		const text = await client.instances.logs(id, {tail: RUN_TAIL, daemon: false}, {signal});
		return {row, ...(await read(row, text, now()))};
	}

	return async (rows: readonly FleetRow[]) => {
		const results = await Promise.all(
			rows.map(async row =>
				readRun(row).then(
					shown => ({shown, code: exitCodes.fine}),
					(error: unknown) => {
						signal.throwIfAborted();
						output.say(`rentty: ${row.instance.id}: ${failureMessage(error)}`);
						return {shown: undefined, code: exitCodeOf(error)};
					},
				),
			),
		);
		return {
			shown: results.flatMap(({shown}) => shown ?? []),
			codes: results.map(({code}) => code),
		};
	};
}

function show({output, isJson}: Context, runs: readonly Shown[], isFirst: boolean): void {
	if (isJson) for (const one of runs) output.json(recordOf(one));
	else if (isFirst) writeRows(output, columns, runs);
	else for (const one of runs) output.line(...columns.map(({cell}) => cell(one) ?? '-'));
}

const figure = (value: number | undefined) =>
	value === undefined
		? undefined
		: Number.isNaN(value)
			? 'NaN'
			: String(Number(value.toPrecision(4)));

const columns: ReadonlyArray<PrintedColumn<Shown>> = [
	{title: 'INSTANCE', cell: ({row}) => instanceName(row.instance)},
	{title: 'RUN', cell: ({verdict}) => verdict},
	{title: 'STEP', cell: ({training: {step, of}}) => stepText(step, of)},
	{title: 'LOSS', cell: ({training}) => figure(training.steps.at(-1)?.loss)},
	{title: 'LR', cell: ({training}) => figure(training.rate)},
	{title: 'S/STEP', cell: ({training}) => figure(training.secondsPerStep)},
	{title: 'LEFT', cell: ({rest}) => rest && duration(rest.seconds)},
	{title: 'COST MORE', cell: ({rest}) => rest && money(rest.dollars)},
	{title: 'NOTE', cell: noteOf},
];

function stepText(step: number | undefined, of: number | undefined): string | undefined {
	if (step === undefined) return undefined;
	return of === undefined ? String(step) : `${step} of ${of}, ${Math.floor((step / of) * 100)} %`;
}

/** Matters that the figures do not say: the end of a lease before that of the run, checkpoints, a new beginning. */
function noteOf({row, training, verdict, endsEarlyBy}: Shown): string | undefined {
	const {checkpoint, restartedFrom} = training;
	const last =
		verdict === 'NAN' ? training.steps.findLast(({loss}) => !Number.isNaN(loss)) : undefined;
	const notes = [
		last && `no number since step ${last.step}, where it was ${figure(last.loss)}`,
		verdict === 'SILENT' && row.condition !== 'running' && `it is ${stateWord(row)}`,
		endsEarlyBy !== undefined && `it ends ${duration(endsEarlyBy)} before the run does`,
		checkpoint?.step !== undefined && `checkpoint ${checkpoint.step}`,
		restartedFrom !== undefined && `began anew from before ${restartedFrom}`,
	];
	return notes.filter(Boolean).join('; ') || undefined;
}

function recordOf({row, training, verdict, rest, endsEarlyBy}: Shown) {
	const {step, of, rate, tokensPerSecond, gradient, secondsPerStep, checkpoint} = training;
	const loss = training.steps.at(-1)?.loss;
	return withNulls({
		id: row.instance.id,
		run: verdict,
		step,
		of,
		// JSON has no word for it.
		loss: Number.isNaN(loss) ? 'NaN' : loss,
		learning_rate: rate,
		tokens_per_second: tokensPerSecond,
		gradient_norm: gradient,
		seconds_per_step: secondsPerStep,
		seconds_left: rest && Math.round(rest.seconds),
		cost_left: rest && Math.round(rest.dollars * 1e4) / 1e4,
		ends_before_by_seconds: endsEarlyBy,
		checkpoint: checkpoint?.step,
		gpu_use: row.instance.gpu_util,
		source: training.isOfEvents === true ? 'tensorboard' : 'log',
	});
}
