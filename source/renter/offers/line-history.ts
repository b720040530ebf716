import {openFileWriter} from '../../client/files/files.ts';
import {readKept} from '../files/kept-file.ts';
import {printable} from '../text/text-width.ts';

export type LineHistory = {
	/** The oldest first, none of them twice. */
	readonly lines: () => readonly string[];
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

/** Keeps lines in a file, as typed. A missing or unwritable file is harmless. */
export function openLineHistory(file: string): LineHistory {
	let history: LineHistory | undefined;
	const write = openFileWriter(file);
	const save = (lines: readonly string[]) => {
		// Lines that cannot be written are remembered until rentty ends.
		write(() => fileText(lines)).catch(() => undefined);
	};
	/** Read on first use: the first frame needs no line of it. */
	const opened = () => (history ??= createLineHistory(read(file), save));
	return {lines: () => opened().lines(), add: line => opened().add(line)};
}

function read(file: string): readonly string[] {
	// A line that is displayed differently from its text was not typed here.
	return readKept(file)
		.split('\n')
		.filter(line => line !== '' && printable(line) === line);
}

function fileText(lines: readonly string[]): string {
	return lines.map(line => `${line}\n`).join('');
}
