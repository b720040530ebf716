/** Benchmarks, measured by the tests of machines. */
import * as z from 'zod/mini';
import {bareList} from '../grammar/list-reply.ts';
import {dependentBody, tolerant} from '../grammar/tolerant.ts';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals} from '../grammar/errors.ts';
import {FilterError, parseFilter, printFilter, type Filter} from '../grammar/filter.ts';
import type {Order} from '../grammar/filter-match.ts';
import {
	given,
	printSearchOrder,
	readLimit,
	readSearchQuery,
	type Searchable,
} from '../grammar/search.ts';
import {amount, figure, id, instant} from '../grammar/values.ts';

const fields = {
	id: 'number',
	contract_id: 'number',
	machine_id: 'number',
	gpu_name: 'name',
	num_gpus: 'number',
	image: 'text',
	launch_args: 'text',
	last_update: 'number',
	template_hash: 'text',
	template_id: 'number',
	type: 'text',
	value: 'number',
	model: 'text',
} as const;

export type BenchmarkField = keyof typeof fields;

/** Older names of these fields. */
const aliases = {name: {field: 'template_hash'}, score: {field: 'value'}} as const;

export const searchableBenchmarks = {
	fields,
	orderFields: fields,
	aliases,
	order: [['last_update', 'desc']],
	page: undefined,
} as const satisfies Searchable<typeof fields>;

const MOST_BENCHMARKS = 1000;

export type BenchmarkSearch = {
	readonly filter: Filter<BenchmarkField>;
	readonly order: Order<BenchmarkField>;
	/** The requested fields of each benchmark; undefined for all. */
	readonly columns: readonly string[] | undefined;
	readonly limit: number;
};

function parseBenchmarkSearch(query: Readonly<Record<string, unknown>>): BenchmarkSearch {
	const {
		filter,
		order = searchableBenchmarks.order,
		columns,
	} = readSearchQuery(searchableBenchmarks, query);
	const {limit} = query;
	const isAny = limit === undefined || limit === null || limit === 'null' || limit === '';
	return {
		filter: [...filter, ...(given(query['query'], readWords) ?? [])],
		order,
		columns,
		limit: Math.min(isAny ? MOST_BENCHMARKS : readLimit(limit), MOST_BENCHMARKS),
	};
}

const signs: ReadonlyMap<string, string> = new Map([
	['=', 'eq'],
	['==', 'eq'],
	['!=', 'neq'],
	['>', 'gt'],
	['>=', 'gte'],
	['<', 'lt'],
	['<=', 'lte'],
]);

const LONGEST_WORDS = 1000;

/** Older form: `score>1000 gpu_name="RTX 4090"`. */
function readWords(text: unknown): Filter<BenchmarkField> {
	if (typeof text !== 'string' || text.length > LONGEST_WORDS) {
		throw new FilterError(`query takes at most ${LONGEST_WORDS} characters`);
	}
	const part = /\s*(\w+)\s*([=!<>]{1,2})\s*(?:"([^"]*)"|([^\s"]+))/y;
	const found: Array<Filter<BenchmarkField>> = [];
	const end = text.trimEnd().length;
	for (let at = 0; at < end; at = part.lastIndex) {
		const [, name = '', sign = '', quoted, plain = ''] = part.exec(text) ?? [];
		const operator = signs.get(sign);
		if (operator === undefined) {
			throw new FilterError('query takes parts such as score>1000, with spaces between them');
		}
		found.push(parseFilter(searchableBenchmarks, {[name]: {[operator]: quoted ?? plain}}));
	}
	return found.flat();
}

function printBenchmarkSearch({filter, order, columns, limit}: BenchmarkSearch) {
	return {
		select_filters: JSON.stringify(printFilter(filter)),
		order_by: printSearchOrder(order),
		...(columns !== undefined && {select_cols: JSON.stringify(columns)}),
		limit: String(limit),
	};
}

const search = dependentBody<BenchmarkSearch>({
	throws: [FilterError],
	read: parseBenchmarkSearch,
	write: printBenchmarkSearch,
	takes: {
		select_filters: z.optional(z.string()),
		select_cols: z.optional(z.string()),
		order_by: z.optional(z.string()),
		limit: z.optional(z.string()),
		query: z.optional(z.string()),
	},
});

const benchmark = tolerant(
	{},
	{
		id,
		contract_id: id,
		machine_id: id,
		gpu_name: z.string(),
		num_gpus: amount,
		image: z.string(),
		launch_args: z.string(),
		last_update: instant,
		template_hash: z.string(),
		template_id: id,
		/** Name of the measure: perf in TFLOPS, disk in MB/s, memory in GB/s, inet_up and inet_down in Mb/s. */
		type: z.string(),
		value: figure,
		name: z.string(),
		score: figure,
		model: z.string(),
	},
);

export const benchmarks = endpoint({
	method: 'GET',
	path: '/api/v0/benchmarks/',
	summary: 'List what the tests of machines measured, the newest first',
	query: search,
	same: {'query.filter': 'benchmarks'},
	replies: {200: bareList('benchmarks', benchmark), ...commonRefusals},
	permission: 'misc',
	thresholdSeconds: 3,
	unfit: 'badRequest',
});
