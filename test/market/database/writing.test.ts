import {sql} from 'kysely';
import {expect, test} from 'vitest';
import {openDatabase} from '../../helpers/market/postgres.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {writeMoment} from '../../../source/market/database/moments.ts';
import {writing} from '../../../source/market/database/writing.ts';

async function openCounted() {
	const database = await openDatabase(':memory:');
	const names = async () => {
		const rows = await database.selectFrom('moments').select('name').orderBy('name').execute();
		return rows.map(({name}) => name).join(' ');
	};
	return {database, names, [Symbol.asyncDispose]: async () => database.destroy()};
}

async function write(database: Database, name: string): Promise<string> {
	await writeMoment(database, name, 1);
	return name;
}

test('of those who write at once, what fails is undone, and nothing else', async () => {
	await using world = await openCounted();
	const {database} = world;
	const outcomes = await Promise.allSettled([
		writing(database, async transaction => write(transaction, 'a')),
		writing(database, async transaction => {
			await write(transaction, 'b');
			throw new Error('refused');
		}),
		writing(database, async transaction => write(transaction, 'c')),
	]);
	expect(outcomes).toMatchObject([{value: 'a'}, {reason: new Error('refused')}, {value: 'c'}]);
	expect(await world.names()).toBe('a c');
});

test('whoever writes after another sees what that has written', async () => {
	await using world = await openCounted();
	const seen = Array.from({length: 40}, async (_, index) =>
		writing(world.database, async transaction => {
			const rows = await transaction.selectFrom('moments').select('name').execute();
			await write(transaction, `${index}`);
			return rows.length;
		}),
	);
	expect(await Promise.all(seen)).toEqual(seen.map((_, index) => index));
});

test('nobody is told of success where the end of the transaction fails', async () => {
	await using world = await openCounted();
	const {database} = world;
	const names = ['a', 'b', 'c'];
	const outcomes = await Promise.allSettled(
		names.map(async name =>
			writing(database, async transaction => {
				await write(transaction, name);
				// The whole transaction ends here, as where the disk is full: no savepoint is left of it.
				if (name === 'b') {
					await sql`rollback`.execute(transaction);
					throw new Error('the disk is full');
				}
			}),
		),
	);
	const reason = new Error('the disk is full');
	expect(outcomes).toEqual(names.map(() => ({status: 'rejected', reason})));
	expect(await world.names()).toBe('');
	expect(await writing(database, async transaction => write(transaction, 'd'))).toBe('d');
	expect(await world.names()).toBe('d');
});
