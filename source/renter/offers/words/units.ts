/** Numbers with units, as they are written in a line of words. */
import {readNumber, type Condition} from '../../../contract/filter.ts';
import type {OfferField} from '../../../contract/offer-search.ts';
import {refuse, type Test} from './clauses.ts';
import type {Unit, WordField} from './fields.ts';

const gigabytes = {g: 1, gb: 1, t: 1000, tb: 1000, m: 0.001, mb: 0.001};

/** What may stand behind a number, and by how much it multiplies. */
const suffixes: Readonly<Record<Unit, Readonly<Record<string, number>>>> = {
	none: {},
	memory: gigabytes,
	gigabytes,
	days: {d: 1, h: 1 / 24, w: 7},
	megabits: {m: 1, g: 1000},
	share: {'%': 1},
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
		case 'megabits':
			return ' of Mb/s';
		case 'share':
			return ' of percent';
		case 'dollars':
			return ' of $ per hour';
	}
}

const SECONDS_PER_DAY = 86_400;
const MB_AT_LEAST = 1000;
const MB_AT_MOST = 1024;

/** The number as the wire has it. */
function scaled(unit: Unit, amount: number): number {
	if (unit === 'days') return rounded(amount * SECONDS_PER_DAY);
	return unit === 'share' && amount > 1 ? rounded(amount / 100) : amount;
}

/** Without what binary fractions add: 99.9 percent is 0.999 and not a little more. */
function rounded(number: number): number {
	return Number(number.toPrecision(12));
}

type Wire = Condition<OfferField>;

/** The tests of a number on the wire. */
export function numberConditions({name, field, unit}: WordField, test: Test): readonly Wire[] {
	if (unit === 'memory') return memoryConditions(name, field, test);
	const scale = (value: unknown) => scaled(unit, Number(value));
	if ('from' in test) return between(field, scale(test.from), scale(test.to));
	if ('values' in test) return [{field, operator: test.operator, value: test.values.map(scale)}];
	return [{field, operator: test.operator, value: scale(test.value)}];
}

const least = (value: unknown) => rounded(Number(value) * MB_AT_LEAST);
const most = (value: unknown) => rounded(Number(value) * MB_AT_MOST);

/** What is sold as 24 GB has between 24,000 and 24,576 MB: all of that is 24. */
function memoryConditions(name: string, field: OfferField, test: Test): readonly Wire[] {
	switch (test.operator) {
		case 'range':
			return between(field, least(test.from), most(test.to));
		case 'eq':
			return between(field, least(test.value), most(test.value));
		case 'gte':
		case 'lt':
			return [{field, operator: test.operator, value: least(test.value)}];
		case 'lte':
		case 'gt':
			return [{field, operator: test.operator, value: most(test.value)}];
		case 'neq':
		case 'in':
		case 'notin':
			return refuse(`${name} takes one size or a range, such as ${name}>=24 or ${name}=16..24`);
	}
}

function between(field: OfferField, from: number, to: number): readonly Wire[] {
	return [
		{field, operator: 'gte', value: from},
		{field, operator: 'lte', value: to},
	];
}
