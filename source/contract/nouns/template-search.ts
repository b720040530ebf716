/** Searching for templates: a filter, an order and the requested fields, as texts of a query. */
import {
	printFilter,
	type Condition,
	type Fields,
	type Filter,
	type ListOperator,
} from '../grammar/filter.ts';
import type {Order} from '../grammar/filter-match.ts';
import {printSearchOrder, readSearchQuery, type Searchable} from '../grammar/search.ts';

const templateFields = {
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

/** Recommended ones come first, all on one page. */
export const searchableTemplates = {
	fields: templateFields,
	orderFields: templateFields,
	order: [
		['recommended', 'desc'],
		['count_created', 'desc'],
	],
	page: undefined,
} as const satisfies Searchable<typeof templateFields>;

export type TemplateField = keyof typeof templateFields;

export type TemplateSearch = {
	readonly filter: Filter<TemplateField>;
	readonly order: Order<TemplateField>;
	/** The requested fields of each template; undefined for all. */
	readonly columns: readonly string[] | undefined;
};

export const anyTemplates: TemplateSearch = {
	filter: [],
	order: searchableTemplates.order,
	columns: undefined,
};

/** Unknown parameters are ignored. */
export function parseTemplateSearch(query: Readonly<Record<string, unknown>>): TemplateSearch {
	const {
		filter,
		order = searchableTemplates.order,
		columns,
	} = readSearchQuery(searchableTemplates, query);
	return {filter: filter.map(publicAsFalse), order, columns};
}

/** Writes a search for the wire. Reading it again yields the same search. */
export function printTemplateSearch({
	filter,
	order,
	columns,
}: TemplateSearch): Record<string, string> {
	return {
		select_filters: JSON.stringify(printFilter(filter)),
		order_by: printSearchOrder(order),
		...(columns !== undefined && {select_cols: JSON.stringify(columns)}),
	};
}

/** Converts null to false: the official command line requests public templates with null. */
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
