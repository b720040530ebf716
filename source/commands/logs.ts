/** `rentty logs`: what an instance has said. */
import {setTimeout as pause} from 'node:timers/promises';
import type {Client} from '../client/client.ts';
import {UsageError} from '../renter/usage-error.ts';
import type {Command, Context} from './command.ts';
import {numberOf} from './command-line.ts';
import {exitCodes, failureMessage} from './failure.ts';
import {findInstance} from './fleet-look.ts';

const DEFAULT_TAIL = 1000;

export const logs: Command = {
	name: 'logs',
	summary: 'print the log of an instance',
	takes: 'NAME',
	names: 'instances',
	about: [
		'Prints the last lines of what an instance says, by its number or label: in a pipe as they were',
		'written, on a terminal without what could command it.',
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
	const [name, ...others] = words;
	if (name === undefined || others.length > 0) {
		throw new UsageError('rentty logs needs the name of one instance.');
	}
	const tail = numberOf(context, 'tail', {least: 1, isWhole: true}) ?? DEFAULT_TAIL;
	const everyMs = (numberOf(context, 'every', {least: 1}) ?? 3) * 1000;
	const client = await context.client();
	const {id} = await findInstance(client, name, signal);
	const question = {tail, filter: textOf('filter'), daemon: context.isGiven('daemon')};
	const read = async () => linesOf(await client.instances.logs(id, question, {signal}));
	const lines = await read();
	tell(context, id, lines);
	if (context.isGiven('follow')) await follow(context, {client, id, everyMs, read, lines});
	return exitCodes.fine;
}

type Following = {
	readonly client: Client;
	readonly id: number;
	readonly everyMs: number;
	readonly read: () => Promise<readonly string[]>;
	readonly lines: readonly string[];
};

/** Goes on until it is ended, or the instance is gone. */
async function follow(context: Context, {client, id, everyMs, read, lines}: Following) {
	const {signal, output} = context;
	let seen = lines;
	let wasSilent = false;
	for (;;) {
		// oxlint-disable-next-line no-await-in-loop -- one look after the other
		await pause(everyMs, undefined, {signal});
		try {
			// oxlint-disable-next-line no-await-in-loop -- one look after the other
			const next = await read();
			tell(context, id, newLines(seen, next));
			seen = next;
			wasSilent = false;
		} catch (error) {
			signal.throwIfAborted();
			// oxlint-disable-next-line no-await-in-loop -- one look after the other
			const found = await client.instances.find({id, signal}).catch(() => undefined);
			if (found?.kind === 'gone') {
				output.say(`rentty: ${id} is gone.`);
				return;
			}
			if (!wasSilent) output.say(`rentty: ${failureMessage(error)}`);
			wasSilent = true;
		}
	}
}

function tell({isJson, output}: Context, id: number, lines: readonly string[]): void {
	for (const line of lines) {
		if (isJson) output.json({id, line: line.replace(/\r$/, '')});
		else output.log(line);
	}
}

/** What is new in `after`, where `before` may have lost lines at its start since. */
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
