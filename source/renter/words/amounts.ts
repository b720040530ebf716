/** Numbers with units, as they are written in a line of words. */
import {readNumber} from '../../contract/grammar/filter.ts';
import {refuse, type Unit, type WordField} from './clauses.ts';

const gigabytes = {g: 1, gb: 1, t: 1000, tb: 1000, m: 0.001, mb: 0.001};

/** Suffixes of numbers, and their factors. */
const suffixes: Readonly<Record<Unit, Readonly<Record<string, number>>>> = {
	none: {},
	memory: gigabytes,
	gigabytes,
	days: {d: 1, h: 1 / 24, w: 7},
	hours: {h: 1, m: 1 / 60, min: 1 / 60, s: 1 / 3600, d: 24, w: 168},
	megabits: {m: 1, g: 1000},
	share: {'%': 1},
	percent: {'%': 1},
	dollars: {$: 1},
};

const written = /^\$?(.*?)((?<![a-z%$])[a-z%$]*)$/i;

/** Reads a number in the unit of its field: `1t` of disk is 1000. */
export function readAmount({name, unit}: WordField, text: string): number {
	const [, digits = '', suffix = ''] = written.exec(text) ?? [];
	const isMoney = unit === 'dollars' || !text.startsWith('$');
	const amount = (readNumber(digits) ?? Number.NaN) * timesOf(unit, suffix.toLowerCase());
	if (isMoney && Number.isFinite(amount)) return amount;
	return refuse(`${name} takes a number${exampleOf(unit)}, not ${text === '' ? 'nothing' : text}`);
}

function timesOf(unit: Unit, suffix: string): number {
	if (suffix === '') return 1;
	return (Object.hasOwn(suffixes[unit], suffix) ? suffixes[unit][suffix] : undefined) ?? Number.NaN;
}

function exampleOf(unit: Unit): string {
	switch (unit) {
		case 'none':
			return '';
		case 'memory':
		case 'gigabytes':
			return ' of GB';
		case 'days':
			return ' of days';
		case 'hours':
			return ' of hours, or such as 30m or 2d';
		case 'megabits':
			return ' of Mb/s';
		case 'share':
		case 'percent':
			return ' of percent';
		case 'dollars':
			return ' of $ per hour';
	}
}
