/** The journal of changes, readable by people: change, time, price and outcome. */
import {stat} from 'node:fs/promises';
import * as z from 'zod/mini';
import {targetIdsOf} from './targets.ts';
import {parseJson} from '../../contract/grammar/json.ts';
import {appendLine, readFileLines} from '../files/line-file.ts';

const common = {
	/** ISO 8601, in UTC. */
	at: z.string(),
	/** Id shared by all lines of one request. */
	request: z.string(),
};

const asked = z.readonly(
	z.looseObject({
		...common,
		kind: z.literal('wish'),
		profile: z.optional(z.string()),
		/** The noun and the verb of the contract, such as `instances.create`. */
		action: z.string(),
		/** Target of a change: an id, several ids, or a name. A rental's target is its offer. */
		target: z.optional(z.union([z.number(), z.string(), z.array(z.number())])),
		/** Dollars: an hour for a rent or a bid, once for a payment. */
		price: z.optional(z.number()),
		label: z.optional(z.string()),
		/** Wanted state of an instance: `running` or `stopped`. */
		state: z.optional(z.string()),
		/** Evidence that justifies the change: `made 14 min ago, loading for 13 min (26 looks)`. */
		evidence: z.optional(z.string()),
	}),
);

const outcomes = [
	'done',
	/** Accepted for later. */
	'queued',
	'refused',
	'never sent',
	/** No reply: the change may have happened, or may still happen. */
	'lost',
	/** Result of searching for the instance behind a lost reply. */
	'found',
	'not found',
	'unknown',
	/** Result of polling an instance that was to be stopped or destroyed. */
	'seen',
	'not seen',
	'gone',
	/** The instance differs from its order; `says` names the differences. */
	'differs',
	/** Confirmed, and cancelled before it was sent. */
	'taken back',
] as const;

const answered = z.readonly(
	z.looseObject({
		...common,
		kind: z.literal('answer'),
		outcome: z.enum(outcomes),
		instance: z.optional(z.number()),
		status: z.optional(z.number()),
		says: z.optional(z.string()),
	}),
);

export type JournalChange = z.output<typeof asked>;
export type JournalAnswer = z.output<typeof answered>;
type JournalLine = JournalChange | JournalAnswer;
export type JournalOutcome = (typeof outcomes)[number];

/** A change and its replies, the latest last. */
export type JournalEntry = {
	readonly change: JournalChange;
	readonly answers: readonly JournalAnswer[];
};

const journalLine = z.discriminatedUnion('kind', [asked, answered]);

/** Undefined for a line that was cut off when the program ended, or written by another version. */
function readLine(text: string): JournalLine | undefined {
	const read = z.safeParse(journalLine, parseJson(text));
	return read.success ? read.data : undefined;
}

/** Groups the lines of each request, the newest request first. */
function entriesOf(lines: readonly JournalLine[]): readonly JournalEntry[] {
	const entries = new Map<string, {change: JournalChange; answers: JournalAnswer[]}>();
	for (const line of lines) {
		// An answer whose change was rotated away means nothing on its own.
		const entry = entries.get(line.request);
		if (line.kind === 'answer') entry?.answers.push(line);
		// A change that is requested again is still one change.
		else if (entry === undefined) entries.set(line.request, {change: line, answers: []});
	}
	return [...entries.values()].toReversed();
}

/** Size limit, enough for thousands of changes; the rotated file holds as many again. */
const LONGEST_BYTES = 1024 * 1024;

type Undated<Line extends JournalLine> = Omit<Line, 'at' | 'kind'>;

export type Journal = {
	readonly change: (change: Undated<JournalChange>) => Promise<void>;
	readonly answer: (answer: Undated<JournalAnswer>) => Promise<void>;
};

export type JournalOptions = {
	/** Undefined for a journal that stores nothing. */
	readonly file: string | undefined;
	readonly profile: string | undefined;
	/** The API key, which is removed from every line. */
	readonly secret: string;
	/**
	 * Milliseconds since 1970.
	 *
	 * @default Date.now
	 */
	readonly now?: () => number;
	/** Called when a line cannot be written: the change continues. */
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

	async function write(line: Omit<JournalChange, 'at'> | Omit<JournalAnswer, 'at'>): Promise<void> {
		if (file === undefined) return;
		const text = JSON.stringify({at: new Date(now()).toISOString(), ...line});
		const mine = last.then(async () => appendLine(file, withoutSecret(text, secret), longestBytes));
		// A full disk must not keep a user from destroying an instance that costs money.
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
 * Entries of a journal, the newest first, including those of its rotated file. Unreadable lines are
 * skipped.
 */
export async function readJournal(file: string): Promise<readonly JournalEntry[]> {
	return entriesOf(readFileLines(file).flatMap(line => readLine(line) ?? []));
}

/**
 * The last start of each instance requested from here: milliseconds since 1970 on this machine's
 * clock.
 */
export type OwnStarts = ReadonlyMap<
	number,
	{readonly startedAt?: number; readonly stoppedAt?: number}
>;

const none: OwnStarts = new Map();

/** Changes after which an instance boots, whatever their requested state. */
const restarts = new Set([
	'instances.reboot',
	'instances.recycle',
	'instances.rebuild',
	'instances.changeBid',
]);

/**
 * Last starts by instance. A start counts from its last line: the service may have processed it as
 * late as then.
 */
function ownStarts(entries: readonly JournalEntry[]): OwnStarts {
	const starts = new Map<number, {startedAt?: number; stoppedAt?: number}>();
	for (const {change, answers} of entries) {
		const isStart = restarts.has(change.action) || change.state === 'running';
		if (!isStart && (change.action !== 'instances.change' || change.state !== 'stopped')) continue;
		const last = Math.max(...[change, ...answers].map(({at}) => Date.parse(at) || 0));
		const name = isStart ? 'startedAt' : 'stoppedAt';
		for (const id of targetIdsOf(change.target)) {
			const known = starts.get(id);
			starts.set(id, {...known, [name]: Math.max(last, known?.[name] ?? 0)});
		}
	}
	return starts;
}

/** Rereads the starts when the journal has grown; an unreadable journal changes nothing. */
export function openOwnStarts(
	file: string | undefined,
	isOwn: (entry: JournalEntry) => boolean,
): () => Promise<OwnStarts> {
	let known = {stamp: '', starts: none};

	async function read(from: string): Promise<typeof known> {
		const {ino, size} = await stat(from);
		const stamp = `${ino} ${size}`;
		if (stamp === known.stamp) return known;
		return {stamp, starts: ownStarts((await readJournal(from)).filter(isOwn))};
	}

	return async () => {
		if (file !== undefined) known = await read(file).catch(() => known);
		return known.starts;
	};
}
