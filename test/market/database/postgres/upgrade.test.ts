import {CompiledQuery} from 'kysely';
import {expect, test} from 'vitest';
import {openMarket} from '../../../../source/market/open.ts';
import {openDatabase} from '../../../../source/market/database/database.ts';
import {createChangeLog} from '../../../../source/market/database/postgres/change-log.ts';
import {retryDeadlocks} from '../../../../source/market/database/postgres/open.ts';
import {holdAll} from '../../../../source/market/database/postgres/locks.ts';
import {hearMachines} from '../../../helpers/market/instances.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {noPostgres} from '../../../helpers/market/postgres-server.ts';
import {databaseOnPostgres} from '../../../helpers/market/postgres.ts';

test.skipIf(noPostgres !== undefined)(
	'a process goes on while a newer version changes the tables, and none of its own starts anew',
	async () => {
		const file = await databaseOnPostgres();
		await using market = await openTestMarket({file, offers: 60});
		const database = await openDatabase(file);
		await hearMachines(database);
		const asks = await database
			.selectFrom('offers')
			.select(({fn}) => fn.min('id').as('id'))
			.where('rentable', '=', 1)
			.where('min_bid_micros', 'is not', null)
			.groupBy('machine_id')
			.execute();
		const body = JSON.stringify({image: 'ubuntu:24.04', disk: 10});
		const rent = async (index: number) =>
			(await market.call(`/api/v0/asks/${asks[index]?.id}/`, {method: 'PUT', body})).status;
		const list = async () => (await market.call('/api/v0/instances/')).status;
		// Its statements are prepared for the tables as they are.
		expect([await rent(0), await rent(1), await list(), await list()]).toEqual(Array(4).fill(200));
		const upgrade = retryDeadlocks(async () =>
			database.transaction().execute(async transaction => {
				await holdAll(transaction);
				for (const table of ['instances', 'machines', 'accounts', 'offers', 'api_keys']) {
					const change = `alter table ${table} add column newer text`;
					await transaction.executeQuery(CompiledQuery.raw(change));
				}
				await createChangeLog(transaction);
				const count = 'update market set version = version + 1';
				await transaction.executeQuery(CompiledQuery.raw(count));
			}),
		);
		const meanwhile = [rent(2), list(), rent(3), list()];
		await upgrade;
		expect(await Promise.all(meanwhile)).toEqual(Array(4).fill(200));
		expect([await rent(4), await list()]).toEqual([200, 200]);
		const rows = await database.selectFrom('instances').select('id').execute();
		expect(rows).toHaveLength(5);
		await expect(openMarket({file})).rejects.toThrow('made by a newer version');
		await database.destroy();
	},
	60_000,
);
