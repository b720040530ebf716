/** A search of benchmarks as the database runs it. */
import {sql, type RawBuilder} from 'kysely';
import {
	searchableBenchmarks,
	type BenchmarkField,
	type BenchmarkSearch,
} from '../../contract/nouns/benchmarks.ts';
import {comparedSql, conditionsSql, orderSql} from '../database/search-sql.ts';

export function benchmarkQuery({filter, order}: BenchmarkSearch): {
	readonly where: ReadonlyArray<RawBuilder<unknown>>;
	readonly orderBy: ReadonlyArray<RawBuilder<unknown>>;
} {
	return {
		where: conditionsSql(filter, {types: searchableBenchmarks.fields, sqlOf}),
		orderBy: orderSql(order, sqlOf, sql`id desc`),
	};
}

/** Names of GPUs are compared by the form of them that offers have. */
function sqlOf(field: BenchmarkField): RawBuilder<unknown> {
	return field === 'gpu_name'
		? sql.raw('gpu_key')
		: comparedSql(searchableBenchmarks.fields[field], field);
}
