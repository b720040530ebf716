/** Conditions and orders of searches as SQL; `contract/grammar/filter-match.ts` is their twin. */
import {sql, type RawBuilder} from 'kysely';
import {isCountry, normal} from '../../contract/grammar/filter-match.ts';
import {
	MOST_VALUES,
	type Condition,
	type FieldType,
	type Filter,
	type Scalar,
} from '../../contract/grammar/filter.ts';
import {Refusal} from '../base/refusal.ts';
import type {Arithmetic} from '../offers/table-rules.ts';

type Sql = RawBuilder<unknown>;

type SearchedFields<Field extends string> = {
	readonly types: Readonly<Record<Field, FieldType>>;
	/** A field's value in its compared form. */
	readonly sqlOf: (field: Field) => Sql;
	/** The country of a location, for searches by location. */
	readonly country?: Sql;
};

export function conditionsSql<Field extends string>(
	filter: Filter<Field>,
	fields: SearchedFields<Field>,
): readonly Sql[] {
	refuseManyValues(filter);
	return filter.map(condition => conditionSql(condition, fields));
}

/** @throws Refusal for a filter with too many values */
export function refuseManyValues(filter: Filter): void {
	const values = filter.flatMap(({value}) => value);
	if (values.length > MOST_VALUES) {
		throw new Refusal('badRequest', `a search takes at most ${MOST_VALUES} values`);
	}
}

function conditionSql<Field extends string>(
	condition: Condition<Field>,
	fields: SearchedFields<Field>,
): Sql {
	const {field} = condition;
	switch (condition.operator) {
		case 'eq':
			return isOneOf(field, [condition.value], fields);
		case 'neq':
			return isNoneOf(field, [condition.value], fields);
		case 'in':
			return isOneOf(field, condition.value, fields);
		case 'notin':
			return isNoneOf(field, condition.value, fields);
		case 'lt':
		case 'lte':
		case 'gt':
		case 'gte': {
			const value = normal(fields.types[field], condition.value);
			return sql`${fields.sqlOf(field)} ${signs[condition.operator]} ${value}`;
		}
	}
}

const signs = {lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=`};

function isOneOf<Field extends string>(
	field: Field,
	values: readonly Scalar[],
	fields: SearchedFields<Field>,
): Sql {
	const {groups, hasNull} = grouped(field, values, fields);
	const tests = groups.flatMap(({found, wanted}) => {
		if (fields.types[field] === 'numbers') return wanted.map(number => holdsSql(found, number));
		return wanted.length === 1
			? sql`${found} = ${wanted[0]}`
			: sql`${found} in (${sql.join(wanted)})`;
	});
	if (hasNull) tests.push(sql`${fields.sqlOf(field)} is null`);
	return tests.length === 0 ? sql`1 = 0` : sql`(${sql.join(tests, sql` or `)})`;
}

/** True if a list of numbers, stored as JSON, contains a number. */
function holdsSql(list: Sql, number: number | string): Sql {
	return sql`replace(replace(${list}, '[', ','), ']', ',') like ${`%,${number},%`}`;
}

/** Condition "none of these values", which null satisfies, unlike in plain SQL. */
function isNoneOf<Field extends string>(
	field: Field,
	values: readonly Scalar[],
	fields: SearchedFields<Field>,
): Sql {
	if (fields.types[field] === 'numbers') {
		return sql`not coalesce(${isOneOf(field, values, fields)}, false)`;
	}
	const {groups, hasNull} = grouped(field, values, fields);
	const tests = groups.map(({found, wanted}) =>
		wanted.length === 1
			? sql`${found} is distinct from ${wanted[0]}`
			: sql`(${found} is null or ${found} not in (${sql.join(wanted)}))`,
	);
	if (hasNull) tests.push(sql`${fields.sqlOf(field)} is not null`);
	return tests.length === 0 ? sql`1 = 1` : sql`(${sql.join(tests, sql` and `)})`;
}

type Group = {readonly found: Sql; readonly wanted: ReadonlyArray<number | string>};

/** Values grouped by comparison: two letters are a country, longer text is a location. */
function grouped<Field extends string>(
	field: Field,
	values: readonly Scalar[],
	{types, sqlOf, country = sqlOf(field)}: SearchedFields<Field>,
) {
	const type = types[field];
	const known = values.filter(value => value !== null);
	const countries = known.filter(value => type === 'place' && isCountry(String(value)));
	const others = known.filter(value => !countries.includes(value));
	const groups: readonly Group[] = [
		{found: country, wanted: comparables(type, countries)},
		{found: sqlOf(field), wanted: comparables(type, others)},
	];
	return {
		groups: groups.filter(({wanted}) => wanted.length > 0),
		hasNull: known.length < values.length,
	};
}

function comparables(type: FieldType, values: readonly Scalar[]) {
	return values.map(value => normal(type, value)).filter(value => value !== null);
}

/** The keys of an order with unknown values last; `tie` decides between equal rows. */
export function orderSql<Field extends string>(
	order: ReadonlyArray<readonly [Field, 'asc' | 'desc']>,
	sqlOf: (field: Field) => Sql,
	tie: Sql,
): readonly Sql[] {
	const keys = new Map<Field, Sql>();
	for (const [field, direction] of order) {
		// A field counts only where it is first mentioned.
		if (keys.has(field)) continue;
		const sign = direction === 'desc' ? sql`desc` : sql`asc`;
		keys.set(field, sql`${sqlOf(field)} ${sign} nulls last`);
	}
	return [...keys.values(), tie];
}

/** A column in its compared form. */
export function comparedSql(type: FieldType, column: string): Sql {
	return type === 'text' || type === 'place' ? sql`lower(${sql.raw(column)})` : sql.raw(column);
}

/** A constant in its compared form. */
export function constantSql(type: FieldType, value: Scalar): Sql {
	const isText = type === 'text' || type === 'place' || type === 'name';
	const compared = normal(type, value);
	return isText ? sql`cast(${compared} as text)` : sql`cast(${compared} as double precision)`;
}

export const sqlArithmetic: Arithmetic<Sql, string> = {
	column: name => sql.raw(name),
	dollars,
	diskHour: (micros, gb) => sql`(${dollars(micros)} * ${gb} / 720.0)`,
	sum: (one, other) => sql`(${one} + ${other})`,
	ratio: (value, by) => sql`(${value} / nullif(${by}, 0))`,
	above: (name, number) => sql`(${sql.raw(name)} - ${number})`,
	isOne(name) {
		const column = sql.raw(name);
		return sql`case when ${column} = 1 then 1 when ${column} is not null then 0 end`;
	},
	placeOf(name, texts) {
		const cases = texts.map((text, place) => sql`when ${text} then ${sql.lit(place)}`);
		return sql`case lower(${sql.raw(name)}) ${sql.join(cases, sql` `)} end`;
	},
};

function dollars(micros: string): Sql {
	return sql`(cast(${sql.raw(micros)} as double precision) / 1000000.0)`;
}
