/** Reports about unreadable lists and records: the count at all times, the reasons on demand. */
import {isKeyRefused} from '../../client/exchange/errors.ts';
import {MOST_NAMED, type Unreadable} from '../../contract/grammar/unreadable.ts';
import {
	unreadableLines,
	unreadableSentence,
	unreadableCountText,
} from '../../renter/text/unreadable.ts';
import {printable} from '../../renter/text/text-width.ts';
import {statusOf} from '../../contract/rules/thrown.ts';
import {wrapText} from '../../renter/text/wrap.ts';
import {sentence} from '../../renter/text/format.ts';
import type {Message} from '../ui/message.ts';

/** Status of an answer about the record or call; undefined if the key is refused. */
export function answerStatus(error: unknown): number | undefined {
	return isKeyRefused(error) ? undefined : statusOf(error);
}

/** Sentence about the first of the errors: one for its status, else its own. Empty without an error. */
export function formatFirstError(
	errors: ReadonlyArray<Error | null>,
	sentences: Readonly<Partial<Record<number, string>>>,
): string {
	const error = errors.find(one => one !== null);
	if (error === undefined || error === null) return '';
	return sentences[answerStatus(error) ?? 0] ?? sentence(printable(error.message));
}

/** Words for the rule of a list: the longest that fits is shown. */
export function unreadNotes(unreadable: Unreadable): readonly string[] {
	const words = unreadableCountText(unreadable);
	return words === undefined ? [] : [`${words} - R names them`, words];
}

/** A message has its own line and the one below. */
const MESSAGE_LINES = 2;

/** A list, and the plural of its records: `offers`. */
export type ReadList = {readonly unreadable: Unreadable; readonly noun: string};

/**
 * Names as many records as a message has room for, or all over the screen. Undefined if all are
 * readable.
 */
export function unreadMessage(lists: readonly ReadList[], width: number): Message | undefined {
	const broken = lists.filter(({unreadable}) => unreadable.count > 0);
	if (broken.length === 0) return undefined;
	const sentenceFor = (most: number) =>
		broken.map(({unreadable, noun}) => unreadableSentence(unreadable, {noun, most})).join(' ');
	const amounts = Array.from({length: MOST_NAMED}, (_, index) => MOST_NAMED - index);
	const fits = (most: number) => wrapText(sentenceFor(most), width).length <= MESSAGE_LINES;
	const most = amounts.find(fits);
	return most === undefined
		? {text: sentenceFor(0), below: sentenceFor(MOST_NAMED), isError: true}
		: {text: sentenceFor(most), isError: true};
}

type Asking = {
	readonly noun: string;
	readonly width: number;
	readonly say: (message: Message) => void;
};

/** Asks for a list again, and reports the failure or the unreadable records. */
export async function askAgain(
	refetch: () => Promise<{
		readonly error: Error | null;
		readonly data: {readonly unreadable: Unreadable} | undefined;
	}>,
	{noun, width, say}: Asking,
): Promise<void> {
	const {error, data} = await refetch();
	if (error !== null) return say({text: sentence(error.message), isError: true});
	const unread = data && unreadMessage([{...data, noun}], width);
	if (unread !== undefined) say(unread);
}

/** Lines of a notice beside the records: around its title, and the advice. */
const LINES_AROUND = 6;

/** Notice in place of rows if none of them could be read; undefined otherwise. */
export function unreadNotice(unreadable: Unreadable, noun: string, height: number) {
	if (unreadable.count === 0 || unreadable.count < unreadable.of) return undefined;
	const named = unreadableLines(unreadable).slice(0, Math.max(0, height - LINES_AROUND));
	const lines = [
		'The service may speak another version of its API.',
		'R tries again.',
		' ',
		...named.map(line => `  ${line}`),
	];
	return {title: unreadableSentence(unreadable, {noun, most: 0}) ?? '', lines};
}
