import type {Outcome} from './keymap.ts';
import {fit, widthOf} from './terminal/output/text-width.ts';
import type {Theme} from './theme.ts';

/** One sentence at the foot of the screen. */
export type Message = {
	readonly text: string;
	readonly isError: boolean;
	/** A text by itself on the line below, to be selected there. */
	readonly below?: string;
};

/** What is said about a key that did nothing; undefined where nothing needs to be said. */
export function messageOf(outcome: Outcome): Message | undefined {
	switch (outcome.kind) {
		case 'ran':
		case 'typed':
		case 'unbound':
			return undefined;
		case 'unavailable':
			return {text: `Not now (${outcome.binding.title}): ${outcome.reason}.`, isError: false};
		case 'dropped':
			return {
				text: `Dropped (${outcome.binding.title}): it was typed together with other keys. Press it again.`,
				isError: false,
			};
	}
}

/** The message as a line, empty where nothing is said. */
export function messageLine(theme: Theme, width: number, message: Message | undefined): string {
	const line = fit(message?.text ?? '', width);
	return message?.isError === true ? theme.style('danger', line) : line;
}

/** The text that stands below the message, in place of the hints; undefined where none fits there. */
export function belowLine(width: number, message: Message | undefined): string | undefined {
	const {below} = message ?? {};
	return below === undefined || widthOf(below) > width ? undefined : fit(below, width);
}

/** The text that is too long for the line below the message; undefined where there is none. */
export function wholeText(width: number, message: Message | undefined): string | undefined {
	const {below} = message ?? {};
	return below !== undefined && widthOf(below) > width ? below : undefined;
}
