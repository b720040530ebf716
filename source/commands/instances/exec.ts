/** `rentty exec`: runs a command in several instances at once. */
import {execInAll, remoteCommand, USUAL_AT_ONCE, type ExecRow} from '../../renter/connect/exec.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {type Command, type Context, readNumberOption} from '../base/command.ts';
import {exitCodeOfAll, exitCodes, type ExitCode} from '../base/failure.ts';
import {openFleetPolls, warnOfDoubtfulRows} from './fleet-polls.ts';
import {rowsNamed} from './names.ts';
import {execTargetsOf} from '../../renter/leases/ssh-inside.ts';
import {namesOf} from './facts.ts';

export const exec: Command = {
	name: 'exec',
	summary: 'run a command in several instances at once',
	takes: 'NAMES -- COMMAND…',
	names: 'instances',
	about: [
		'Runs a command over SSH in all that NAMES means: numbers and labels with commas or blanks',
		"between, or words that ask for them, such as 'label~train running'. The command is all behind --.",
		'One word is a line for the shell there; several reach the program as they are given. Each line',
		'has the name of its instance before it. Ends with 0 where the command did everywhere, else with',
		'7, or with 1 where it did nowhere. Nothing is asked: a key that wants a password must be in an',
		'agent.',
	],
	options: {
		'at-once': {value: 'N', about: `how many at the same time (default ${USUAL_AT_ONCE})`},
		limit: {value: 'SECONDS', about: 'how long each may take (default: as long as it likes)'},
		quiet: {short: 'q', about: 'only what came of it, a line for each instance'},
	},
	run,
};

async function run(context: Context): Promise<number> {
	const {words, behind: command = [], signal, output, isJson} = context;
	const names = words.slice(0, words.length - command.length);
	if (names.length === 0 || command.length === 0) {
		throw new UsageError('rentty exec needs names of instances, and behind -- a command.');
	}
	const atOnce = readNumberOption(context, 'at-once', {least: 1, isWhole: true}) ?? USUAL_AT_ONCE;
	const limit = readNumberOption(context, 'limit', {least: 1});
	const polls = openFleetPolls(context);
	const state = await polls.poll(names);
	warnOfDoubtfulRows(context, state, polls.doubts());
	const instances = rowsNamed(state, names).map(({instance}) => instance);
	const client = await context.client();
	const entering = {...context, client, name: context.service().name};
	const targets = await execTargetsOf(entering, instances);
	const labels = namesOf(instances);
	const ids = [...labels.keys()];
	const isQuiet = context.isGiven('quiet');
	const {done} = execInAll(targets, remoteCommand(command), {
		atOnce,
		limitMs: limit === undefined ? undefined : limit * 1000,
		signal,
		onLine(id, {text, isError}) {
			if (isQuiet) return;
			if (isJson) output.json({id, stream: isError ? 'stderr' : 'stdout', line: text});
			else if (isError) output.say(`${labels.get(id)}  ${text}`);
			else output.log(text, {name: labels.get(id) ?? '', at: ids.indexOf(id)});
		},
	});
	const ended = await done;
	signal.throwIfAborted();
	const unentered = new Set(
		targets.flatMap(({id, command: way}) => ('problem' in way ? [id] : [])),
	);
	for (const row of ended) {
		printEnded(context, row, {labels, isUnentered: unentered.has(row.id)});
	}
	return exitCodeOfAll(ended.map(codeOf));
}

function codeOf({state, exitCode}: ExecRow): ExitCode {
	return state === 'ended' && exitCode === 0 ? exitCodes.fine : exitCodes.failed;
}

type Entered = {
	readonly labels: ReadonlyMap<number, string>;
	/** SSH was not tried: the command certainly did not run. */
	readonly isUnentered: boolean;
};

function printEnded(
	{output, isJson, isGiven}: Context,
	{id, exitCode, problem, lines, count}: ExecRow,
	{labels, isUnentered}: Entered,
): void {
	const last = lines.at(-1)?.text;
	if (isJson) {
		const nothing = {exit_code: exitCode ?? null, problem: problem ?? null};
		output.json({id, ...nothing, lines: count, last_line: last ?? null});
		return;
	}
	const failure = `${isUnentered ? 'not run' : 'failed'}: ${problem ?? 'unknown'}`;
	const what = exitCode === undefined ? failure : `exit ${exitCode}`;
	const text = `${labels.get(id)}  ${what}`;
	if (!isGiven('quiet')) output.say(text);
	else output.line(exitCode === undefined || last === undefined ? text : `${text}  ${last}`);
}
