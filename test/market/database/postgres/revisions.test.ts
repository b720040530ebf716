import {expect, test} from 'vitest';
import {makeUpOffers} from '../../../../source/market/seed/made-up-offers.ts';
import {soleAccount} from '../../../../source/market/ledger/accounts-store.ts';
import {readMoment} from '../../../../source/market/database/moments.ts';
import {changedVolumes, readRevision} from '../../../../source/market/hosts/store.ts';
import {nextRevision} from '../../../../source/market/database/numbering.ts';
import {askHost, copyDirectly, destroyDirectly} from '../../../helpers/host/hosts.ts';
import {rentDirectly} from '../../../helpers/market/instances.ts';
import {TEST_NOW} from '../../../helpers/market/market.ts';
import {noPostgres} from '../../../helpers/market/postgres-server.ts';
import {makeVolume, openTwo} from '../../../helpers/market/postgres.ts';

test.skipIf(noPostgres !== undefined)(
	'new work is told to every process without anybody asking',
	async () => {
		await using world = await openTwo();
		const {one, other} = world;
		const {id} = await soleAccount(one.database, 'host', 1);
		// Before this, nothing is told one by one.
		await other.changes.catchUp();
		const told: Array<PromiseWithResolvers<number>> = [];
		other.changes.onWork(account => told.at(-1)?.resolve(account));
		expect(await other.changes.leads()).toBeTypeOf('boolean');
		const {database} = one;
		await makeUpOffers(database, {offers: 1}, TEST_NOW);
		const instance = await rentDirectly(database);
		const changes = [
			async () => makeVolume(database, id),
			async () => askHost(database, instance, {kind: 'logs', tail: 1}),
			async () => copyDirectly(database, instance),
			async () => destroyDirectly(database, instance),
		];
		let last = instance.revision;
		for (const change of changes) {
			await other.changes.catchUp();
			told.push(Promise.withResolvers());
			await change();
			expect(await told.at(-1)?.promise).toBe(id);
			const revision = await readRevision(other.database, {accountId: id, after: last});
			expect(revision).toBeGreaterThan(last);
			last = revision;
		}
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
