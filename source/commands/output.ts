/** What a command writes: results to standard output, everything else beside them. */
import {createInterface} from 'node:readline/promises';
import {MISSING} from '../console/format.ts';
import {printable, widthOf} from '../console/terminal/output/text-width.ts';
import {CommandError, exitCodes} from './failure.ts';

export type Output = {
	/** Whether a person reads the results at once. */
	readonly isTerminal: boolean;
	/** Whether it is read out: rows are sentences then. */
	readonly isSpoken?: boolean;
	/** A line of the result. */
	readonly line: (text: string) => void;
	/** A line of JSON. */
	readonly json: (value: unknown) => void;
	/** Progress, and what is to be known beside the result. */
	readonly say: (text: string) => void;
	/** Asks; undefined where there is nobody to answer. */
	readonly ask: ((question: string, signal: AbortSignal) => Promise<string>) | undefined;
};

type MaybeTerminal = {readonly isTTY?: boolean};

export type Streams = {
	readonly stdin: NodeJS.ReadableStream & MaybeTerminal;
	readonly stdout: NodeJS.WritableStream & MaybeTerminal;
	readonly stderr: NodeJS.WritableStream & MaybeTerminal;
};

export function openOutput({stdin, stdout, stderr}: Streams): Output {
	const canAsk = stdin.isTTY === true && stderr.isTTY === true;
	return {
		isTerminal: stdout.isTTY === true,
		line: text => void stdout.write(`${text}\n`),
		json: value => void stdout.write(`${writeJson(value)}\n`),
		say: text => void stderr.write(`${text}\n`),
		ask: canAsk ? async (question, signal) => ask(stdin, stderr, {question, signal}) : undefined,
	};
}

async function ask(
	input: NodeJS.ReadableStream,
	output: NodeJS.WritableStream,
	{question, signal}: {readonly question: string; readonly signal: AbortSignal},
): Promise<string> {
	const lines = createInterface({input, output});
	const interrupt = new AbortController();
	// While it reads lines, Ctrl-C comes as a key and not as a signal.
	lines.once('SIGINT', () => interrupt.abort(interrupted()));
	try {
		return await lines.question(question, {signal: AbortSignal.any([signal, interrupt.signal])});
	} catch (error) {
		output.write('\n');
		interrupt.signal.throwIfAborted();
		signal.throwIfAborted();
		throw error;
	} finally {
		lines.close();
	}
}

export function interrupted(): CommandError {
	return new CommandError(exitCodes.interrupted, 'It was ended by Ctrl-C.');
}

/** JSON in plain characters: a terminal that shows it does nothing else. */
export function writeJson(value: unknown): string {
	return JSON.stringify(value).replaceAll(
		/[\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g,
		character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

/** Has every name of a record there, also where nothing is known: null. */
export function withNulls(
	known: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
	return Object.fromEntries(Object.entries(known).map(([name, value]) => [name, value ?? null]));
}

/** A column of a result: its title, and a row as text; undefined where it is not known. */
export type Column<Row> = {
	readonly title: string;
	readonly isNumber?: boolean;
	readonly cell: (row: Row) => string | undefined;
};

/**
 * Writes rows under titles: in columns for people, else parted by tabs for programs. What a service
 * has sent loses whatever does more than to be read.
 */
export function writeRows<Row>(
	{isTerminal, isSpoken = false, line}: Pick<Output, 'isTerminal' | 'isSpoken' | 'line'>,
	columns: ReadonlyArray<Column<Row>>,
	rows: readonly Row[],
): void {
	if (isSpoken) {
		for (const row of rows) line(sentenceOf(columns, row));
		return;
	}
	const cells = rows.map(row => columns.map(({cell}) => printable(cell(row) ?? MISSING)));
	const table = [columns.map(({title}) => title), ...cells];
	if (!isTerminal) {
		for (const row of table) line(row.join('\t'));
		return;
	}
	const widths = columns.map((_, at) => Math.max(...table.map(row => widthOf(row[at] ?? ''))));
	for (const row of table) {
		const padded = row.map((text, at) => {
			const space = ' '.repeat((widths[at] ?? 0) - widthOf(text));
			return columns[at]?.isNumber === true ? space + text : text + space;
		});
		line(padded.join('  ').trimEnd());
	}
}

/** A row as it is read out: each value after its title, and nothing of what is not known. */
function sentenceOf<Row>(columns: ReadonlyArray<Column<Row>>, row: Row): string {
	const parts = columns.flatMap(({title, cell}) => {
		const text = printable(cell(row) ?? '');
		return text === '' ? [] : [`${title.toLowerCase()} ${text}`];
	});
	return `${parts.join(', ')}.`;
}
