/** View of a comparison: its columns and rows, the job that is being edited, and the fallback order. */
import type {Job} from '../../../contract/nouns/offer-cost.ts';
import {formatLineEdit, editLine, newLineEdit, type LineEdit} from '../../ui/line-edit.ts';
import type {Key} from '../../terminal/input/keys.ts';
import type {Theme} from '../../ui/theme.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {keptByStackEntry} from '../../services/router.ts';
import {createStore} from '../../../renter/state/store.ts';
import type {Compared} from './compare.ts';

export type CompareState = {
	/** The offers whose columns were dropped. */
	readonly dropped: readonly number[];
	/** The offer whose column is picked; undefined for the first. */
	readonly pickedId: number | undefined;
	/** Rows in which the offers do not differ are hidden. */
	readonly isOnlyDifferences: boolean;
	/** Rows scrolled away. */
	readonly top: number;
	/** Offers whose inclusion in the fallback order the user has reversed. */
	readonly reversed: readonly number[];
	/** The offers as they were when their prices were first read, or read again by hand. */
	readonly firstRead: ReadonlyMap<number, Offer>;
	readonly edit: JobEdit | undefined;
};

export const wholeComparison: CompareState = {
	dropped: [],
	pickedId: undefined,
	isOnlyDifferences: false,
	top: 0,
	reversed: [],
	firstRead: new Map(),
	edit: undefined,
};

export const comparisonAt = keptByStackEntry(() => createStore(wholeComparison));

/** Index of the picked offer among the shown ones. */
export function pickedOf({pickedId}: CompareState, ids: readonly number[]): number {
	return pickedId === undefined ? 0 : Math.max(0, ids.indexOf(pickedId));
}

export function pickColumn(
	state: CompareState,
	ids: readonly number[],
	step: 1 | -1,
): CompareState {
	const at = pickedOf(state, ids) + step;
	return {...state, pickedId: ids[Math.max(0, Math.min(at, ids.length - 1))]};
}

/** Removes the picked column, and picks the next one, or the last. */
export function dropColumn(state: CompareState, ids: readonly number[]): CompareState {
	const at = pickedOf(state, ids);
	const id = ids[at];
	if (id === undefined) return state;
	const left = ids.filter(other => other !== id);
	const pickedId = left[Math.min(at, left.length - 1)];
	return {...state, dropped: [...state.dropped, id], pickedId};
}

/** Keeps the picked offer out of the fallback order, or puts it back. */
export function toggleFallback(state: CompareState, ids: readonly number[]): CompareState {
	const id = ids[pickedOf(state, ids)];
	if (id === undefined) return state;
	const others = state.reversed.filter(other => other !== id);
	const isReversed = others.length < state.reversed.length;
	return {...state, reversed: isReversed ? others : [...others, id]};
}

/** Scrolls within the rows, of which `hidden` do not fit. */
export function scrollRows(state: CompareState, by: number, hidden: number): CompareState {
	const top = Math.max(0, Math.min(Math.min(state.top, hidden) + by, hidden));
	return top === state.top ? state : {...state, top};
}

export function toggleDifferences(state: CompareState): CompareState {
	return {...state, isOnlyDifferences: !state.isOnlyDifferences, top: 0};
}

type Candidate = Omit<Compared, 'turn'>;

/** Gives each offer its turn, the cheapest job first. Offers that are gone or left out have none. */
export function withTurns(
	offers: readonly Candidate[],
	reversed: readonly number[],
): readonly Compared[] {
	const order = offers
		.filter(candidate => !candidate.isGone && isTried(candidate, reversed))
		.toSorted((a, b) => costOfJob(a) - costOfJob(b))
		.map(({offer}) => offer.id);
	return offers.map(candidate => {
		const at = order.indexOf(candidate.offer.id);
		return {...candidate, turn: at < 0 ? undefined : at + 1};
	});
}

