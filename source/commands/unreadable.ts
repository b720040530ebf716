/** Warning about records that could not be read, printed beside the result. */
import type {Unreadable} from '../contract/grammar/unreadable.ts';
import {MOST_NAMED_AT_ONCE, unreadableSentence} from '../renter/text/unreadable.ts';
import {CommandError, exitCodes} from './failure.ts';
import type {Output} from './output.ts';

/** Says how many there were and names the first. `noun` is what several records are called. */
export function tellUnreadable(
	{say}: Pick<Output, 'say'>,
	unreadable: Unreadable,
	noun: string,
): void {
	const said = sentenceOf(unreadable, noun);
	if (said !== undefined) say(`rentty: ${said}`);
}

/**
 * Ends a command that found nothing because nothing of what was sent could be read.
 *
 * @throws CommandError
 */
export function refuseUnreadable(unreadable: Unreadable, noun: string, state = ''): void {
	const said = sentenceOf(unreadable, noun);
	if (said !== undefined) throw new CommandError(exitCodes.failed, `${said} ${state}`.trimEnd());
}

function sentenceOf(unreadable: Unreadable, noun: string): string | undefined {
	return unreadableSentence(unreadable, {noun, most: MOST_NAMED_AT_ONCE});
}
