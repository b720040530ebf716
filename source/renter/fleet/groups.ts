import {shownLabel} from '../words/lease.ts';
import type {Grouping} from '../settings/default-settings.ts';
import {printable} from '../text/text-width.ts';
import {isTrouble} from '../instance/condition.ts';
import {type FleetRow, troublesOf, type Troubles} from './fleet-state.ts';
import {countryOf} from '../../contract/grammar/filter-match.ts';
import {makeValueTest} from '../words/tests.ts';
import {findFleetWord, stateNames, readFleetField, type FleetField} from './query-fields.ts';
import {gpusIn, printFleetQuery} from './query.ts';

export type FleetGroup = {
	/** The shared value; empty if the instances have none. */
	readonly key: string;
	/** In the order in which they came. */
	readonly rows: readonly FleetRow[];
	readonly troubles: Troubles;
	/** The count of running instances, idle or not. */
	readonly running: number;
	/** Dollars an hour, of those whose price is known. */
	readonly now: number;
	readonly atMost: number;
	readonly unpriced: number;
	/** Mean use of the GPUs of those that say it, in percent. */
	readonly use: number | undefined;
};

/** A label without the part that counts: "train" of "train-a", "exp/lr3" of "exp/lr3/12". */
export function labelPrefix(label: string): string {
	const [, prefix] = /^(.*[^-_./ :#])[-_./ :#]+[^-_./ :#]+$/su.exec(label) ?? [];
	return prefix ?? (label.replace(/(?<=\D)\d+$/, '') || label);
}

/** @param service the name of the service that the instances are of */
export function groupKey({instance}: FleetRow, by: Grouping, service = ''): string {
	const values: Readonly<Record<Grouping, string | number | null | undefined>> = {
		label: labelPrefix(shownLabel(instance.label).trim()),
		gpu: instance.gpu_name,
		host: instance.host_id,
		image: instance.image_uuid,
		template: instance.template_name ?? instance.template_hash_id,
		service,
	};
	return printable(String(values[by] ?? '')).trim();
}

/** The groups of some instances: those in trouble first, then the most expensive. */
export function groupRows(
	rows: readonly FleetRow[],
	keyOf: (row: FleetRow) => string,
): readonly FleetGroup[] {
	const groups = Map.groupBy(rows, keyOf);
	return Array.from(groups, ([key, own]) => groupOf(key, own)).toSorted(byTroubleAndCost);
}

function groupOf(key: string, rows: readonly FleetRow[]): FleetGroup {
	const there = rows.filter(({condition}) => condition !== 'gone');
	const uses = there.flatMap(({instance: {gpu_util: use}}) => (typeof use === 'number' ? use : []));
	return {
		key,
		rows,
		troubles: troublesOf(rows),
		running: there.filter(({instance}) => instance.actual_status === 'running').length,
		now: sum(there.map(({rate}) => rate.now)),
		atMost: sum(there.map(({rate: {now, atMost = now}}) => atMost)),
		unpriced: there.filter(({rate}) => rate.now === undefined || rate.atMost === undefined).length,
		use: uses.length === 0 ? undefined : sum(uses) / uses.length,
	};
}

function sum(numbers: ReadonlyArray<number | undefined>): number {
	return numbers.reduce<number>((total, number = 0) => total + number, 0);
}

function byTroubleAndCost(a: FleetGroup, b: FleetGroup): number {
	return (
		Number(b.rows.some(isInTrouble)) - Number(a.rows.some(isInTrouble)) ||
		b.atMost - a.atMost ||
		(a.key < b.key ? -1 : 1)
	);
}

function isInTrouble({condition}: FleetRow): boolean {
	return isTrouble(condition);
}

/** Fields whose values are counted, in the order in which they are stepped through. */
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
	/** The query that finds them; undefined if none does. */
	readonly query: string | undefined;
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

type Value = {readonly key: string; readonly query: string | undefined};

const none: Value = {key: '', query: undefined};

/** The values of a field, the most frequent first. */
export function countValues(rows: readonly FleetRow[], field: CountedField): readonly ValueCount[] {
	const gpus = gpusIn(rows);
	const values = new Map(rows.map(row => [row, readValue(row, field, gpus)]));
	const queries = new Map(Array.from(values.values(), value => [value.key, value.query]));
	return groupRows(rows, row => values.get(row)?.key ?? '')
		.map(group => ({...group, query: queries.get(group.key)}))
		.toSorted((a, b) => b.rows.length - a.rows.length);
}

function readValue(row: FleetRow, field: CountedField, gpus: readonly string[]): Value {
	if (field === 'state') return stateOf(row);
	const value = readFleetField(row, field) ?? '';
	if (value === '') return none;
	const fieldCuts = cuts[field];
	if (fieldCuts !== undefined && typeof value === 'number') return between(fieldCuts, value, field);
	if (field === 'loc')
		return argumentsFor(field, countryOf(String(value))?.toUpperCase() ?? '', gpus);
	if (typeof value !== 'boolean') return argumentsFor(field, value, gpus);
	return {key: value ? 'yes' : 'no', query: `${value ? '' : '!'}${field}`};
}

function argumentsFor(field: CountedField, value: string | number, gpus: readonly string[]): Value {
	const text = String(value);
	if (text === '') return none;
	const key = printable(text);
	// A value that is displayed differently from the wire cannot be typed in a query.
	if (key !== text || text.includes('"')) return {key, query: undefined};
	const test =
		typeof value === 'number'
			? ({operator: 'eq', value} as const)
			: makeValueTest('eq', [text], findFleetWord(field).type === 'name' ? 'gpu' : field);
	return {key, query: printFleetQuery([{kind: 'test', field: findFleetWord(field), test}], gpus)};
}

/**
 * Words for the state; plain `running` would also match idle ones and those that cannot be entered.
 */
function stateOf({condition}: FleetRow): Value {
	if (condition === 'running') return {key: condition, query: 'running !idle !no-ssh'};
	const word = condition === 'noSsh' ? 'no-ssh' : condition;
	return {key: word, query: stateNames.includes(word) ? word : `state=${word}`};
}

function between(bounds: readonly string[], value: number, field: CountedField): Value {
	const at = bounds.findIndex(bound => value < numberAt(bound));
	const [low, high] = at === -1 ? [bounds.at(-1), undefined] : [bounds[at - 1], bounds[at]];
	const from = low === undefined ? [] : [`${field}>=${low}`];
	const until = high === undefined ? [] : [`${field}<${high}`];
	const unit = findFleetWord(field).unit;
	const write = (bound: string) =>
		unit === 'dollars' ? `$${bound}` : unit === 'percent' ? `${bound}%` : bound;
	const key =
		low === undefined
			? `under ${write(high ?? '')}`
			: high === undefined
				? `${write(low)} and more`
				: `${write(low)} to ${write(high)}`;
	return {key, query: [...from, ...until].join(' ')};
}
