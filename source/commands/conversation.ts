/**
 * rentty as a conversation, for screen readers: commands are typed a line each, lists are read on demand,
 * questions come one at a time, and changes of instances are announced. No line is drawn twice.
 */
import {createInterface} from 'node:readline';
import type {FleetRow, FleetState} from '../renter/fleet/fleet-state.ts';
import {countedFrom, isAtLeast} from '../renter/instance/condition.ts';
import {duration, hourly, sentence} from '../renter/text/format.ts';
import {instanceName, stateWord} from './instances/facts.ts';
import type {Client} from '../client/client.ts';
import type {ConditionLimits} from '../renter/settings/default-settings.ts';
import {createFleet} from '../renter/fleet/fleet.ts';
import {openFleetMemory, type FleetMemory} from '../renter/fleet/fleet-memory.ts';
import {realTimers, type Timers} from '../renter/state/timers.ts';
import {splitArguments} from '../contract/grammar/arguments.ts';
import {harmlessJson} from '../contract/grammar/harmless-text.ts';
import {failureMessage} from './base/failure.ts';
import {commandNamed, commands} from './index.ts';
import {openLineWriter, type Output} from './base/output.ts';
import {runCommand, type CommandSetup} from './run.ts';

/** Commands that the conversation does not offer. */
const notSpoken: ReadonlySet<string> = new Set(['completions', 'practice', 'watch']);

type ConversationOptions = {
	/** Words of the program's start that choose the service and the settings. */
	readonly words: readonly string[];
	/** @default real time */
	readonly timers?: Timers;
};

/** Reads commands until `quit` or the end of the input. Fulfils with the exit code. */
export async function holdConversation(
	setup: CommandSetup,
	{words, timers = realTimers}: ConversationOptions,
): Promise<number> {
	const lines = openLines(setup.stdin);
	const say = openLineWriter(setup.stdout);
	const chosen = setup.chooseService(words);
	say(`rentty on ${chosen.name}. Type help and Enter for what can be said, quit to leave.`);
	const opened = await chosen.open();
	const {settings} = await setup.loadSettings(words);
	const memory = openFleetMemory(setup.folders.state, chosen);
	const hush = printChanges(opened.client, {say, timers, limits: settings.limits, memory});
	const spoken: CommandSetup = {
		...setup,
		output: outputOf(say, lines),
		loadSettings: async () => setup.loadSettings(words),
		// The client stays open from one command to the next.
		chooseService: () => ({
			...chosen,
			open: async () => ({client: opened.client, close: async () => {}}),
		}),
	};
	const ask = askIn(say, lines);
	let isBusy = false;

	async function follow(line: string): Promise<void> {
		const [name = '', ...argv] = splitArguments(line);
		if (name === '') return;
		if (name === 'help') return printHelp(say);
		const command = notSpoken.has(name) ? undefined : commandNamed(name);
		if (command === undefined)
			return say(`"${name}" is no command. Type help and Enter for all of them.`);
		const asked = name === 'rent' ? await askForRent(argv, settings.templateHash, ask) : argv;
		if (asked === undefined)
			return say('Without a template or an image nothing can run. Nothing was rented.');
		// A program in an instance gets the terminal to itself.
		const takeBack = name === 'ssh' || name === 'cp' ? lines.lend() : undefined;
		await runCommand(command, asked, spoken);
		takeBack?.();
	}

	// Ctrl-C during a command ends that command, not the conversation.
	const ignore = setup.onInterrupt(() => isBusy || lines.close());
	try {
		for (;;) {
			// oxlint-disable-next-line no-await-in-loop -- one line after the other
			const line = await lines.next();
			if (line === undefined || /^\s*(?:quit|exit)\s*$/.test(line)) return 0;
			isBusy = true;
			// oxlint-disable-next-line no-await-in-loop -- one command after the other
			await follow(line);
			isBusy = false;
		}
	} finally {
		ignore();
		hush();
		lines.close();
		await opened.close();
	}
}

function printHelp(say: (text: string) => void): void {
	say('Commands, one a line:');
	for (const {name, takes, summary} of commands) {
		if (!notSpoken.has(name)) say(`${`${name} ${takes}`.trim()}: ${summary}.`);
	}
	say('quit: leave. What is rented goes on, and is charged.');
	say('Each of them with --help says more. Changes of instances are printed as they happen.');
}

function askIn(say: (text: string) => void, lines: Lines) {
	return async (question: string, signal?: AbortSignal): Promise<string> => {
		say(question);
		return (await lines.next(signal))?.trim() ?? '';
	};
}

/** Writes results and messages to one stream, in their order. */
function outputOf(say: (text: string) => void, lines: Lines): Output {
	return {
		isTerminal: true,
		isSpoken: true,
		line: (...parts) => say(parts.join(' ')),
		text(text) {
			for (const line of text.split('\n')) say(line);
		},
		log: text => say(text.replace(/\r$/, '')),
		json: value => say(harmlessJson(value)),
		say: text => say(text.replace(/^rentty: /, '')),
		ask: askIn(say, lines),
	};
}

type News = {
	readonly say: (text: string) => void;
	readonly timers: Timers;
	readonly limits: ConditionLimits;
	readonly memory: FleetMemory;
};

