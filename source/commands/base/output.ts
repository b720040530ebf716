/**
 * Output of a command: results on standard output, all else on standard error. Harmful characters are
 * removed here, so that no command has to.
 */
import {once} from 'node:events';
import {progressSequence} from '../../renter/text/terminal-progress.ts';
import {createInterface} from 'node:readline/promises';
import {MISSING} from '../../renter/text/format.ts';
import {fitMiddle, printable, widthOf} from '../../renter/text/text-width.ts';
import {harmlessJson, harmlessLine, harmlessText} from '../../contract/grammar/harmless-text.ts';
import {CommandError, exitCodes, type ExitCode} from './failure.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';
import {MOST_NAMED_AT_ONCE, unreadableSentence} from '../../renter/text/unreadable.ts';

export type Output = {
	/** A person reads the results at once. */
	readonly isTerminal: boolean;
	/** Columns of that terminal; undefined if they are not known. */
	readonly width?: number | undefined;
	/** Output is read aloud: rows become sentences. */
	readonly isSpoken?: boolean;
	/** A line of the result, with tabs between its parts. */
	readonly line: (...parts: readonly string[]) => void;
	/** Text of rentty's own, of one or more lines. */
	readonly text: (text: string) => void;
	/** A line of a workload's log: programs get it unchanged. */
	readonly log: (text: string, of?: LogName) => void;
	readonly json: (value: unknown) => void;
	/** Progress, and remarks beside the result. */
	readonly say: (text: string) => void;
	/** Shows a line that the next one replaces, and removes it for ''; undefined without a terminal. */
	readonly progress?: ((text: string, percent?: number) => void) | undefined;
	/** Writes a notification of the terminal, made harmless by its maker; undefined without a terminal. */
	readonly notify?: ((sequence: string) => void) | undefined;
	/** Asks; undefined if no user can answer. */
	readonly ask: ((question: string, signal: AbortSignal) => Promise<string>) | undefined;
};

/** The name before a line of a log, and its index among the names, which chooses its colour. */
export type LogName = {readonly name: string; readonly at: number};

type MaybeTerminal = {readonly isTTY?: boolean};

export type Streams = {
	readonly stdin: NodeJS.ReadableStream & MaybeTerminal;
	readonly stdout: NodeJS.WritableStream & MaybeTerminal & {readonly columns?: number};
	readonly stderr: NodeJS.WritableStream & MaybeTerminal;
};

type OutputStyle = {
	/** Names may be coloured where a person reads them. */
	readonly isColoured?: boolean;
	/** Identifies the terminal. */
	readonly environment?: Readonly<Record<string, string | undefined>>;
};

export function openOutput({stdin, stdout, stderr}: Streams, style: OutputStyle = {}): Output {
	const {isColoured = false, environment = {}} = style;
	const canAsk = stdin.isTTY === true && stderr.isTTY === true;
	const isTerminal = stdout.isTTY === true;
	const line = openLineWriter(stdout);
	return {
		isTerminal,
		width: isTerminal ? stdout.columns : undefined,
		line,
		text: text => void stdout.write(`${harmlessText(text)}\n`),
		log(text, of) {
			if (isTerminal)
				stdout.write(`${shownName(of, isColoured)}${harmlessLine(text.replace(/\r$/, ''))}\n`);
			else
				stdout.write(`${of === undefined ? '' : `${harmlessLine(of.name.trimEnd())}\t`}${text}\n`);
		},
		json: value => void stdout.write(`${harmlessJson(value)}\n`),
		say: openLineWriter(stderr),
		progress: stderr.isTTY === true ? openProgress(stderr, environment) : undefined,
		notify: stderr.isTTY === true ? sequence => void stderr.write(sequence) : undefined,
		ask: canAsk
			? async (question, signal) => ask(stdin, stderr, {question: harmlessLine(question), signal})
			: undefined,
	};
}

