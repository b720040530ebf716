/** Statements that are built once, and then only filled in: building one takes as long as running it. */
import {sql, type Compilable, type CompiledQuery, type RawBuilder} from 'kysely';
import type {Database} from './database.ts';

/** Stands in a statement for a value that is filled in. */
class Slot {
	readonly name: string;

	constructor(name: string) {
		this.name = name;
	}
}

type Given = Readonly<Record<string, string | number | null>>;

/** Runs a statement with its values. */
export type Statement<Values extends Given, Row> = (
	database: Database,
	values: Values,
) => Promise<readonly Row[]>;

/**
 * Makes a statement. It may differ by the kind of database alone.
 *
 * @param build Gets what stands for each value
 */
export function statement<Values extends Given, Row>(
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