/** Announces each change of an instance once, and once that the service does not answer. */
function printChanges(client: Client, {say, timers, limits, memory}: News): () => void {
	const fleet = createFleet({client: async () => client, limits: () => limits, timers, memory});
	let before = fleet.state.get();
	const unsubscribe = fleet.state.subscribe(() => {
		const now = fleet.state.get();
		for (const text of changesBetween(before, now)) say(text);
		if (now.error !== undefined && before.error === undefined) say(failureMessage(now.error));
		before = now;
	});
	const unwatch = fleet.watch();
	return () => {
		unsubscribe();
		unwatch();
		fleet.close();
	};
}

/** The words of a rent with the answers; undefined if the rent cannot go on without an answer. */
async function askForRent(
	argv: readonly string[],
	usualTemplate: string | null,
	ask: (question: string) => Promise<string>,
): Promise<readonly string[] | undefined> {
	if (argv.some(word => /^--(?:image|template|help|json)\b/.test(word))) return argv;
	const usual = usualTemplate === null ? 'to name an image instead' : 'for the usual one';
	const template = await ask(`Which template? Its name or its hash; an empty line ${usual}.`);
	const image =
		template === '' && usualTemplate === null
			? await ask('Which image? Such as ubuntu:24.04.')
			: '';
	if (template === '' && image === '' && usualTemplate === null) return undefined;
	const label = await ask('Which label? An empty line for none.');
	const disk = await ask('How much disk, in GB? An empty line for as much as is usual.');
	return [
		...argv,
		...given('--template', template),
		...given('--image', image),
		...given('--label', label),
		...given('--disk', disk),
	];
}

function given(option: string, answer: string): readonly string[] {
	// `--option=answer`, so that no answer is parsed as an option.
	return answer === '' ? [] : [`${option}=${answer}`];
}

function fleetSentence({rows, burn}: FleetState): string {
	if (rows.length === 0) return 'Nothing is rented, and nothing is charged.';
	const most = burn.atMost === burn.now ? '' : `, at most ${hourly(burn.atMost)}`;
	const unknown = burn.unpriced === 0 ? '' : `, and ${burn.unpriced} of unknown price`;
	const count = rows.length === 1 ? '1 instance is' : `${rows.length} instances are`;
	return `${count} rented, for ${hourly(burn.now)} an hour${most}${unknown}.`;
}

/** One sentence for each instance whose state has changed. */
export function changesBetween(before: FleetState, after: FleetState): readonly string[] {
	if (after.checkedAt === undefined) return [];
	if (before.checkedAt === undefined) return [fleetSentence(after)];
	const known = new Map(before.rows.map(row => [row.instance.id, row]));
	const changed = after.rows.flatMap(row => {
		const old = known.get(row.instance.id);
		known.delete(row.instance.id);
		return old?.condition === row.condition ? [] : [stateSentence(row)];
	});
	const gone = [...known.values()].filter(({condition}) => condition !== 'gone');
	return [...changed, ...gone.map(goneSentence)];
}

/** "8812519 train-c is stuck in loading for 10m." */
function stateSentence({instance, condition, observation, now}: FleetRow): string {
	if (condition === 'gone') return goneSentence({instance});
	const word = stateWord({instance, condition});
	const isHeld = condition === 'stuck' || condition === 'slow';
	const within = isHeld ? ` in ${instance.actual_status ?? 'provisioning'}` : '';
	const seconds = (now - countedFrom(observation)) / 1000;
	// A beginning is reported by the event itself.
	const least = isAtLeast(observation) ? 'at least ' : '';
	const since = seconds < 60 ? '' : `, for ${least}${duration(seconds)}`;
	const message = instance.status_msg?.trim() ?? '';
	const text = `${instanceName(instance)} is ${word.replaceAll('-', ' ')}${within}${since}`;
	return `${text}.${message === '' ? '' : ` It says: ${sentence(message)}`}`;
}

function goneSentence({instance}: Pick<FleetRow, 'instance'>): string {
	return `${instanceName(instance)} is gone.`;
}

/** Lines that the user types, shared by all who wait for one. */
type Lines = {
	/** The next line; undefined if there are no more. */
	readonly next: (signal?: AbortSignal) => Promise<string | undefined>;
	/** Leaves the input to another program until the returned function is called. */
	readonly lend: () => () => void;
	readonly close: () => void;
};

/** Reads whole lines: the terminal itself shows and edits them. */
function openLines(input: NodeJS.ReadableStream): Lines {
	const reader = createInterface({input, terminal: false});
	const typed: string[] = [];
	let waiting: ((line: string | undefined) => void) | undefined;
	let hasEnded = false;

	function deliver(line: string | undefined): void {
		waiting?.(line);
		waiting = undefined;
	}
	reader.on('line', line => {
		if (waiting === undefined) typed.push(line);
		else deliver(line);
	});
	reader.on('close', () => {
		hasEnded = true;
		deliver(undefined);
	});
	return {
		async next(signal) {
			const line = typed.shift();
			if (line !== undefined || hasEnded) return line;
			return new Promise((resolve, reject) => {
				const stop = (): void => {
					waiting = undefined;
					reject(signal?.reason instanceof Error ? signal.reason : new Error('It was ended.'));
				};
				signal?.addEventListener('abort', stop, {once: true});
				waiting = found => {
					signal?.removeEventListener('abort', stop);
					resolve(found);
				};
			});
		},
		lend() {
			reader.pause();
			return () => void reader.resume();
		},
		close: () => reader.close(),
	};
}
