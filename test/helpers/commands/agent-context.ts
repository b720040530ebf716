import type {Context} from '../../../source/commands/base/command.ts';
import type {CommandSetup} from '../../../source/commands/run.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';

const silent = () => undefined;

export const silentOutput: Context['output'] = {
	isTerminal: false,
	line: silent,
	text: silent,
	log: silent,
	json: silent,
	say: silent,
	progress: undefined,
	notify: undefined,
	ask: undefined,
};

export type AgentSetup = Pick<CommandSetup, 'chooseService' | 'folders' | 'now'>;

/** A context of the command, whose service is opened already. */
export function agentContext(
	setup: AgentSetup,
	client: Context['client'],
	signal: AbortSignal,
	serviceWords: readonly string[] = ['--profile=test'],
): Context {
	const chosen = setup.chooseService([]);
	return {
		words: [],
		isGiven: () => false,
		textOf: () => undefined,
		isJson: false,
		client,
		changer: client,
		service: () => chosen,
		serviceWords,
		serviceOf: () => chosen,
		settings: defaultSettings,
		settingsProblem: undefined,
		output: silentOutput,
		signal,
		now: setup.now,
		environment: {},
		folders: setup.folders,
		version: 'test',
	};
}