/** A host on which a boot of the user's never ended is kept out, unless they want it otherwise. */
function isTried(candidate: Candidate, reversed: readonly number[]): boolean {
	const isTrusted = (candidate.host?.stuck.length ?? 0) === 0;
	return isTrusted !== reversed.includes(candidate.offer.id);
}

/** Cost of the job; unknown costs come last. */
export function costOfJob({cost}: Candidate): number {
	return cost.job ?? Number.POSITIVE_INFINITY;
}

/** The offers to try after one of them, in turn. */
export function triedAfter(offers: readonly Compared[], id: number): readonly number[] {
	return offers
		.filter(({offer, turn}) => turn !== undefined && offer.id !== id)
		.toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0))
		.map(({offer}) => offer.id);
}

export type JobEdit = {
	readonly lines: Readonly<Record<keyof Job, LineEdit>>;
	/** Index of the field that has the keyboard. */
	readonly at: number;
	/** Typed values that are valid; the rest is unchanged. */
	readonly job: Partial<Job>;
	readonly problem: string | undefined;
};

type Field = {
	readonly key: keyof Job;
	readonly title: string;
	readonly unit: string;
	readonly least: number;
	readonly most: number;
};

const fields: readonly Field[] = [
	{key: 'hours', title: 'hours', unit: '', least: 1, most: 100_000},
	{key: 'diskGb', title: 'disk', unit: 'GB', least: 8, most: 1_000_000},
	{key: 'inGbPerHour', title: 'in', unit: 'GB/h', least: 0, most: 1_000_000},
	{key: 'outGbPerHour', title: 'out', unit: 'GB/h', least: 0, most: 1_000_000},
];

const FIELD_WIDTH = 7;

export function editJob(job: Job): JobEdit {
	const lineFor = (key: keyof Job) => newLineEdit(String(job[key]));
	return {
		lines: {
			hours: lineFor('hours'),
			diskGb: lineFor('diskGb'),
			inGbPerHour: lineFor('inGbPerHour'),
			outGbPerHour: lineFor('outGbPerHour'),
		},
		at: 0,
		job: {},
		problem: undefined,
	};
}

export function nextField(edit: JobEdit, step: 1 | -1): JobEdit {
	return {...edit, at: (edit.at + step + fields.length) % fields.length};
}

/** Edit after a key in the present field; undefined for keys that edit nothing. */
export function typeInJob(edit: JobEdit, key: Key): JobEdit | undefined {
	const field = fields[edit.at];
	const line = field === undefined ? undefined : editLine(edit.lines[field.key], key);
	if (field === undefined || line === undefined) return undefined;
	return read({...edit, lines: {...edit.lines, [field.key]: line}});
}

function read(edit: JobEdit): JobEdit {
	const job: Partial<Record<keyof Job, number>> = {};
	let problem: string | undefined;
	for (const {key, title, unit, least, most} of fields) {
		const text = edit.lines[key].text.trim();
		const value = /^\d+(\.\d*)?$|^\.\d+$/.test(text) ? Number(text) : Number.NaN;
		if (value >= least && value <= most) job[key] = value;
		else
			problem ??= `${title}: expected a number${unit === '' ? '' : ` of ${unit}`}, at least ${least}`;
	}
	return {...edit, job, problem};
}

/** Width of all fields side by side. */
const LINE_WIDTH = 76;

/** The fields as a line, the one that has the keyboard with its cursor; alone if not all fit. */
export function drawJobEdit(theme: Theme, {lines, at}: JobEdit, width: number): string {
	const written = fields.map(({key, title, unit}, index) => {
		const hasFocus = index === at;
		const line = formatLineEdit(theme, lines[key], {width: FIELD_WIDTH, hasFocus});
		return `${hasFocus ? theme.style('key', title) : title} [${line}]${unit === '' ? '' : ` ${unit}`}`;
	});
	return width < LINE_WIDTH ? (written[at] ?? '') : written.join('  ');
}

/** The present job; while it is edited, with the valid inputs. */
export function jobWithEdits({edit}: CompareState, job: Job): Job {
	return edit === undefined ? job : {...job, ...edit.job};
}
