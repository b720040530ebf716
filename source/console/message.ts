import type {Outcome} from './keymap.ts';
import {fit} from './terminal/output/text-width.ts';
import type {Theme} from './theme.ts';

/** One sentence at the foot of the screen. */
export type Message = {readonly text: string; readonly isError: boolean};

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
