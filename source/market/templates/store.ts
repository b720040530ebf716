/** Templates. A rental inserts a row of use, so that rentals do not wait for each other's locks. */
import {hash} from 'node:crypto';
import {sql, type RawBuilder, type SqlBool} from 'kysely';
import type {Database} from '../database/database.ts';
import {statement} from '../database/statement.ts';
import {writingOn, writing} from '../database/writing.ts';
import type {Flag} from '../database/instance-tables.ts';
import type {TemplateKeys, TemplateRow} from '../database/schema.ts';
import {
	searchableTemplates,
	type TemplateField,
	type TemplateSearch,
} from '../../contract/nouns/template-search.ts';
import {comparedSql, conditionsSql, orderSql} from '../database/search-sql.ts';

export const noteTemplateUse = statement<{id: number; now: number}, unknown>((database, value) =>
	database.insertInto('template_uses').values({template_id: value('id'), at: value('now')}),
);

export async function countUses(database: Database): Promise<void> {
	const any = await database.selectFrom('template_uses').select('id').limit(1).executeTakeFirst();
	if (any === undefined) return;
	await writingOn(database, {}, async transaction => {
		// Each row is counted by the process that deletes it.
		const used = await transaction
			.deleteFrom('template_uses')
			.returning(['template_id', 'at'])
			.execute();
		const byTemplate = Map.groupBy(used, use => use.template_id);
		for (const [id, uses] of [...byTemplate].toSorted(([one], [other]) => one - other)) {
			const last = uses.reduce((latest, {at}) => Math.max(latest, at), 0);
			await transaction
				.updateTable('templates')
				.set(({eb}) => ({
					count_created: eb('count_created', '+', uses.length),
					recent_create_date: eb
						.case()
						.when('recent_create_date', '>', last)
						.then(eb.ref('recent_create_date'))
						.else(last)
						.end(),
				}))
				.where('id', '=', id)
				.execute();
		}
	});
}

type Query = {
	readonly where: ReadonlyArray<RawBuilder<unknown>>;
	readonly orderBy: ReadonlyArray<RawBuilder<unknown>>;
};

/** Template content: the text of its hash, and the columns for searches. */
export type TemplateText = {readonly content: string; readonly keys: TemplateKeys};

type NewTemplate = TemplateText & {
	readonly creatorId: number;
	readonly recommended: Flag;
	readonly now: number;
};

/** Finds templates that were not deleted. */
export async function findTemplates(
	database: Database,
	{where, orderBy}: Query,
	limit: number,
): Promise<readonly TemplateRow[]> {
	await countUses(database);
	return database
		.selectFrom('templates')
		.selectAll()
		.where('deleted_at', 'is', null)
		.where(sql<SqlBool>`${sql.join(where, sql` and `)}`)
		.orderBy(sql`${sql.join(orderBy)}`)
		.limit(limit)
		.execute();
}

type AddedTemplate = {readonly row: TemplateRow; readonly isNew: boolean};

/** Inserts a template, or returns an equal one. Call it in a transaction. */
export async function insertTemplate(
	database: Database,
	{content, keys, creatorId, recommended, now}: NewTemplate,
): Promise<AddedTemplate> {
	const hashId = hashOf(content);
	const known = await selectByHash(database, hashId).executeTakeFirst();
	if (known !== undefined) return {row: known, isNew: false};
	const row = await database
		.insertInto('templates')
		.values({
			...keys,
			creator_id: creatorId,
			hash_id: hashId,
			content,
			recommended,
			created_at: now,
		})
		.returningAll()
		.executeTakeFirstOrThrow();
	return {row, isNew: true};
}

type OwnTemplate = {readonly creatorId: number; readonly hash: string};

/** The template of an account with this present hash. */
export async function findOwnTemplate(
	database: Database,
	{creatorId, hash: hashId}: OwnTemplate,
): Promise<TemplateRow | undefined> {
	return selectByHash(database, hashId).where('creator_id', '=', creatorId).executeTakeFirst();
}

/**
 * Changes a template that still has its earlier hash, and keeps the earlier version. Returns the new
 * hash, or the obstacle: the template was changed or deleted meanwhile, or another template is
 * equal.
 */