/** Colours of names that stand before lines: six that are distinguishable on light and on dark ground. */
const colours = [36, 33, 32, 35, 34, 31].map(colour => `\u001B[${colour}m`);
const PLAIN = '\u001B[39m';

function shownName(of: LogName | undefined, isColoured: boolean): string {
	if (of === undefined) return '';
	const name = harmlessLine(of.name);
	return isColoured ? `${colours[of.at % colours.length]}${name}${PLAIN}  ` : `${name}  `;
}

/** Writes lines of parts with tabs between them, without harmful characters. */
export function openLineWriter(stream: NodeJS.WritableStream): Output['line'] {
	return (...parts) => void stream.write(`${parts.map(harmlessLine).join('\t')}\n`);
}

const START_OF_LINE = '\r\u001B[K';

function openProgress(
	stream: Streams['stderr'] & {readonly columns?: number},
	environment: NonNullable<OutputStyle['environment']>,
): NonNullable<Output['progress']> {
	let shown = '';
	return (text, percent) => {
		const progress = text === '' ? 'none' : (percent ?? 'some');
		const sequence = progressSequence(progress, environment);
		const line = START_OF_LINE + harmlessLine(text).slice(0, (stream.columns ?? 80) - 1);
		stream.write(sequence === shown || (shown === '' && text === '') ? line : sequence + line);
		shown = text === '' ? '' : sequence;
	};
}

