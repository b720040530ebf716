/**
 * The work that leases wait for, look by look at logs and files. What was there before a lease counts for
 * nothing, and an end costs data: two looks must agree, on lines that came for certain, and a log that is cut,
 * empty or begun anew says nothing.
 */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {DoneWatch} from '../leases/ending.ts';
import {quoted, type RunInside} from '../leases/inside.ts';
import {leaseKey, type Lease} from '../words/lease.ts';
import type {WhenDone} from '../words/when-done.ts';
import {linesSince} from '../text/new-lines.ts';
import {printable} from '../text/text-width.ts';
import type {OwnPattern} from './own-patterns.ts';
import type {RunLook} from './run-look.ts';
import {readStepLine} from './step-line.ts';

/** A look at a log, with what its reader found in it. */
type LogLook = Pick<RunLook, 'verdict' | 'training'> & {readonly lines: readonly string[]};

type Progress = {
	/** The lease, and the start of the instance: another one begins anew. */
	readonly key: string;
	/** The first look. */
	readonly since: number;
	readonly readAt: number;
	/** Lines from which on others are new. */
	readonly lines: readonly string[];
	/** Lines of a log that had none of those. */
	readonly other: readonly string[];
	/** Steps came since. */
	readonly isBegun: boolean;
	/** When the file was changed at the first look; empty where there was none. */
	readonly file: string | undefined;
	/** What the last look showed, and what two have. */
	readonly sign: string | undefined;
	readonly evidence: string | undefined;
};

/** A look counts for so long: one that fails is made again a minute later. */
const COUNTS_MS = 150_000;
/** Lines that two looks must have in common: a single one may be alike by chance. */
const LEAST_COMMON = 3;
const LONGEST_WORDS = 60;
const PATIENCE_MS = 20_000;

type Looking = {
	/** Enters instances; undefined where that is impossible: then no file is seen. */
	readonly inside: RunInside | undefined;
	/** Patterns of one's own for lines of logs. */
	readonly own?: readonly OwnPattern[] | undefined;
};

export function createDoneWatch(now: () => number, {inside, own}: Looking) {
	const all = new Map<number, Progress>();

	function recent(instance: Instance, lease: Lease): Progress | undefined {
		const found = all.get(instance.id);
		const isSame = found?.key === keyOf(instance, lease);
		return isSame && now() - found.readAt <= COUNTS_MS ? found : undefined;
	}

	/** Steps came under this lease: in new lines of the log, or in a file by their moments. */
	function hasBegun({training}: LogLook, {fresh, since}: Lines & Progress): boolean {
		const {isOfEvents, heardAt = Number.NEGATIVE_INFINITY} = training;
		if (isOfEvents === true) return heardAt > since;
		return fresh.some(line => readStepLine(line, own) !== undefined);
	}

	return {
		/** Notes a look at the log of an instance that runs. */
		async note(instance: Instance, lease: Lease, look: LogLook): Promise<void> {
			const {whenDone: when} = lease;
			if (when === undefined) return void all.delete(instance.id);
			const key = keyOf(instance, lease);
			const known = all.get(instance.id);
			const before = known?.key === key ? known : unseen(key);
			const file = when.kind === 'file' ? await changeOf(inside, instance, when.text) : undefined;
			if (when.kind === 'file' && file === undefined) return;
			const since = before === known ? before.since : now();
			const next = {...before, ...linesAfter(before, look.lines), since, readAt: now()};
			const {fresh} = next;
			const isBegun = before.isBegun || hasBegun(look, next);
			const sign = signOf(when, {...look, fresh, isBegun, before, file});
			all.set(instance.id, {
				...next,
				isBegun,
				file: before.file ?? file,
				sign,
				evidence: sign !== undefined && before.sign !== undefined ? sign : undefined,
			});
		},
		says: (instance, lease) => recent(instance, lease)?.evidence,
		isRead: (instance, lease) => recent(instance, lease) !== undefined,
	} satisfies DoneWatch & {readonly note: unknown};
}

const keyOf = ({start_date: start}: Instance, lease: Lease) => `${leaseKey(lease)} ${start}`;

const unseen = (key: string): Progress => ({
	key,
	since: Infinity,
	readAt: Number.NEGATIVE_INFINITY,
	lines: [],
	other: [],
	isBegun: false,
	file: undefined,
	sign: undefined,
	evidence: undefined,
});

type Lines = Pick<Progress, 'lines' | 'other'> & {readonly fresh: readonly string[]};

/** Lines that are new for certain; the lines of before stay where a look shows none of them. */
function linesAfter({lines, other}: Progress, now: readonly string[]): Lines {
	if (lines.length === 0) return {lines: now, other: [], fresh: []};
	const fresh = linesSince(lines, now, LEAST_COMMON);
	if (fresh !== undefined) return {lines: now, other: [], fresh};
	// A log that began anew goes on from there.
	const anew = other.length === 0 ? undefined : linesSince(other, now, LEAST_COMMON);
	if (anew === undefined) return {lines, other: now, fresh: []};
	return {lines: now, other: [], fresh: anew};
}

type Look = LogLook & {
	readonly fresh: readonly string[];
	readonly isBegun: boolean;
	readonly before: Progress;
	readonly file: string | undefined;
};

const isRunDone = ({isBegun, verdict}: Look) => isBegun && verdict === 'DONE';

const hasStep = (step: number, {isBegun, training}: Look) =>
	isBegun && (training.step ?? 0) >= step;

function hasLine(text: string, {fresh, before, lines}: Look): boolean {
	const has = (line: string) => line.includes(text);
	return fresh.some(has) || (before.sign !== undefined && lines.some(has));
}

const isFileNew = ({before, file}: Look) =>
	before.file !== undefined && file !== '' && file !== before.file;

/** What a look shows, in a few words; undefined where the work goes on. */
function signOf(when: WhenDone, look: Look): string | undefined {
	switch (when.kind) {
		case 'run':
			return isRunDone(look) ? 'its run is DONE' : undefined;
		case 'step':
			return hasStep(when.step, look) ? `its run has made step ${when.step}` : undefined;
		case 'line':
			return hasLine(when.text, look) ? `its log says "${words(when.text)}"` : undefined;
		case 'file':
			return isFileNew(look) ? `${words(when.text)} is there` : undefined;
	}
}

const words = (text: string) => printable(text).slice(0, LONGEST_WORDS);

/** When a file in an instance was changed; empty where there is none, undefined where unknown. */
async function changeOf(
	inside: RunInside | undefined,
	instance: Instance,
	path: string,
): Promise<string | undefined> {
	const script = `f=${quoted(path)};[ -e "$f" ]&&echo at=$(date -r "$f" +%s)||echo none\n`;
	const said = await inside?.(instance, script, PATIENCE_MS);
	const at = /^at=(\d{0,15})$/m.exec(said ?? '')?.[1];
	if (at !== undefined) return `at ${at}`;
	return /^none$/m.test(said ?? '') ? '' : undefined;
}
