/** `rentty logs`: prints the logs of instances. */
import type {Client} from '../../client/client.ts';
import {mergeByTime, openLogTimes} from '../../renter/text/log-times.ts';
import {splitLines, newLines} from '../../renter/text/new-lines.ts';
import {pollUntil} from '../../renter/state/polling.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {type Command, type Context, readNumberOption} from '../base/command.ts';
import {exitCodeOf, exitCodeOfAll, exitCodes, failureMessage} from '../base/failure.ts';
import {findNamedInstances} from './fleet-polls.ts';
import {namesOf} from './facts.ts';
import type {LogName} from '../base/output.ts';

const DEFAULT_TAIL = 1000;

export const logs: Command = {
	name: 'logs',
	summary: 'print the logs of instances',
	takes: 'NAMES…',
	names: 'instances',
	about: [
		'Prints the last lines of what an instance says, by its number or label, or of all that words ask',
		"for, such as 'label~train': in a pipe as they were written, on a terminal without what could",
		'command it. Lines of several have the name of their instance before them, and are in the order of',
		'the times that they begin with.',
	],
	options: {
		follow: {short: 'f', about: 'then what comes, until Ctrl-C'},
		tail: {value: 'N', about: `how many lines (default ${DEFAULT_TAIL})`},
		filter: {value: 'TEXT', about: 'only lines with this in them'},
		daemon: {about: 'what the machine says about the container'},
		every: {value: 'SECONDS', about: 'how often --follow looks (default 3)'},
	},
	run,
};

async function run(context: Context): Promise<number> {
	const {words, signal, textOf} = context;
	if (words.length === 0) throw new UsageError('rentty logs needs the names of instances.');
	const tail = readNumberOption(context, 'tail', {least: 1, isWhole: true}) ?? DEFAULT_TAIL;
	const everyMs = (readNumberOption(context, 'every', {least: 1}) ?? 3) * 1000;
	const client = await context.client();
	const instances = await findNamedInstances(context, client, words);
	const question = {tail, filter: textOf('filter'), daemon: context.isGiven('daemon')};
	const labels = namesOf(instances);
	const tailings = instances.map(({id}, at) => ({
		client,
		id,
		everyMs,
		name: instances.length === 1 ? undefined : {name: labels.get(id) ?? '', at},
		read: async () => splitLines(await client.instances.logs(id, question, {signal})),
	}));
	const gathered = gatherLines(context, tailings.length > 1 ? GATHER_MS : 0);
	const first = await Promise.all(
		tailings.map(async tailing => readFirst(context, tailing, gathered)),
	);
	gathered.flush();
	try {
		if (context.isGiven('follow')) {
			await Promise.all(
				first.map(async ({lines, tailing}) =>
					follow(context, {tailing, lines, gathered: gathered}),
				),
			);
		}
	} finally {
		gathered.flush();
	}
	return exitCodeOfAll(first.map(({code}) => code));
}

type TimedLine = {readonly text: string; readonly at: number; readonly of: Tailing};

/** Time within which logs are read of whose lines the earlier ones are written first. */
const GATHER_MS = 500;

/** Gathers what is read of all logs at nearly the same time, and writes it as one log. */
function gatherLines({isJson, output, now}: Context, waitMs: number) {
	let timer: NodeJS.Timeout | undefined;
	const times = new Map<Tailing, ReturnType<typeof openLogTimes>>();
	let waiting: readonly TimedLine[] = [];
	return {
		add(of: Tailing, lines: readonly string[]): void {
			const read = times.get(of) ?? openLogTimes();
			times.set(of, read);
			const at = read(lines, now());
			const timed = lines.map((text, index) => ({text, at: at[index] ?? 0, of}));
			waiting = mergeByTime(waiting, timed);
		},
		/** Writes them when the other logs have been read, too. */
		soon(): void {
			timer ??= setTimeout(() => this.flush(), waitMs);
		},
		flush(): void {
			clearTimeout(timer);
			timer = undefined;
			for (const {text, of} of waiting) {
				if (isJson) output.json({id: of.id, line: text.replace(/\r$/, '')});
				else output.log(text, of.name);
			}
			waiting = [];
		},
	};
}

type Tailing = {
	readonly client: Client;
	readonly id: number;
	readonly everyMs: number;
	/** Name before each line of several logs; `at` is its index among them. */
	readonly name: LogName | undefined;
	readonly read: () => Promise<readonly string[]>;
};

type Gathered = ReturnType<typeof gatherLines>;

/** Reads the log of an instance once. A log that cannot be read does not end the others. */
async function readFirst({signal, output}: Context, tailing: Tailing, gathered: Gathered) {
	const {id, name, read} = tailing;
	try {
		const lines = await read();
		gathered.add(tailing, lines);
		return {code: exitCodes.fine, tailing, lines};
	} catch (error) {
		signal.throwIfAborted();
		if (name === undefined) throw error;
		output.say(`rentty: ${id}: ${failureMessage(error)}`);
		return {code: exitCodeOf(error), tailing, lines: undefined};
	}
}

/** The longest wait after failures: an instance that just begins has no log yet. */
const LONGEST_WAIT_MS = 10_000;

type Following = {
	readonly tailing: Tailing;
	/** Lines of the first poll; undefined if it failed. */
	readonly lines: readonly string[] | undefined;
	readonly gathered: Gathered;
};

/** Follows the log until the user ends it, or the instance is gone. */
async function follow({signal, output}: Context, {tailing, lines, gathered}: Following) {
	if (lines === undefined) return;
	const {client, id, everyMs, read} = tailing;
	let previous = lines;
	let wasSilent = false;
	async function readNew(): Promise<true | undefined> {
		try {
			const next = await read();
			gathered.add(tailing, newLines(previous, next));
			gathered.soon();
			previous = next;
			wasSilent = false;
			return undefined;
		} catch (error) {
			const found = await client.instances.find({id, signal}).catch(() => undefined);
			if (found?.kind !== 'gone') throw error;
			output.say(`rentty: ${id} is gone.`);
			return true;
		}
	}

	await pollUntil({
		everyMs,
		firstMs: everyMs,
		mostMs: LONGEST_WAIT_MS,
		signal,
		ask: readNew,
		onFailure(error) {
			if (!wasSilent) output.say(`rentty: ${id}: ${failureMessage(error)}`);
			wasSilent = true;
			return undefined;
		},
	});
}
