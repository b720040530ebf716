/** Lines of the journal: a change that was asked for, and each answer to it. */
import * as z from 'zod/mini';

const maybe = <Of extends z.ZodMiniType>(schema: Of) => z.optional(schema);

const common = {
	/** ISO 8601, in UTC. */
	at: z.string(),
	/** The same for all lines of one request. */
	request: z.string(),
};

const asked = z.readonly(
	z.looseObject({
		...common,
		kind: z.literal('wish'),
		profile: maybe(z.string()),
		/** The noun and the verb of the contract, such as `instances.create`. */
		action: z.string(),
		/** Target of a change: an id, several ids, or a name. A rental's target is its offer. */
		target: maybe(z.union([z.number(), z.string(), z.array(z.number())])),
		/** Dollars: an hour where something is rented or bid, once where it is paid. */
		price: maybe(z.number()),
		label: maybe(z.string()),
		/** Wanted state of an instance: `running` or `stopped`. */
		state: maybe(z.string()),
		/** Evidence for which it is done: `made 14 min ago, loading for 13 min (26 looks)`. */
		evidence: maybe(z.string()),
	}),
);

const outcomes = [
	'done',
	/** Accepted; it happens when it can. */
	'queued',
	'refused',
	'never sent',
	/** No answer: it may have happened, or may happen still. */
	'lost',
	/** Result of looking for the instance behind a lost reply. */
	'found',
	'not found',
	'unknown',
	/** Result of looking for an instance that was to stop or to be destroyed. */
	'seen',
	'not seen',
	'gone',
	/** The instance is not as ordered; `says` names the differences. */
	'differs',
	/** Agreed to, and taken back before anything was sent. */
	'taken back',
] as const;

const answered = z.readonly(
	z.looseObject({
		...common,
		kind: z.literal('answer'),
		outcome: z.enum(outcomes),
		/** The instance that was made. */
		instance: maybe(z.number()),
		status: maybe(z.number()),
		says: maybe(z.string()),
	}),
);

export type JournalChange = z.output<typeof asked>;
export type JournalAnswer = z.output<typeof answered>;
export type JournalLine = JournalChange | JournalAnswer;
export type JournalOutcome = (typeof outcomes)[number];

/** A changing request, and all that was learned of it, the latest last. */
export type JournalEntry = {
	readonly change: JournalChange;
	readonly answers: readonly JournalAnswer[];
};

const line = z.discriminatedUnion('kind', [asked, answered]);

/** Undefined where it is none: cut off when the program ended, or written by another version. */
export function readLine(text: string): JournalLine | undefined {
	const read = z.safeParse(line, parse(text));
	return read.success ? read.data : undefined;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Puts the lines of each request together, the newest request first. */
export function entriesOf(lines: readonly JournalLine[]): readonly JournalEntry[] {
	const entries = new Map<string, {change: JournalChange; answers: JournalAnswer[]}>();
	for (const said of lines) {
		// What was answered to a change that was rotated away says nothing on its own.
		const entry = entries.get(said.request);
		if (said.kind === 'answer') entry?.answers.push(said);
		// What is asked for once more is still one change.
		else if (entry === undefined) entries.set(said.request, {change: said, answers: []});
	}
	return [...entries.values()].toReversed();
}
