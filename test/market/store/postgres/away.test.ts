import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openTestMarket} from '../../../helpers/market.ts';
import {createServer, noPostgres} from '../../../helpers/postgres-server.ts';

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
