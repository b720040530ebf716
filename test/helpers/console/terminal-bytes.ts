/** Tells what rentty writes to a terminal apart from what a text could make it write. */
import {harmfulIn} from '../services/harmful-text.ts';

/** One of the styles of themes, or what takes it back; of backgrounds only that of the row under the cursor. */
const style = String.raw`(?:\d|2[2-9]|3[0-79]|9\d|38;5;(?:16|25|28|39|75|94|117|124|208|214|222|240|255)|48;5;(?:237|254)|49)?`;

/** The sequences that rentty writes by itself. */
const sequences = [
	// The cursor goes elsewhere; lines are erased, inserted and deleted, some in a part of the screen.
	String.raw`\[\d*[ABCDGHLMK]`,
	String.raw`\[\d*;\d+H`,
	String.raw`\[\d+;\d+r`,
	String.raw`\[r`,
	String.raw`\[${style}(?:;${style})*m`,
	// The screen is taken, shown at once, cleared and given back.
	String.raw`\[\?(?:7|25|1000|1002|1006|2004|2026|1049)[hl]`,
	String.raw`\[\?1006\$p`,
	String.raw`\[2J`,
	String.raw`\[2[23];0t`,
	// The title, the clipboard, and what is asked about the line.
	String.raw`\]0;rentty(?: \d+!)?(?: \d+ booting)?\u0007`,
	String.raw`\]9;4;[013](?:;\d{1,3})?\u0007`,
	String.raw`\]52;c;[\w+/=]*\u0007`,
	String.raw`\[6n`,
];
const ours = new RegExp(String.raw`\u001B(?:${sequences.join('|')})|\r\n|[\r\u0008\u0007]`, 'g');

/** What was written that rentty does not write: harmful characters, and those that stand for painted regions. */
export function foreignIn(bytes: string): readonly string[] {
	const regions = bytes.match(/[\uE000-\uF8FF]/g) ?? [];
	return [...harmfulIn(bytes, ours), ...new Set(regions)];
}

const question = new RegExp(String.raw`\u001B\[\dG\u001B\[6n`, 'g');

/** How many bytes were written, beside those that ask the terminal what it has shown. */
export function drawnBytes(written: string): number {
	return Buffer.byteLength(written.replaceAll(question, ''));
}
