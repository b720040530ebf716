/** Sends text to the clipboard of the terminal, over SSH too: OSC 52, which sends no receipt. */
import type {Message} from '../ui/message.ts';
import {printable} from '../../renter/text/text-width.ts';

/** Largest text that terminals accept, in bytes of base64. */
const MOST_BYTES = 74_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The bytes that put a text into the clipboard, also through tmux and screen; undefined for a text
 * that is too long for it.
 */
export function clipboardSequence(text: string, environment: Environment): string | undefined {
	const encoded = Buffer.from(text, 'utf8').toString('base64');
	if (encoded.length > MOST_BYTES) return undefined;
	const plain = `\u001B]52;c;${encoded}\u0007`;
	// tmux takes the plain form where it may set the clipboard, and passes the other on where it may do that.
	if (isSet(environment['TMUX'])) return plain + throughTmux(plain);
	return isSet(environment['STY']) ? throughScreen(plain) : plain;
}

function throughTmux(sequence: string): string {
	return `\u001BPtmux;${sequence.replaceAll('\u001B', '\u001B\u001B')}\u001B\\`;
}

/** Largest piece that GNU screen passes on uncut. */
const SCREEN_BYTES = 250;

function throughScreen(sequence: string): string {
	const parts = Math.ceil(sequence.length / SCREEN_BYTES);
	return Array.from({length: parts}, (_, part) => {
		const piece = sequence.slice(part * SCREEN_BYTES, (part + 1) * SCREEN_BYTES);
		return `\u001BP${piece}\u001B\\`;
	}).join('');
}

function isSet(value: string | undefined): boolean {
	return value !== undefined && value !== '';
}

type ClipboardOptions = {
	readonly environment: Environment;
	readonly send: (sequence: string) => void;
	/** Fills the buffer that tmux itself pastes from. */
	readonly fillTmux: (text: string) => Promise<void>;
};

/** Sends a text to the clipboard; false where it is longer than terminals take. */
export type Clipboard = (text: string) => boolean;

export function openClipboard({environment, send, fillTmux}: ClipboardOptions): Clipboard {
	return text => {
		const sequence = clipboardSequence(text, environment);
		if (sequence !== undefined) send(sequence);
		if (isSet(environment['TMUX'])) void fillTmux(text);
		return sequence !== undefined;
	};
}

/** Copies a text, and always shows it too, to be selected where the clipboard stayed empty. */
export function copier(clipboard: Clipboard, say: (message: Message) => void) {
	return (text: string): void => {
		const said = clipboard(text)
			? 'Copied through the terminal, which sends no receipt. If paste is empty, select:'
			: 'Not copied: it is longer than terminals take. Here is how it begins:';
		say({text: said, isError: false, below: printable(text)});
	};
}
