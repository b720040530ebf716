import {escape} from './sequences.ts';

export const pasteStart = `${escape}[200~`;
const pasteEnd = `${escape}[201~`;

/** In UTF-16 units. The rest of a longer paste is dropped. */
export const longestPaste = 1_048_576;

export type PasteReader = {
	readonly text: string;

	/** Takes the text from this place on. Where the paste ends in it, says what place follows the end marker. */
	readonly read: (chunk: string, at: number) => number | undefined;
};

/** Reads what follows the start marker of a paste. Linear in all: the text read already is not searched again. */
export function createPasteReader(): PasteReader {
	let text = '';
	// What may be the beginning of the end marker.
	let tail = '';
	return {
		get text() {
			return text;
		},
		read(chunk, at) {
			const rest = tail + chunk.slice(at);
			const found = rest.indexOf(pasteEnd);
			const end = found === -1 ? rest.length - lengthOfBegunEnd(rest) : found;
			text += rest.slice(0, Math.min(end, longestPaste - text.length));
			tail = found === -1 ? rest.slice(end) : '';
			return found === -1 ? undefined : chunk.length - rest.length + end + pasteEnd.length;
		},
	};
}

function lengthOfBegunEnd(text: string): number {
	const from = text.lastIndexOf(escape);
	return from !== -1 && pasteEnd.startsWith(text.slice(from)) ? text.length - from : 0;
}
