import {expect, test} from 'vitest';
import {soleAccount} from '../../../../source/market/store/accounts.ts';
import {readMoment} from '../../../../source/market/store/moments.ts';
import {changedVolumes, nextRevision, readRevision} from '../../../../source/market/store/work.ts';
import {noPostgres} from '../../../helpers/postgres-server.ts';
import {makeVolume, openTwo} from '../../../helpers/postgres.ts';

test.skipIf(noPostgres !== undefined)(
	'new work is told to every process without anybody asking',
	{timeout: 60_000},
	async () => {
		await using world = await openTwo();
		const {one, other} = world;
		const {id} = await soleAccount(one.database, 'host', 1);
		// Before this, nothing is told one by one.
		await other.changes.catchUp();
		const {promise, resolve} = Promise.withResolvers<number>();
		other.changes.onWork(resolve);
		expect(await other.changes.leads()).toBeTypeOf('boolean');
		await makeVolume(one.database, id);
		expect(await promise).toBe(id);
	},
);

test.skipIf(noPostgres !== undefined)(
	'work that is committed after later work is not missed, and nobody who writes waits for that',
	async () => {
		await using world = await openTwo();
		const {one, other} = world;
		const {id} = await soleAccount(one.database, 'host', 1);
		const first = await makeVolume(one.database, id);
		const [drawn, go] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
		const late = one.database.transaction().execute(async transaction => {
			drawn.resolve(await nextRevision(transaction, id));
			await go.promise;
			const change = transaction.updateTable('volumes').set({revision: await drawn.promise});
			await change.where('revision', '=', first).execute();
		});
		await drawn.promise;
		const second = await makeVolume(other.database, id);
		const read = readRevision(other.database, {accountId: id, after: first});
		const ended: string[] = [];
		const both = [late.then(() => ended.push('late')), read.then(() => ended.push('read'))];
		await readMoment(other.database, 'a call that nobody holds up');
		go.resolve();
		await Promise.all(both);
		expect(ended).toEqual(['late', 'read']);
		expect(await read).toBe(second);
		const revisions = {accountId: id, share: {}, after: first, until: second, withGone: true};
		expect(await changedVolumes(other.database, revisions)).toHaveLength(2);
	},
);

test.skipIf(noPostgres !== undefined)(
	'a host that has all its work is told of no more, and one of another market of all',
	async () => {
		await using world = await openTwo();
		const {database} = world.one;
		const {id} = await soleAccount(database, 'host', 1);
		const last = await makeVolume(database, id);
		// Others' work has numbers of the same sequence.
		const {id: renter} = await soleAccount(database, 'renter', 1);
		const others = await makeVolume(database, renter);
		expect(await readRevision(database, {accountId: id, after: last})).toBe(last);
		expect(await readRevision(database, {accountId: id, after: others})).toBe(others);
		expect(await readRevision(database, {accountId: id, after: others + 1})).toBe(last);
	},
);
