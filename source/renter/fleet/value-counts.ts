/** Counts and costs of each value of a field among instances, and the words that find them. */
import {countryOf} from '../../contract/grammar/filter-match.ts';
import {printable} from '../text/text-width.ts';
import {testOf} from '../words/tests.ts';
import type {FleetRow} from './fleet-state.ts';
import {groupRows, type FleetGroup} from './groups.ts';
import {fieldOf, stateWords, valueOf, type FleetField} from './query-fields.ts';
import {gpusIn, printFleetQuery} from './query.ts';

/** Fields whose values are counted, in the order in which they are gone through. */
export const countedFields = [
	'state',
	'gpu',
	'qty',
	'label',
	'host',
	'machine',
	'image',
	'template',
	'loc',
	'disk',
	'price',
	'cost',
	'util',
	'age',
	'for',
	'idle',
	'ends',
	'ssh',
	'bid',
	'lease',
] as const satisfies readonly FleetField[];

export type CountedField = (typeof countedFields)[number];

export type ValueCount = FleetGroup & {
	/** The query that finds them; undefined where none does. */
	readonly words: string | undefined;
};

const hours = ['1h', '6h', '1d', '7d'];
const dollars = ['0.1', '0.25', '0.5', '1', '2', '5', '10', '100', '1000'];

/** Bounds of the ranges that continuous fields are counted in. */
const cuts: Readonly<Partial<Record<CountedField, readonly string[]>>> = {
	price: dollars,
	cost: dollars,
	util: ['1', '25', '50', '75', '100'],
	age: hours,
	for: hours,
	idle: ['5m', '30m', ...hours],
	ends: hours,
};

const lengths: Readonly<Record<string, number>> = {m: 1 / 60, h: 1, d: 24};

function numberAt(cut: string): number {
	return Number.parseFloat(cut) * (lengths[cut.at(-1) ?? ''] ?? 1);
}

type Value = {readonly key: string; readonly words: string | undefined};

const none: Value = {key: '', words: undefined};

/** The values of a field, the most frequent first. */
export function countValues(rows: readonly FleetRow[], field: CountedField): readonly ValueCount[] {
	const gpus = gpusIn(rows);
	const values = new Map(rows.map(row => [row, readValue(row, field, gpus)]));
	const words = new Map(Array.from(values.values(), value => [value.key, value.words]));
	return groupRows(rows, row => values.get(row)?.key ?? '')
		.map(group => ({...group, words: words.get(group.key)}))
		.toSorted((a, b) => b.rows.length - a.rows.length);
}

function readValue(row: FleetRow, field: CountedField, gpus: readonly string[]): Value {
	if (field === 'state') return stateOf(row);
	const value = valueOf(row, field) ?? '';
	if (value === '') return none;
	const fieldCuts = cuts[field];
	if (fieldCuts !== undefined && typeof value === 'number') return between(fieldCuts, value, field);
	if (field === 'loc')
		return argumentsFor(field, countryOf(String(value))?.toUpperCase() ?? '', gpus);
	if (typeof value !== 'boolean') return argumentsFor(field, value, gpus);
	return {key: value ? 'yes' : 'no', words: `${value ? '' : '!'}${field}`};
}

function argumentsFor(field: CountedField, value: string | number, gpus: readonly string[]): Value {
	const text = String(value);
	if (text === '') return none;
	const key = printable(text);
	// What is not written as it was sent cannot be asked for as it is written.
	if (key !== text || text.includes('"')) return {key, words: undefined};
	const test =
		typeof value === 'number'
			? ({operator: 'eq', value} as const)
			: testOf('eq', [text], fieldOf(field).type === 'name' ? 'gpu' : field);
	return {key, words: printFleetQuery([{kind: 'test', field: fieldOf(field), test}], gpus)};
}

/**
 * The state's words; plain `running` would also find idle ones and those that cannot be entered.
 */
function stateOf({condition}: FleetRow): Value {
	if (condition === 'running') return {key: condition, words: 'running !idle !no-ssh'};
	const word = condition === 'noSsh' ? 'no-ssh' : condition;
	return {key: word, words: stateWords.includes(word) ? word : `state=${word}`};
}

function between(marks: readonly string[], value: number, field: CountedField): Value {
	const at = marks.findIndex(mark => value < numberAt(mark));
	const [low, high] = at === -1 ? [marks.at(-1), undefined] : [marks[at - 1], marks[at]];
	const from = low === undefined ? [] : [`${field}>=${low}`];
	const until = high === undefined ? [] : [`${field}<${high}`];
	const unit = fieldOf(field).unit;
	const write = (mark: string) =>
		unit === 'dollars' ? `$${mark}` : unit === 'percent' ? `${mark}%` : mark;
	const key =
		low === undefined
			? `under ${write(high ?? '')}`
			: high === undefined
				? `${write(low)} and more`
				: `${write(low)} to ${write(high)}`;
	return {key, words: [...from, ...until].join(' ')};
}
