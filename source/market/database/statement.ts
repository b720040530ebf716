/** Statements that are built once and then filled in, for building takes as long as running. */
import {sql, type Compilable, type CompiledQuery, type RawBuilder} from 'kysely';
import type {Database} from './database.ts';
import type {Tables} from './schema.ts';

/** Placeholder of a value in a statement. */
class Slot {
	readonly name: string;

	constructor(name: string) {
		this.name = name;
	}
}

type SlotValues = Readonly<Record<string, string | number | null>>;

/** A moment, or its placeholder in a statement that is built once. */
export type StatementTime = number | RawBuilder<number>;

/** The moment some seconds before. */
export function before(moment: StatementTime, seconds: number): StatementTime {
	if (typeof moment === 'number') return moment - seconds;
	return sql<number>`(${moment} - ${sql.lit(seconds)})`;
}

type Statement<Values extends SlotValues, Row> = (
	database: Database,
	values: Values,
) => Promise<readonly Row[]>;

/**
 * Makes a statement, which may differ by the kind of database alone.
 *
 * @param build Gets a placeholder for each value
 */
export function statement<Values extends SlotValues, Row>(
	build: (
		database: Database,
		value: <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>,
	) => Compilable<Row>,
): Statement<Values, Row> {
	const built = new WeakMap<object, CompiledQuery<Row>>();
	return async (database, values) => {
		const {adapter} = database.getExecutor();
		const known = built.get(adapter) ?? build(database, name => sql`${new Slot(name)}`).compile();
		built.set(adapter, known);
		const parameters = known.parameters.map(parameter =>
			parameter instanceof Slot ? values[parameter.name] : parameter,
		);
		return (await database.executeQuery<Row>({...known, parameters})).rows;
	};
}

/** Makes a function that inserts a row and returns it, with a statement for each set of columns. */
export function insertion<Row>(table: keyof Tables) {
	const statements = new Map<string, Statement<SlotValues, Row>>();
	return async (database: Database, fields: Partial<SlotValues>): Promise<Row> => {
		const values = Object.fromEntries(Object.entries(fields).flatMap(present));
		const names = Object.keys(values);
		const known = statements.get(names.join());
		const insert =
			known ?? statement<SlotValues, Row>((...built) => insertOf(table, names, ...built));
		if (known === undefined) statements.set(names.join(), insert);
		const [row] = await insert(database, values);
		if (row === undefined) throw new Error(`${table} did not take a row`);
		return row;
	};
}

function present<Value>([name, value]: [string, Value | undefined]): Array<[string, Value]> {
	return value === undefined ? [] : [[name, value]];
}

function insertOf<Row>(
	table: keyof Tables,
	names: readonly string[],
	database: Database,
	value: (name: string) => RawBuilder<SlotValues[string]>,
): Compilable<Row> {
	const columns = sql.join(names.map(name => sql.ref(name)));
	const row = sql.join(names.map(value));
	const text = sql<Row>`insert into ${sql.table(table)} (${columns}) values (${row}) returning *`;
	return {compile: () => text.compile(database)};
}
