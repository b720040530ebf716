import {
	createInputFilter,
	type Input,
	type InputFilter,
} from '../../../../source/console/terminal/input/input-filter.ts';

export const escape = '\u001B';
export const paste = (text: string) => `${escape}[200~${text}${escape}[201~`;

/** A key by its name, with a star in a burst; a report behind a `!`, ESC as ^[; a paste in quotes. */
function show(input: Input): string {
	switch (input.kind) {
		case 'key':
			return input.isBurst ? `${input.key}*` : input.key;
		case 'paste':
			return JSON.stringify(input.text);
		case 'report':
			return `!${input.sequence.replaceAll(escape, '^[')}`;
	}
}

export const step = (filter: InputFilter, move: string) =>
	move === 'flush' ? filter.flush() : move === 'forget' ? filter.forget() : filter.push(move);

/** What pushes give one after another; 'flush' and 'forget' among them are those calls. */
export function type(...moves: readonly string[]): string {
	const filter = createInputFilter();
	return moves.flatMap(move => step(filter, move).map(input => show(input))).join(' ');
}

export const withoutBursts = (shown: string) => shown.replaceAll(/(?<=\S)\*(?= |$)/g, '');
