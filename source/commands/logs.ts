/** `rentty logs`: prints the logs of instances. */
import type {Client} from '../client/client.ts';
import type {Instance} from '../contract/nouns/instance-record.ts';
import {pollUntil} from '../renter/state/polling.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import {type Command, type Context, numberOf} from './command.ts';
import {exitCodeOf, exitCodeOfAll, exitCodes, failureMessage, type ExitCode} from './failure.ts';
import {asksInWords, findInstance, openFleetLooks, rowsNamed} from './fleet-look.ts';
import {namesOf} from './instance-facts.ts';
import type {LogName} from './output.ts';

const DEFAULT_TAIL = 1000;

export const logs: Command = {
	name: 'logs',
	summary: 'print the logs of instances',
	takes: 'NAMES…',
	names: 'instances',
	about: [
		'Prints the last lines of what an instance says, by its number or label, or of all that words ask',
		"for, such as 'label~train': in a pipe as they were",
		'written, on a terminal without what could command it. Lines of several have the name of their',
		'instance before them.',
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
	const tail = numberOf(context, 'tail', {least: 1, isWhole: true}) ?? DEFAULT_TAIL;
	const everyMs = (numberOf(context, 'every', {least: 1}) ?? 3) * 1000;
	const client = await context.client();
	const instances = await findInstances(context, client);
	const question = {tail, filter: textOf('filter'), daemon: context.isGiven('daemon')};
	const labels = namesOf(instances);
	const tailings = instances.map(({id}, at) => ({
		client,
		id,
		everyMs,
		name: instances.length === 1 ? undefined : {name: labels.get(id) ?? '', at},
		read: async () => linesOf(await client.instances.logs(id, question, {signal})),
	}));
	const codes = await Promise.all(tailings.map(async tailing => tailOne(context, tailing)));
	return exitCodeOfAll(codes);
}

async function findInstances(context: Context, client: Client): Promise<readonly Instance[]> {
	const {words, signal} = context;
	const [name = '', ...others] = words;
	if (others.length === 0 && !asksInWords(name)) return [await findInstance(client, name, signal)];
	const state = await openFleetLooks(context).look(words);
	return rowsNamed(state, words).map(({instance}) => instance);
}

type Tailing = {
	readonly client: Client;
	readonly id: number;
	readonly everyMs: number;
	/** Name before each line of several logs; `at` is its place among them. */
	readonly name: LogName | undefined;
	readonly read: () => Promise<readonly string[]>;
};

/** One log. Of several, one that cannot be read does not end the others. */
async function tailOne(context: Context, tailing: Tailing): Promise<ExitCode> {
	const {id, name, read} = tailing;
	try {
		const lines = await read();
		tell(context, tailing, lines);
		if (context.isGiven('follow')) await follow(context, tailing, lines);
		return exitCodes.fine;
	} catch (error) {
		context.signal.throwIfAborted();
		if (name === undefined) throw error;
		context.output.say(`rentty: ${id}: ${failureMessage(error)}`);
		return exitCodeOf(error);
	}
}

/** The longest wait after failures: an instance that just begins has no log yet. */
const LONGEST_WAIT_MS = 10_000;

/** Goes on until it is ended, or the instance is gone. */
async function follow(context: Context, tailing: Tailing, lines: readonly string[]) {
	const {signal, output} = context;
	const {client, id, everyMs, read} = tailing;
	let seen = lines;
	let wasSilent = false;
	async function readNew(): Promise<true | undefined> {
		try {
			const next = await read();
			tell(context, tailing, newLines(seen, next));
			seen = next;
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

function tell({isJson, output}: Context, {id, name}: Tailing, lines: readonly string[]): void {
	for (const line of lines) {
		if (isJson) output.json({id, line: line.replace(/\r$/, '')});
		else output.log(line, name);
	}
}

/** Lines of `after` that are new, where `before` may have lost lines at its start since. */
export function newLines(before: readonly string[], after: readonly string[]): readonly string[] {
	for (let gone = 0; gone < before.length; gone++) {
		const kept = before.length - gone;
		if (kept <= after.length && startsWith(after, before, gone)) return after.slice(kept);
	}
	return after;
}

function startsWith(after: readonly string[], before: readonly string[], from: number): boolean {
	for (let at = from; at < before.length; at++) {
		if (after[at - from] !== before[at]) return false;
	}
	return true;
}

/** Text as lines, without the end of the last one. Each keeps what a workload wrote before its line feed. */
export function linesOf(text: string): readonly string[] {
	const lines = text.split('\n');
	return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
