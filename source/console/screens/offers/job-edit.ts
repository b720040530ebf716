/** Editing what a job needs, number by number. */
import type {Job} from '../../../contract/nouns/offer-cost.ts';
import {drawLine} from '../../ui/line-window.ts';
import {editLine, lineOf, type LineEdit} from '../../ui/line-edit.ts';
import type {Key} from '../../terminal/input/keys.ts';
import type {Theme} from '../../ui/theme.ts';

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

export type JobEdit = {
	readonly lines: Readonly<Record<keyof Job, LineEdit>>;
	/** Index of the field that has the keyboard. */
	readonly at: number;
	/** Typed values that are valid; the rest is unchanged. */
	readonly job: Partial<Job>;
	/** Problem of the typed values. */
	readonly problem: string | undefined;
};

const FIELD_WIDTH = 7;

export function editJob(job: Job): JobEdit {
	const lineFor = (key: keyof Job) => lineOf(String(job[key]));
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

/** The fields as a line, the one that has the keyboard with its cursor; alone where there is no room. */
export function drawJobEdit(theme: Theme, {lines, at}: JobEdit, width: number): string {
	const written = fields.map(({key, title, unit}, index) => {
		const hasFocus = index === at;
		const line = drawLine(theme, lines[key], {width: FIELD_WIDTH, hasFocus});
		return `${hasFocus ? theme.style('key', title) : title} [${line}]${unit === '' ? '' : ` ${unit}`}`;
	});
	return width < LINE_WIDTH ? (written[at] ?? '') : written.join('  ');
}
