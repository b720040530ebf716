/** Asks before something is changed. Nobody is taken to agree who was not asked. */
import {UsageError} from '../renter/text/usage-error.ts';
import type {Context, Option} from './command.ts';
import {CommandError, exitCodes} from './failure.ts';

/** The option that answers all questions. */
export const yesOption = {
	yes: {short: 'y', about: 'ask nothing'},
} as const satisfies Readonly<Record<string, Option>>;

export type Review = {
	/** Lines that describe the action. */
	readonly lines: readonly string[];
	readonly question: string;
	/** Word to type where a single letter is too little. */
	readonly word?: string | undefined;
};

/**
 * Fulfils once there is consent.
 *
 * @throws UsageError where nobody can be asked, and `--yes` is not given
 * @throws CommandError where the answer is no
 */
export async function getConsent(
	{output, isGiven, signal}: Pick<Context, 'output' | 'isGiven' | 'signal'>,
	{lines, question, word}: Review,
): Promise<void> {
	if (isGiven('yes')) return;
	for (const line of lines) output.say(line);
	if (output.ask === undefined) {
		throw new UsageError(
			'There is no terminal to ask on: --yes does it without asking. Nothing was changed.',
		);
	}
	const wanted = word === undefined ? ['y', 'yes'] : [word];
	const hint = word === undefined ? '[y/N]' : `Type ${word}:`;
	const answer = (await output.ask(`${question} ${hint} `, signal)).trim().toLowerCase();
	if (!wanted.includes(answer)) {
		throw new CommandError(exitCodes.failed, 'The answer was no. Nothing was changed.');
	}
}
