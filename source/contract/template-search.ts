/** Searching for templates: a filter, an order and the fields wanted, as texts of a query. */
import type {Order} from './filter-match.ts';
import {FilterError, parseFilter, printFilter} from './filter.ts';
import type {Condition, Fields, Filter, ListOperator} from './filter.ts';
import {isRecord} from './json.ts';
import {printOrder, readColumns, readJson, readOrder} from './query-parts.ts';

/** The fields that a search of templates may name. */
export const templateFields = {
	id: 'number',
	hash_id: 'text',
	creator_id: 'number',
	name: 'text',
	image: 'text',
	tag: 'text',
	default_tag: 'text',
	docker_login_repo: 'text',
	jup_direct: 'boolean',
	ssh_direct: 'boolean',
	use_ssh: 'boolean',
	private: 'boolean',
	recommended: 'boolean',
	recommended_disk_space: 'number',
	count_created: 'number',
	created_at: 'number',
	recent_create_date: 'number',
} as const satisfies Fields;

export type TemplateField = keyof typeof templateFields;

export type TemplateSearch = {
	readonly filter: Filter<TemplateField>;
	readonly order: Order<TemplateField>;
	/** The fields wanted of each template; undefined for all. */
	readonly columns: readonly string[] | undefined;
};

/** A search that asks for nothing in particular: what the market recommends comes first. */
export const anyTemplates: TemplateSearch = {
	filter: [],
	order: [
		['recommended', 'desc'],
		['count_created', 'desc'],
	],
	columns: undefined,
};

/** Reads the query of a search. What else a query holds is passed over. */
export function parseTemplateSearch(query: Readonly<Record<string, unknown>>): TemplateSearch {
	const filters = readJson('select_filters', query['select_filters']) ?? {};
	if (!isRecord(filters)) throw new FilterError('select_filters must be a JSON object.');
	return {
		filter: parseFilter({fields: templateFields}, filters).map(publicAsFalse),
		order: readOrder(templateFields, readJson('order_by', query['order_by'])) ?? anyTemplates.order,
		columns: readColumns(readJson('select_cols', query['select_cols'])),
	};
}

/** Writes a search as the wire has it. Reading it again gives the same search. */
export function printTemplateSearch({
	filter,
	order,
	columns,
}: TemplateSearch): Record<string, string> {
	return {
		select_filters: JSON.stringify(printFilter(filter)),
		order_by: printOrder(order),
		...(columns !== undefined && {select_cols: JSON.stringify(columns)}),
	};
}

/** The official command line asks for public templates with null. */
function publicAsFalse(condition: Condition<TemplateField>): Condition<TemplateField> {
	if (condition.field !== 'private') return condition;
	if (isOfList(condition)) {
		return {...condition, value: condition.value.map(value => value ?? false)};
	}
	return {...condition, value: condition.value ?? false};
}

type OfList = Extract<Condition<TemplateField>, {readonly operator: ListOperator}>;

function isOfList(condition: Condition<TemplateField>): condition is OfList {
	return condition.operator === 'in' || condition.operator === 'notin';
}
