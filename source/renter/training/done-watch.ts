/**
 * The work that leases wait for, by repeated reads of logs and files. Anything from before a lease
 * is ignored, and an end costs data: two reads must agree, on lines that are certainly new, and a
 * log that is cut, empty or restarted proves nothing.
 */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {DoneWatch} from '../leases/ending.ts';
import {quoted, type RunInside} from '../leases/inside.ts';
import {leaseKey, type Lease} from '../words/lease.ts';
import type {WhenDone} from '../words/when-done.ts';
import {linesSince} from '../text/new-lines.ts';
import {printable} from '../text/text-width.ts';
import type {OwnPattern} from './own-patterns.ts';
import type {RunReading} from './run-reading.ts';
import {readStepLine} from './step-line.ts';

type LogReading = Pick<RunReading, 'verdict' | 'training'> & {readonly lines: readonly string[]};

type Progress = {
	/** The lease, and the start of the instance: a change of either restarts the watch. */
	readonly key: string;
	readonly since: number;
	readonly readAt: number;
	/** Lines after which others are new. */
	readonly lines: readonly string[];
	/** Lines of a log that had none of those. */
	readonly other: readonly string[];
	/** True if steps have been logged since. */
	readonly isStarted: boolean;
	/** Time of the last read that showed new lines. */
	readonly newsAt: number;
	/** Modification time of the file at the first read; empty if it did not exist. */
	readonly file: string | undefined;
	/** Sign of the end at the last read, and the one that two reads agree on. */
	readonly sign: string | undefined;
	readonly evidence: string | undefined;
};

/** Validity of a read: a failed one is retried a minute later. */
const COUNTS_MS = 150_000;
/**
 * Time without a new line after which a run is done whose steps are all counted, though its log does
 * not say so, or has gone on: until then it may be saving or evaluating, or another one may begin.
 */
const QUIET_MS = 600_000;
/** Lines that two reads must have in common: a single one may match by chance. */
const LEAST_COMMON = 3;
const LONGEST_QUOTE = 60;
const PATIENCE_MS = 20_000;

type Looking = {
	/** Enters instances; undefined if impossible: then no file is checked. */
	readonly inside: RunInside | undefined;
	readonly own?: readonly OwnPattern[] | undefined;
};

export function createDoneWatch(now: () => number, {inside, own = []}: Looking) {
	const all = new Map<number, Progress>();

	function recent(instance: Instance, lease: Lease): Progress | undefined {
		const found = all.get(instance.id);
		const isSame = found?.key === keyOf(instance, lease);
		return isSame && now() - found.readAt <= COUNTS_MS ? found : undefined;
	}

	/**
	 * True if steps were logged under this lease: in new lines of the log, or in a file by their
	 * times.
	 */
	function hasStarted({training}: LogReading, {fresh, since}: Lines & Progress): boolean {
		const {isOfEvents, lastStepAt = Number.NEGATIVE_INFINITY} = training;
		if (isOfEvents === true) return lastStepAt > since;
		return fresh.some(line => readStepLine(line, own) !== undefined);
	}

	return {
		/** Records a read of a running instance's log. */
		async note(instance: Instance, lease: Lease, reading: LogReading): Promise<void> {
			const {whenDone: when} = lease;
			if (when === undefined) return void all.delete(instance.id);
			const key = keyOf(instance, lease);
			const known = all.get(instance.id);
			const before = known?.key === key ? known : unseen(key);
			const file = when.kind === 'file' ? await changeOf(inside, instance, when.text) : undefined;
			if (when.kind === 'file' && file === undefined) return;
			const next = advance(before, reading, {now: now(), isFirst: before !== known});
			const isStarted = before.isStarted || hasStarted(reading, next);
			const isQuiet = isCounted(reading) && next.readAt - next.newsAt >= QUIET_MS;
			const {fresh} = next;
			const sign = signOf(when, {...reading, fresh, isStarted, isQuiet, before, file});
			all.set(instance.id, {
				...next,
				isStarted,
				file: before.file ?? file,
				sign,
				evidence: sign !== undefined && before.sign !== undefined ? sign : undefined,
			});
		},
		evidence: (instance, lease) => recent(instance, lease)?.evidence,
		isRead: (instance, lease) => recent(instance, lease) !== undefined,
	} satisfies DoneWatch & {readonly note: unknown};
}

