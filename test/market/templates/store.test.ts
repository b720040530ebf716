import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {sql} from 'kysely';
import {expect, test} from 'vitest';
import {
	completeTemplate,
	type NewTemplate,
} from '../../../source/contract/nouns/template-content.ts';
import {templateText, readCanonicalContent} from '../../../source/market/templates/record-rules.ts';
import {onPostgres, openDatabase} from '../../helpers/market/postgres.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {
	insertTemplate,
	changeTemplate,
	deleteTemplate,
	findOwnTemplate,
	findSnapshot,
	findTemplates,
	countUses,
	noteTemplateUse,
} from '../../../source/market/templates/store.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';

const ME = 1;

function textOf(changes: Partial<NewTemplate>) {
	return templateText(completeTemplate({name: 'T', image: 'a/b', ...changes}), ME);
}

async function add(database: Database, changes: Partial<NewTemplate> = {}) {
	const template = {...textOf(changes), creatorId: ME, recommended: 0, now: TEST_NOW} as const;
	return (await insertTemplate(database, template)).row;
}

/** The new hash of an edit that counted. */
function hashIn(outcome: Awaited<ReturnType<typeof change>>): string {
	if (outcome !== 'gone' && 'hash' in outcome) return outcome.hash;
	return expect.fail('the edit did not count');
}

async function change(database: Database, hash: string, changes: Partial<NewTemplate>) {
	const row = await findOwnTemplate(database, {creatorId: ME, hash});
	if (row === undefined) return 'gone';
	return changeTemplate(database, row, textOf(changes));
}

test('the hash from before an edit names what the template said, until it is deleted', async () => {
	await using database = await openDisposable();
	const first = await add(database, {desc: 'one'});
	const edited = await change(database, first.hash_id, {desc: 'two'});
	const old = await findSnapshot(database, first.hash_id);
	expect(old).toMatchObject({id: first.id, hash: first.hash_id, isPublic: false});
	expect(readCanonicalContent(old?.content ?? '{}').desc).toBe('one');
	const hash = hashIn(edited);
	expect(readCanonicalContent((await findSnapshot(database, hash))?.content ?? '{}').desc).toBe(
		'two',
	);
	expect(await findSnapshot(database, 'f'.repeat(32))).toBeUndefined();
	expect(await deleteTemplate(database, {creatorId: ME, hash}, TEST_NOW)).toBe(first.id);
	expect(await findSnapshot(database, first.hash_id)).toBeUndefined();
	expect(await findSnapshot(database, hash)).toBeUndefined();
});

test('a hash names what says it now before what said it once', async () => {
	await using database = await openDisposable();
	const first = await add(database, {desc: 'one'});
	await change(database, first.hash_id, {desc: 'two'});
	const second = await add(database, {desc: 'one'});
	expect(second.id).not.toBe(first.id);
	expect(await findSnapshot(database, first.hash_id)).toMatchObject({id: second.id});
	await deleteTemplate(database, {creatorId: ME, id: second.id}, TEST_NOW);
	expect(await findSnapshot(database, first.hash_id)).toMatchObject({id: first.id});
});

test('the number of a deleted template is given to no other', async () => {
	await using database = await openDisposable();
	const first = await add(database);
	expect(await deleteTemplate(database, {creatorId: ME, id: first.id}, TEST_NOW)).toBe(first.id);
	expect(await deleteTemplate(database, {creatorId: ME, id: first.id}, TEST_NOW)).toBeUndefined();
	expect((await add(database)).id).toBeGreaterThan(first.id);
});

test('instances made from a template are counted once, whoever looks', async () => {
	using folder = openFolder();
	await using one = await openDisposable(folder.file);
	await using two = await openDisposable(folder.file);
	const {id, hash_id: hash} = await add(one);
	await add(one, {desc: 'other'});
	await noteTemplateUse(one, {id, now: TEST_NOW + 2});
	await noteTemplateUse(two, {id, now: TEST_NOW + 1});
	const counted = [countUses(one), countUses(two), countUses(one)];
	await Promise.all([...counted, noteTemplateUse(two, {id, now: TEST_NOW + 1})]);
	const query = {where: [sql`true`], orderBy: [sql`id`]};
	const found = await findTemplates(two, query, 9);
	expect(found.map(row => row.count_created)).toEqual([3, 0]);
	expect(await findOwnTemplate(one, {creatorId: ME, hash})).toMatchObject({
		count_created: 3,
		recent_create_date: TEST_NOW + 2,
	});
	expect(await one.selectFrom('template_uses').selectAll().execute()).toEqual([]);
});

test.skipIf(!onPostgres)('who rents by a template waits for nobody who does', async () => {
	await using database = await openDisposable();
	const {id} = await add(database);
	await database.transaction().execute(async transaction => {
		await noteTemplateUse(transaction, {id, now: TEST_NOW});
		// What is noted there is committed, and counted, before this ends.
		await noteTemplateUse(database, {id, now: TEST_NOW});
		await countUses(database);
		expect(await countOf(database, id)).toBe(1);
	});
	await countUses(database);
	expect(await countOf(database, id)).toBe(2);
});

async function countOf(database: Database, id: number): Promise<number | undefined> {
	const rows = database.selectFrom('templates').select('count_created').where('id', '=', id);
	return (await rows.executeTakeFirst())?.count_created;
}

test('of two edits that read one hash through two databases of one file, the first counts', async () => {
	using folder = openFolder();
	await using one = await openDisposable(folder.file);
	await using two = await openDisposable(folder.file);
	const {hash_id: hash} = await add(one);
	const own = {creatorId: ME, hash};
	const [first, second] = [await findOwnTemplate(one, own), await findOwnTemplate(two, own)];
	if (first === undefined || second === undefined) return expect.fail('not found');
	expect(await changeTemplate(two, second, textOf({desc: 'two'}))).toHaveProperty('hash');
	expect(await changeTemplate(one, first, textOf({desc: 'one'}))).toBe('gone');
	expect(await findOwnTemplate(one, own)).toBeUndefined();
});

test('an edit that was read before another is not written after it', async () => {
	await using database = await openDisposable();
	const row = await add(database);
	expect(await changeTemplate(database, row, textOf({desc: 'a'}))).toHaveProperty('hash');
	expect(await changeTemplate(database, row, textOf({desc: 'b'}))).toBe('gone');
	await add(database, {desc: 'c'});
	const same = await change(database, (await add(database, {desc: 'd'})).hash_id, {desc: 'c'});
	expect(same).toHaveProperty('sameAs');
});

async function openDisposable(file = ':memory:') {
	const database = await openDatabase(file);
	return Object.assign(database, {[Symbol.asyncDispose]: async () => database.destroy()});
}

function openFolder() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-'));
	return {
		file: join(folder, 'market.db'),
		[Symbol.dispose]: () => rmSync(folder, {recursive: true}),
	};
}
