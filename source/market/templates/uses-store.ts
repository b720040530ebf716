/** Uses of templates: who rents adds a row, so that nobody waits for others who rent by the same one. */
import type {Database} from '../database/database.ts';
import {statement} from '../database/statement.ts';
import {writingOn} from '../database/writing.ts';

/** Notes that an instance was made from a template. */
export const noteUse = statement<{id: number; now: number}, unknown>((database, value) =>
	database.insertInto('template_uses').values({template_id: value('id'), at: value('now')}),
);

/** Counts the uses that were noted in the templates themselves. */
export async function countUses(database: Database): Promise<void> {
	const any = await database.selectFrom('template_uses').select('id').limit(1).executeTakeFirst();
	if (any === undefined) return;
	await writingOn(database, {}, async transaction => {
		// Whoever deletes a row counts it: of several processes, one does.
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