/** True for a run with losses, or with steps that the user's patterns read: others count, too. */
const isCounted = ({training: {steps, position}}: LogReading) =>
	steps.length > 0 || position === 'own';

const keyOf = ({start_date: start}: Instance, lease: Lease) => `${leaseKey(lease)} ${start}`;

const unseen = (key: string): Progress => ({
	key,
	since: Infinity,
	readAt: Number.NEGATIVE_INFINITY,
	lines: [],
	other: [],
	isStarted: false,
	newsAt: Number.NEGATIVE_INFINITY,
	file: undefined,
	sign: undefined,
	evidence: undefined,
});

/** Progress with the lines of a read. */
function advance(
	before: Progress,
	{lines}: LogReading,
	{now, isFirst}: {readonly now: number; readonly isFirst: boolean},
): Progress & Lines {
	const next = linesAfter(before, lines);
	const hasNews = isFirst || next.fresh.length > 0 || next.other.length > 0;
	return {
		...before,
		...next,
		since: isFirst ? now : before.since,
		readAt: now,
		newsAt: hasNews ? now : before.newsAt,
	};
}

type Lines = Pick<Progress, 'lines' | 'other'> & {readonly fresh: readonly string[]};

/** Lines that are certainly new; the earlier lines are kept if a read shows none of them. */
function linesAfter({lines, other}: Progress, now: readonly string[]): Lines {
	if (lines.length === 0) return {lines: now, other: [], fresh: []};
	const fresh = linesSince(lines, now, LEAST_COMMON);
	if (fresh !== undefined) return {lines: now, other: [], fresh};
	// A log that restarted continues from there.
	const anew = other.length === 0 ? undefined : linesSince(other, now, LEAST_COMMON);
	if (anew === undefined) return {lines, other: now, fresh: []};
	return {lines: now, other: [], fresh: anew};
}

type Reading = LogReading & {
	readonly fresh: readonly string[];
	readonly isStarted: boolean;
	/** True if a counted run has logged nothing for long. */
	readonly isQuiet: boolean;
	readonly before: Progress;
	readonly file: string | undefined;
};

const isRunDone = ({isStarted, isQuiet, verdict, training}: Reading) =>
	isStarted && verdict === 'DONE' && ((training.isDone && !training.isFollowed) || isQuiet);

const hasStep = (step: number, {isStarted, training}: Reading) =>
	isStarted && training.position !== 'bar' && (training.step ?? 0) >= step;

function hasLine(text: string, {fresh, before, lines}: Reading): boolean {
	const has = (line: string) => line.includes(text);
	return fresh.some(has) || (before.sign !== undefined && lines.some(has));
}

const isFileNew = ({before, file}: Reading) =>
	before.file !== undefined && file !== '' && file !== before.file;

/** Sign of the end in a read, in a few words; undefined while the work continues. */
function signOf(when: WhenDone, reading: Reading): string | undefined {
	switch (when.kind) {
		case 'run':
			return isRunDone(reading) ? 'its run is DONE' : undefined;
		case 'step':
			return hasStep(when.step, reading) ? `its run has made step ${when.step}` : undefined;
		case 'line':
			return hasLine(when.text, reading) ? `its log says "${quotable(when.text)}"` : undefined;
		case 'file':
			return isFileNew(reading) ? `${quotable(when.text)} is there` : undefined;
	}
}

const quotable = (text: string) => printable(text).slice(0, LONGEST_QUOTE);

/** Modification time of a file in an instance; empty if it does not exist, undefined if unknown. */
async function changeOf(
	inside: RunInside | undefined,
	instance: Instance,
	path: string,
): Promise<string | undefined> {
	const script = `f=${quoted(path)};[ -e "$f" ]&&echo at=$(date -r "$f" +%s)||echo none\n`;
	const output = await inside?.(instance, script, PATIENCE_MS);
	const at = /^at=(\d{0,15})$/m.exec(output ?? '')?.[1];
	if (at !== undefined) return `at ${at}`;
	return /^none$/m.test(output ?? '') ? '' : undefined;
}