export async function changeTemplate(
	database: Database,
	was: TemplateRow,
	{content, keys}: TemplateText,
): Promise<{readonly hash: string} | 'gone' | {readonly sameAs: number}> {
	const hashId = hashOf(content);
	return writing(database, async transaction => {
		const present = await selectByHash(transaction, was.hash_id)
			.where('id', '=', was.id)
			.executeTakeFirst();
		if (present === undefined) return 'gone';
		const same = await selectByHash(transaction, hashId).executeTakeFirst();
		if (same !== undefined) return {sameAs: same.id};
		await transaction
			.insertInto('template_versions')
			.values({template_id: was.id, hash_id: was.hash_id, content: present.content})
			.onConflict(conflict => conflict.doNothing())
			.execute();
		await transaction
			.updateTable('templates')
			.set({...keys, content, hash_id: hashId})
			.where('id', '=', was.id)
			.execute();
		return {hash: hashId};
	});
}

type RemovedTemplate = {readonly creatorId: number} & (
	| {readonly id: number}
	| {readonly hash: string}
);

/** Deletes a template of an account with its versions, and returns its id. */
export async function deleteTemplate(
	database: Database,
	{creatorId, ...key}: RemovedTemplate,
	now: number,
): Promise<number | undefined> {
	return writing(database, async transaction => {
		const row = await transaction
			.updateTable('templates')
			.set({deleted_at: now, content: ''})
			.where('creator_id', '=', creatorId)
			.where('deleted_at', 'is', null)
			.where('id' in key ? 'id' : 'hash_id', '=', 'id' in key ? key.id : key.hash)
			.returning('id')
			.executeTakeFirst();
		if (row === undefined) return undefined;
		await transaction.deleteFrom('template_versions').where('template_id', '=', row.id).execute();
		return row.id;
	});
}

/** Template version that a hash names, for making an instance. */
export type TemplateSnapshot = {
	readonly id: number;
	readonly hash: string;
	/** Content of the template when it had this hash. */
	readonly content: string;
	readonly creatorId: number;
	/** True if the template is public at present. */
	readonly isPublic: boolean;
};

/** Finds the content of a hash, present or earlier, of a template that is not deleted. */
export async function findSnapshot(
	database: Database,
	hashId: string,
): Promise<TemplateSnapshot | undefined> {
	const row =
		(await selectByHash(database, hashId).executeTakeFirst()) ??
		(await database
			.selectFrom('template_versions')
			.innerJoin('templates', 'templates.id', 'template_versions.template_id')
			.selectAll('templates')
			.select('template_versions.content')
			.where('template_versions.hash_id', '=', hashId)
			.orderBy('templates.id', 'desc')
			.executeTakeFirst());
	return (
		row && {
			id: row.id,
			hash: hashId,
			content: row.content,
			creatorId: row.creator_id,
			isPublic: row.private === 0 || row.recommended === 1,
		}
	);
}

export async function findPresentSnapshot(
	database: Database,
	id: number,
): Promise<TemplateSnapshot | undefined> {
	const row = await database
		.selectFrom('templates')
		.select('hash_id')
		.where('id', '=', id)
		.where('deleted_at', 'is', null)
		.executeTakeFirst();
	return row && findSnapshot(database, row.hash_id);
}

function selectByHash(database: Database, hashId: string) {
	return database
		.selectFrom('templates')
		.selectAll()
		.where('hash_id', '=', hashId)
		.where('deleted_at', 'is', null);
}

/** Hash in 32 hexadecimal digits, the length that other services use. */
function hashOf(content: string): string {
	return hash('sha256', content).slice(0, 32);
}

type Sql = RawBuilder<unknown>;

type TemplateQuery = {
	readonly where: readonly Sql[];
	readonly orderBy: readonly Sql[];
};

/** Condition for templates that an account finds: its own, and public ones. */
export function visibleTemplateQuery(search: TemplateSearch, accountId: number): TemplateQuery {
	const seen = sql`(creator_id = ${accountId} or private = 0 or recommended = 1)`;
	return {
		where: [seen, ...conditionsSql(search.filter, {types: searchableTemplates.fields, sqlOf})],
		orderBy: orderSql(search.order, sqlOf, sql`id`),
	};
}

/** Column of a field, which has the same name. */
function sqlOf(field: TemplateField): Sql {
	return comparedSql(searchableTemplates.fields[field], field);
}
