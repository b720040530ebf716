/** A search of templates as the database runs it; `contract/grammar/filter-match.ts` is its twin. */
import {sql, type RawBuilder} from 'kysely';
import {
	searchableTemplates,
	type TemplateField,
	type TemplateSearch,
} from '../../contract/nouns/template-search.ts';
import {comparedSql, conditionsSql, orderSql} from '../database/search-sql.ts';

type Sql = RawBuilder<unknown>;

export type TemplateQuery = {
	/** All of these hold. */
	readonly where: readonly Sql[];
	readonly orderBy: readonly Sql[];
};

/** Condition for templates that an account finds: its own, and public ones. */
export function templateQuery(search: TemplateSearch, accountId: number): TemplateQuery {
	const seen = sql`(creator_id = ${accountId} or private = 0 or recommended = 1)`;
	return {
		where: [seen, ...conditionsSql(search.filter, {types: searchableTemplates.fields, sqlOf})],
		orderBy: orderSql(search.order, sqlOf, sql`id`),
	};
}

/** Searches name fields as the table does. */
function sqlOf(field: TemplateField): Sql {
	return comparedSql(searchableTemplates.fields[field], field);
}