async function ask(
	input: NodeJS.ReadableStream,
	output: NodeJS.WritableStream,
	{question, signal}: {readonly question: string; readonly signal: AbortSignal},
): Promise<string> {
	const lines = createInterface({input, output});
	const interrupt = new AbortController();
	// While readline reads, Ctrl-C comes as a key and not as a signal.
	lines.once('SIGINT', () => interrupt.abort(interrupted()));
	try {
		const ends = AbortSignal.any([signal, interrupt.signal]);
		// Ctrl-D, and the end of a file, answer nothing: readline itself would wait for ever.
		const nothing = once(lines, 'close', {signal: ends}).then(() => '');
		nothing.catch(() => undefined);
		return await Promise.race([lines.question(question, {signal: ends}), nothing]);
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

/** Gives every name of a record a value: null for an unknown one. */
export function withNulls(
	known: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
	return Object.fromEntries(Object.entries(known).map(([name, value]) => [name, value ?? null]));
}

/** A column of a result: its title, and the text of a row; undefined if unknown. */
export type PrintedColumn<Row> = {
	readonly title: string;
	readonly isNumber?: boolean;
	readonly cell: (row: Row) => string | undefined;
};

/** Writes rows under titles: in columns for people, else parted by tabs for programs. */
export function writeRows<Row>(
	{
		isTerminal,
		isSpoken = false,
		line,
		width,
	}: Pick<Output, 'isTerminal' | 'isSpoken' | 'line' | 'width'>,
	columns: ReadonlyArray<PrintedColumn<Row>>,
	rows: readonly Row[],
): void {
	if (isSpoken) {
		for (const row of rows) line(sentenceOf(columns, row));
		return;
	}
	const cells = rows.map(row => columns.map(({cell}) => cell(row) ?? MISSING));
	const titles = columns.map(({title}) => title);
	if (!isTerminal) {
		for (const row of [titles, ...cells]) line(...row);
		return;
	}
	// Widths are those of the printed text.
	const table = [titles, ...cells.map(row => row.map(printable))];
	const wanted = columns.map((_, at) => Math.max(...table.map(row => widthOf(row[at] ?? ''))));
	const widths = width === undefined ? wanted : within(width, columns, wanted);
	for (const row of table) {
		const padded = row.map((whole, at) => {
			const most = widths[at] ?? 0;
			const text = widthOf(whole) > most ? fitMiddle(whole, most) : whole;
			const space = ' '.repeat(most - widthOf(text));
			return columns[at]?.isNumber === true ? space + text : text + space;
		});
		line(padded.join('  ').trimEnd());
	}
}

/** Least width of a text that still distinguishes it from others. */
const LEAST_TEXT = 8;

/** Widths of columns that fit into a line: of the texts, the widest gives way first, and no number does. */
function within(
	width: number,
	columns: ReadonlyArray<PrintedColumn<never>>,
	wanted: readonly number[],
): readonly number[] {
	const widths = [...wanted];
	const gaps = 2 * (columns.length - 1);
	for (let over = widths.reduce((sum, one) => sum + one, gaps) - width; over > 0; over--) {
		const texts = widths.map((one, at) => (columns[at]?.isNumber === true ? 0 : one));
		const widest = Math.max(...texts);
		if (widest <= LEAST_TEXT) break;
		widths[texts.lastIndexOf(widest)] = widest - 1;
	}
	return widths;
}

/** A row as it is read out: each value after its title, and nothing of what is not known. */
function sentenceOf<Row>(columns: ReadonlyArray<PrintedColumn<Row>>, row: Row): string {
	const parts = columns.flatMap(({title, cell}) => {
		const text = cell(row) ?? '';
		return text === '' ? [] : [`${title.toLowerCase()} ${text}`];
	});
	return `${parts.join(', ')}.`;
}

type Listed<Row> = {
	readonly rows: readonly Row[];
	readonly unreadable: Unreadable;
	/** Plural of the noun. */
	readonly noun: string;
	readonly columns: ReadonlyArray<PrintedColumn<Row>>;
	/** A row as `--json` shows it. */
	readonly record: (row: Row) => unknown;
	/**
	 * Sentence for an empty list.
	 * @default the titles of the columns
	 */
	readonly empty?: string;
	readonly note?: string | undefined;
};

/**
 * Lists all records of a noun.
 * @throws CommandError if none of it could be read
 */
export function writeList<Row>(
	{output, isJson}: {readonly output: Output; readonly isJson: boolean},
	{rows, unreadable, noun, columns, record, empty, note}: Listed<Row>,
): ExitCode {
	if (rows.length === 0) refuseUnreadable(unreadable, noun);
	if (isJson) for (const row of rows) output.json(record(row));
	else if (rows.length === 0 && empty !== undefined) output.say(`rentty: ${empty}`);
	else writeRows(output, columns, rows);
	if (note !== undefined) output.say(`rentty: ${note}`);
	warnOfUnreadable(output, unreadable, noun);
	return exitCodes.fine;
}

/** Warns of unreadable records: their count, and the first. `noun` is the plural. */
export function warnOfUnreadable(
	{say}: Pick<Output, 'say'>,
	unreadable: Unreadable,
	noun: string,
): void {
	const text = unreadableText(unreadable, noun);
	if (text !== undefined) say(`rentty: ${text}`);
}

/**
 * Ends a command whose reply had no readable record.
 *
 * @throws CommandError
 */
export function refuseUnreadable(unreadable: Unreadable, noun: string, state = ''): void {
	const text = unreadableText(unreadable, noun);
	if (text !== undefined) throw new CommandError(exitCodes.failed, `${text} ${state}`.trimEnd());
}

type Missing = {
	readonly unreadable: Unreadable;
	readonly noun: string;
	/** The command that lists them all. */
	readonly command: string;
	/** Sentence about the action that was not taken. */
	readonly state?: string;
};

/**
 * Says that a record is missing, or may be among the unreadable ones.
 * @throws CommandError
 */
export function refuseMissing(missing: string, {unreadable, noun, command, state}: Missing): never {
	refuseUnreadable(unreadable, noun, `${missing} among the others. ${state ?? ''}`);
	throw new CommandError(exitCodes.notFound, `${missing}: rentty ${command} lists all.`);
}

function unreadableText(unreadable: Unreadable, noun: string): string | undefined {
	return unreadableSentence(unreadable, {noun, most: MOST_NAMED_AT_ONCE});
}
