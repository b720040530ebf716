/**
 * The last examination of each instance, on disk for lists: consoles and `rentty doctor` append
 * lines to one file, which all of them read.
 */
import {appendLine, readFileLines} from '../../client/files/line-file.ts';
import {fieldsOf, isRecord, listOf, parseJson} from '../../contract/grammar/json.ts';
import {gravity, isHealth, type Health} from '../../contract/rules/gpu-health.ts';

/**
 * Grades of an instance: as ordered, to be watched, not as ordered, and unknown after a failed
 * examination.
 */
export const grades = ['ok', 'wrn', 'bad', '?'] as const;
export type Grade = (typeof grades)[number];

export type SickGpu = {
	readonly index: number;
	readonly health: Health;
	/** The finding, in words that follow the GPU's name: partly the driver's own. */
	readonly evidence: string;
};

export type LastExamination = {
	/** Milliseconds since 1970 on this machine's clock. */
	readonly at: number;
	readonly grade: Grade;
	readonly gpus: readonly SickGpu[];
};

export function isSick({health}: SickGpu): boolean {
	return gravity(health) >= gravity('sick');
}

/** An examination in one word: the state of its worst GPU, else its other problem. */
export function healthWord({grade, gpus}: LastExamination): string {
	const [worst] = gpus.map(({health}) => health).toSorted((a, b) => gravity(b) - gravity(a));
	return worst === undefined || worst === 'healthy' ? wordOf[grade] : worst;
}

const wordOf: Readonly<Record<Grade, string>> = {
	ok: 'healthy',
	wrn: 'watch',
	bad: 'lacking',
	'?': 'unknown',
};

export type ExaminedBook = {
	/** Records an examination. Never fails. */
	readonly note: (id: number, examined: LastExamination) => Promise<void>;
	/** The last examinations, from a single read of the file. */
	readonly known: () => (id: number) => LastExamination | undefined;
};

/** Size limit, enough for some hundred examinations; the rotated file holds as many again. */
const LONGEST_BYTES = 64 * 1024;
const MOST_GPUS = 16;
const LONGEST_EVIDENCE = 160;

/** @param file undefined to store nothing on disk */
export function openExaminedBook(file: string | undefined): ExaminedBook {
	/** Examinations that could not be written, remembered until the program ends. */
	const own = new Map<number, LastExamination>();
	return {
		async note(id, {at, grade, gpus}) {
			const shown = gpus
				.slice(0, MOST_GPUS)
				.map(({evidence, ...gpu}) => ({...gpu, evidence: evidence.slice(0, LONGEST_EVIDENCE)}));
			own.set(id, {at, grade, gpus: shown});
			if (file === undefined) return;
			const line = JSON.stringify({id, at, grade, gpus: shown});
			await appendLine(file, line, LONGEST_BYTES).catch(() => undefined);
		},
		known() {
			const all = new Map(file === undefined ? [] : readBook(file));
			for (const [id, one] of own) {
				if (one.at >= (all.get(id)?.at ?? one.at)) all.set(id, one);
			}
			return id => all.get(id);
		},
	};
}

function readBook(file: string): ReadonlyArray<readonly [id: number, examined: LastExamination]> {
	try {
		return readFileLines(file).flatMap(readLine);
	} catch {
		// Without the file, no examination is known.
		return [];
	}
}

/** Parses a line; an unreadable one is skipped. */
function readLine(text: string): ReadonlyArray<readonly [id: number, examined: LastExamination]> {
	const {id, at, grade, gpus} = fieldsOf(parseJson(text));
	const known = grades.find(one => one === grade);
	if (typeof id !== 'number' || typeof at !== 'number' || known === undefined) return [];
	return [[id, {at, grade: known, gpus: listOf(gpus).slice(0, MOST_GPUS).flatMap(readGpu)}]];
}

function readGpu(value: unknown): readonly SickGpu[] {
	if (!isRecord(value)) return [];
	const {index, health, evidence} = value;
	if (typeof index !== 'number' || !isHealth(health) || typeof evidence !== 'string') return [];
	return [{index, health, evidence: evidence.slice(0, LONGEST_EVIDENCE)}];
}
