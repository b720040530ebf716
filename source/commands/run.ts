/** Runs a command: reads its words, opens its context, and reports its failure. */
import type {Client} from '../client/client.ts';
import {defaultSettings, type Settings} from '../renter/settings/default-settings.ts';
import type {Folders} from '../renter/files/folders.ts';
import {
	isAboutInstances,
	type Command,
	type Context,
	type ServiceFacts,
	helpOf,
	readCommandLine,
	type CommandLine,
} from './base/command.ts';
import {CommandError, exitCodeOf, exitCodes, failureMessage} from './base/failure.ts';
import {reportPendingRents} from './rent/pending-rents.ts';
import {interrupted, openOutput, type Output, type Streams} from './base/output.ts';

type Opened = {readonly client: Client; readonly close: () => Promise<void>};

export type ChosenService = ServiceFacts & {readonly open: () => Promise<Opened>};

export type CommandSetup = Streams & {
	/** @default standard output and standard error */
	readonly output?: Output;
	readonly chooseService: (words: readonly string[]) => ChosenService;
	readonly loadSettings: (words: readonly string[]) => Promise<{
		readonly settings: Settings;
		readonly problem: string | undefined;
	}>;
	/** Calls back when the user ends the program, until the returned function is called. */
	readonly onInterrupt: (interrupt: () => void) => () => void;
	readonly environment: Context['environment'];
	readonly folders: Folders;
	readonly version: string;
	readonly now: () => number;
};

/** Fulfils with the exit code: failures are printed, not thrown. */
export async function runCommand(
	command: Command,
	argv: readonly string[],
	setup: CommandSetup,
): Promise<number> {
	const {
		output = openOutput(setup, {
			isColoured: (setup.environment['NO_COLOR'] ?? '') === '',
			environment: setup.environment,
		}),
	} = setup;
	const stopping = new AbortController();
	const ignore = setup.onInterrupt(() => stopping.abort(interrupted()));
	const service = openOnce(setup);
	let reported: Promise<void> | undefined;
	try {
		const line = readCommandLine(command, argv);
		if (line.isGiven('help')) {
			output.text(helpOf(command).trimEnd());
			return exitCodes.fine;
		}
		const open = async () => {
			const client = await service.open(line.serviceWords);
			if (isAboutInstances(command)) {
				await (reported ??= reportPendingRents({output, signal: stopping.signal}, client));
			}
			return client;
		};
		const found =
			command.isAlone === true
				? {settings: defaultSettings, problem: undefined}
				: await setup.loadSettings(line.serviceWords);
		if (found.problem !== undefined) output.say(`rentty: ${found.problem}`);
		return await command.run({
			...contextOf(setup, line),
			settings: found.settings,
			settingsProblem: found.problem,
			service: () => service.choose(line.serviceWords),
			serviceWords: line.serviceWords,
			serviceOf: setup.chooseService,
			client: open,
			async changer() {
				refuseReadOnly(service.choose(line.serviceWords));
				return open();
			},
			output,
			signal: stopping.signal,
		});
	} catch (error) {
		// A user who ended the program knows why.
		if (!stopping.signal.aborted) output.say(`rentty: ${failureMessage(error)}`);
		return stopping.signal.aborted ? exitCodes.interrupted : exitCodeOf(error);
	} finally {
		ignore();
		await service.close();
	}
}

function contextOf({environment, folders, version, now}: CommandSetup, line: CommandLine) {
	const {words, behind, isGiven, textOf} = line;
	return {
		words,
		behind,
		isGiven,
		textOf,
		isJson: isGiven('json'),
		environment,
		folders,
		version,
		now,
	};
}

function refuseReadOnly({name, isReadOnly}: ServiceFacts): void {
	if (!isReadOnly) return;
	const message = `The profile ${name} is read-only, so nothing was changed.`;
	throw new CommandError(exitCodes.notAccepted, message);
}

/** The service, chosen and opened when it is first needed. */
function openOnce(setup: CommandSetup) {
	let chosen: ChosenService | undefined;
	let opened: Promise<Opened> | undefined;
	const choose = (words: readonly string[]) => (chosen ??= setup.chooseService(words));
	return {
		choose,
		async open(words: readonly string[]): Promise<Client> {
			opened ??= choose(words).open();
			return (await opened).client;
		},
		async close(): Promise<void> {
			await (await opened?.catch(() => undefined))?.close();
		},
	};
}
