/** Lines that were typed and asked before, kept for the next time. */
import {openFileWriter} from '../../client/files/files.ts';
import {readKept} from '../files/kept-file.ts';
import {printable} from '../text/text-width.ts';

export type LineHistory = {
	/** The oldest first, none of them twice. */
	readonly lines: () => readonly string[];
	/** Adds a line as the latest. */
	readonly add: (line: string) => void;
};

const MOST_LINES = 100;

export function createLineHistory(
	first: readonly string[] = [],
	onAdd: (lines: readonly string[]) => void = () => {},
): LineHistory {
	let lines = first.slice(-MOST_LINES);
	return {
		lines: () => lines,
		add(line) {
			if (line === '' || line === lines.at(-1)) return;
			lines = [...lines.filter(other => other !== line), line].slice(-MOST_LINES);
			onAdd(lines);
		},
	};
}

/** Keeps lines in a file, each as it was typed. Without the file, or where it cannot be written, nothing is missing. */
export function openLineHistory(file: string): LineHistory {
	let history: LineHistory | undefined;
	const write = openFileWriter(file);
	const save = (lines: readonly string[]) => {
		// Lines that cannot be kept are there until rentty ends.
		write(() => fileText(lines)).catch(() => undefined);
	};
	/** Read when it is first asked for: nothing of it is in the first frame. */
	const opened = () => (history ??= createLineHistory(read(file), save));
	return {lines: () => opened().lines(), add: line => opened().add(line)};
}

function read(file: string): readonly string[] {
	// What is not as it is drawn was not typed here.
	return readKept(file)
		.split('\n')
		.filter(line => line !== '' && printable(line) === line);
}

function fileText(lines: readonly string[]): string {
	return lines.map(line => `${line}\n`).join('');
}
