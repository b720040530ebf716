import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {waitForWork} from '../../../../source/market/hosts/take-work.ts';
import {soleAccount} from '../../../../source/market/ledger/accounts-store.ts';
import {createChanges} from '../../../../source/market/database/changes.ts';
import {DatabaseLost} from '../../../../source/market/database/database-trouble.ts';
import {openDatabase} from '../../../../source/market/database/database.ts';
import {createWorkSignal} from '../../../../source/market/base/work-signal.ts';
import {makeVolume} from '../../../helpers/market/postgres.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {createServer, noPostgres} from '../../../helpers/market/postgres-server.ts';

test.skipIf(noPostgres !== undefined)(
	'while a PostgreSQL is away calls are refused with a time to come back, and then it goes on',
	async () => {
		const folder = mkdtempSync(join(tmpdir(), 'rentty-away-'));
		const server = createServer(folder, ['fsync=off']);
		await server.start();
		const market = await openTestMarket({file: server.address('postgres')});
		const statuses = async () =>
			Promise.all(
				['/readyz', '/healthz', '/api/v0/users/current/', '/api/v0/instances/'].map(
					async path => (await market.call(path)).status,
				),
			);
		expect(await statuses()).toEqual([200, 200, 200, 200]);
		await server.stop('immediate');
		expect(await statuses()).toEqual([503, 200, 503, 503]);
		const body = JSON.stringify({name: 'k', permissions: {api: {misc: {}}}});
		const refused = await market.call('/api/v0/auth/apikeys/', {method: 'POST', body});
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
		await server.start();
		expect(await statuses()).toEqual([200, 200, 200, 200]);
		await market.close();
		await server.stop('fast');
		rmSync(folder, {recursive: true});
	},
	60_000,
);

test.skipIf(noPostgres !== undefined)(
	'a host that waits for work goes on waiting while a PostgreSQL is away, and then gets it',
	async () => {
		const folder = mkdtempSync(join(tmpdir(), 'rentty-waits-'));
		const server = createServer(folder, ['fsync=off']);
		await server.start();
		const changes = createChanges();
		const database = await openDatabase(server.address('postgres'), changes);
		const workSignal = createWorkSignal({isShared: true});
		const isBack = Promise.withResolvers<void>();
		changes.onBack(() => {
			workSignal.sendAll();
			isBack.resolve();
		});
		const {id: accountId} = await soleAccount(database, 'host', 1);
		const {signal} = new AbortController();
		const waiting = {accountId, after: 0, waitMs: 50_000, signal};
		const work = waitForWork({database, workSignal}, waiting);
		await server.stop('immediate');
		// It looks, and there is nothing to look at.
		workSignal.send(accountId);
		const refused = waitForWork({database, workSignal}, {...waiting, waitMs: 0});
		await expect(refused).rejects.toBeInstanceOf(DatabaseLost);
		await server.start();
		await isBack.promise;
		const revision = await makeVolume(database, accountId);
		workSignal.send(accountId);
		expect(await work).toMatchObject({revision, volumes: [{wanted: 'kept'}]});
		await database.destroy();
		await server.stop('fast');
		rmSync(folder, {recursive: true});
	},
	60_000,
);
