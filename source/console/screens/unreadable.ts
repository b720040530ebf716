/** What screens say of records that could not be read: how many at all times, and which on demand. */
import type {Unreadable} from '../../contract/record-list.ts';
import {unreadableLines, unreadableSentence, unreadableWords} from '../../renter/unreadable.ts';
import {wrapText} from '../components/wrap.ts';
import {sentence} from '../format.ts';
import type {Message} from '../message.ts';

/** Words for the rule of a list: the longest that fits is shown. */
export function unreadNotes(unreadable: Unreadable): readonly string[] {
	const words = unreadableWords(unreadable);
	return words === undefined ? [] : [`${words} - R names them`, words];
}

/** A message has its own line and the one below. */
const MESSAGE_LINES = 2;

/** Names as many as there is room for; undefined where all could be read. */
export function unreadMessage(
	unreadable: Unreadable,
	noun: string,
	width: number,
): Message | undefined {
	for (let most = unreadable.first.length; most >= 0; most--) {
		const text = unreadableSentence(unreadable, {noun, most});
		if (text === undefined) return undefined;
		if (wrapText(text, width).length <= MESSAGE_LINES) return {text, isError: true};
	}
	return undefined;
}

type Asking = {
	readonly noun: string;
	/** Columns that a message has. */
	readonly width: number;
	readonly say: (message: Message) => void;
};

/** Asks for a list again, and says why that failed, or which of its records could not be read. */
export async function askAgain(
	refetch: () => Promise<{
		readonly error: Error | null;
		readonly data: {readonly unreadable: Unreadable} | undefined;
	}>,
	{noun, width, say}: Asking,
): Promise<void> {
	const {error, data} = await refetch();
	if (error !== null) return say({text: sentence(error.message), isError: true});
	const unread = data && unreadMessage(data.unreadable, noun, width);
	if (unread !== undefined) say(unread);
}

/** Lines of a notice that are not records: those around its title, and what can be done. */
const LINES_AROUND = 6;

/** What stands in the place of rows of which none could be read; undefined where that is not so. */
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
