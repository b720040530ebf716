/** rentty as a conversation: plain lines in, plain lines out, for screen readers and plain terminals. */
import type {Client} from '../../client/client.ts';
import type {Settings} from '../default-settings.ts';
import {createFleet} from '../fleet/fleet.ts';
import type {Fleet} from '../fleet/fleet.ts';
import type {Timers} from '../fleet/timers.ts';
import {sentence} from '../format.ts';
import {commands} from './commands.ts';
import {changeSentences, fleetSentence, helpLines} from './sentences.ts';

export type LinearOptions = {
	readonly client: Client;
	readonly service: string;
	readonly settings: Settings;
	readonly timers: Timers;
	/** Writes one line. */
	readonly write: (line: string) => void;
	/** Why nothing may be changed; undefined where it may. */
	readonly readOnly?: string | undefined;
};

/** What commands work with. */
export type Conversation = LinearOptions & {
	readonly fleet: Fleet;
	/** Asks one question and waits for the line that answers it. */
	readonly ask: (question: string) => Promise<string>;
};

export type Linear = {
	/** Takes a line: a command, or the answer to what was asked. */
	readonly take: (line: string) => Promise<void>;
	/** Settles when somebody has said quit. */
	readonly left: Promise<void>;
	readonly close: () => void;
};

export function openLinear(options: LinearOptions): Linear {
	const {client, settings, timers, write} = options;
	const fleet = createFleet({client: async () => client, limits: () => settings.limits, timers});
	const leaving = Promise.withResolvers<void>();
	let answer: ((line: string) => void) | undefined;
	const conversation: Conversation = {
		...options,
		fleet,
		async ask(question) {
			write(question);
			return new Promise(resolve => {
				answer = resolve;
			});
		},
	};
	let seen = fleet.state.get();
	const unsubscribe = fleet.state.subscribe(() => {
		const now = fleet.state.get();
		for (const line of changeSentences(seen, now)) write(line);
		if (seen.checkedAt === undefined && now.checkedAt !== undefined) write(fleetSentence(now));
		seen = now;
	});
	const unwatch = fleet.watch();
	write(`rentty on ${options.service}. Type help and Enter for what can be said.`);

	async function command(line: string): Promise<void> {
		const [word = '', ...rest] = line.trim().split(/\s+/);
		if (word === '') return;
		if (word === 'help') {
			for (const help of helpLines) write(help);
			return;
		}
		if (word === 'quit' || word === 'exit') {
			leaving.resolve();
			return;
		}
		const run = commands[word];
		if (run === undefined) write(`"${word}" is no command. help lists them.`);
		else await attempt(write, async () => run(conversation, rest.join(' ')));
	}
	return {
		async take(line) {
			fleet.touch();
			const waiting = answer;
			answer = undefined;
			if (waiting === undefined) await command(line);
			else waiting(line.trim());
		},
		left: leaving.promise,
		close() {
			unsubscribe();
			unwatch();
			fleet.close();
		},
	};
}

/** Says what went wrong, and goes on. */
async function attempt(write: (line: string) => void, run: () => Promise<void>): Promise<void> {
	try {
		await run();
	} catch (error) {
		write(sentence(error instanceof Error ? error.message : String(error)));
	}
}
