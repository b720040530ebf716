import {wrapText} from '../../renter/text/wrap.ts';
import type {KeyOutcome} from './keymap.ts';
import {fit, printable, widthOf} from '../../renter/text/text-width.ts';
import type {Theme} from './theme.ts';

/** A sentence at the foot of the screen. */
export type Message = {
	readonly text: string;
	readonly isError: boolean;
	/** A text by itself on the line below, to be selected there. */
	readonly below?: string;
};

/** Message about a key that did nothing; undefined if none is needed. */
export function outcomeMessage(outcome: KeyOutcome): Message | undefined {
	switch (outcome.kind) {
		case 'ran':
		case 'typed':
		case 'unbound':
			return undefined;
		case 'unavailable':
			return notNow(outcome.reason);
		case 'dropped':
			return {
				text: `Not done, as other keys came with it: ${outcome.binding.title}. Press it again.`,
				isError: false,
			};
	}
}

/** Says why something cannot be done. */
export function notNow(reason: string): Message {
	return {text: `Not now: ${reason}.`, isError: false};
}

/** The message as a line, empty without one. The rest of a longer one goes on below. */
export function messageLine(theme: Theme, width: number, message: Message | undefined): string {
	const [first = '', ...rest] = linesOf(width, message);
	const isCut = rest.length > 0 && message?.below !== undefined;
	const line = fit(isCut ? printable(message.text) : first, width);
	return message?.isError === true ? theme.style('danger', line) : line;
}

/** A message is one sentence, even with a line break in a name. */
function linesOf(width: number, message: Message | undefined): readonly string[] {
	return message === undefined ? [] : wrapText(printable(message.text), width);
}

function belowOf(message: Message | undefined): string | undefined {
	return message?.below === undefined ? undefined : printable(message.below);
}

/**
 * Line below the message, in place of the hints: a text by itself, or the rest of the message.
 * Undefined if there is none, or it does not fit there.
 */
export function belowLine(width: number, message: Message | undefined): string | undefined {
	const below = belowOf(message);
	const rest = linesOf(width, message).slice(1).join(' ');
	if (below === undefined && rest !== '') return fit(rest, width);
	return below === undefined || widthOf(below) > width ? undefined : fit(below, width);
}

/** The text that is too long for the line below the message; undefined if there is none. */
export function wholeText(width: number, message: Message | undefined): string | undefined {
	const below = belowOf(message);
	return below !== undefined && widthOf(below) > width ? below : undefined;
}
