/** The journal of all that was changed, for people: what, when, at which price, and what came of it. */
import {mkdir, rename, stat, type FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {isCode, withLock} from '../files/file-lock.ts';
import {openToAppend, readPlainFile} from '../files/plain-files.ts';
import {
	entriesOf,
	readLine,
	type JournalAnswer,
	type JournalEntry,
	type JournalLine,
	type JournalChange,
} from './journal-lines.ts';

export type {JournalAnswer, JournalEntry, JournalOutcome, JournalChange} from './journal-lines.ts';

/** Thousands of changes. As many again are kept of before. */
const LONGEST_BYTES = 1024 * 1024;

type Undated<Line extends JournalLine> = Omit<Line, 'at' | 'kind'>;

export type Journal = {
	readonly change: (change: Undated<JournalChange>) => Promise<void>;
	readonly answer: (answer: Undated<JournalAnswer>) => Promise<void>;
};

export type JournalOptions = {
	/** Undefined for a journal that keeps nothing. */
	readonly file: string | undefined;
	readonly profile: string | undefined;
	/** Never written, wherever it stands. */
	readonly secret: string;
	/**
	 * Milliseconds since 1970.
	 *
	 * @default Date.now
	 */
	readonly now?: () => number;
	/** Told where a line could not be written: what it is about goes on. */
	readonly onTrouble: ((error: unknown) => void) | undefined;
	/** @default 1 MiB */
	readonly longestBytes?: number;
};

export function openJournal({
	file,
	profile,
	secret,
	now = Date.now,
	onTrouble,
	longestBytes = LONGEST_BYTES,
}: JournalOptions): Journal {
	let last: Promise<void> = Promise.resolve();

	async function append(to: string, text: string): Promise<void> {
		const size = await sizeOf(to);
		if (size >= longestBytes) await rotate(to, longestBytes);
		if (size === 0) await mkdir(dirname(to), {recursive: true, mode: 0o700});
		const handle = await openToAppend(to, 0o600);
		try {
			// One write is one line, also where several processes write.
			await handle.writeFile(`${(await isWhole(handle)) ? '' : '\n'}${text}\n`);
		} finally {
			await handle.close();
		}
	}

	async function write(line: Omit<JournalChange, 'at'> | Omit<JournalAnswer, 'at'>): Promise<void> {
		if (file === undefined) return;
		const text = JSON.stringify({at: new Date(now()).toISOString(), ...line});
		const mine = last.then(async () => append(file, withoutSecret(text, secret)));
		// A full disk must not keep anybody from destroying what costs.
		last = mine.catch(error => onTrouble?.(error));
		return last;
	}

	return {
		change: async change =>
			write({kind: 'wish', ...(profile !== undefined && {profile}), ...change}),
		answer: async answer => write({kind: 'answer', ...answer}),
	};
}

function withoutSecret(text: string, secret: string): string {
	const written = JSON.stringify(secret).slice(1, -1);
	return written === '' ? text : text.replaceAll(written, '***');
}

/**
 * True if a file ends with a whole line: a full disk or a killed process may have cut the last
 * one.
 */
async function isWhole(handle: FileHandle): Promise<boolean> {
	const {size} = await handle.stat();
	if (size === 0) return true;
	const {buffer} = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
	return buffer.toString() === '\n';
}

async function rotate(file: string, longestBytes: number): Promise<void> {
	await withLock(file, async () => {
		// Another process may just have done it.
		if ((await sizeOf(file)) >= longestBytes) await rename(file, `${file}.1`);
	});
}

async function sizeOf(file: string): Promise<number> {
	try {
		return (await stat(file)).size;
	} catch (error) {
		if (isCode(error, 'ENOENT')) return 0;
		throw error;
	}
}

/** All that a journal has kept, the newest first. Lines that cannot be read are passed over. */
export async function readJournal(file: string): Promise<readonly JournalEntry[]> {
	const text = readText(`${file}.1`) + readText(file);
	return entriesOf(text.split('\n').flatMap(line => readLine(line) ?? []));
}

function readText(file: string): string {
	try {
		return readPlainFile(file);
	} catch (error) {
		if (isCode(error, 'ENOENT')) return '';
		throw error;
	}
}
