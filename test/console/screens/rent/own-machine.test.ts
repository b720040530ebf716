import {expect, test} from 'vitest';
import {openFaultProxy} from '../../../helpers/services/fault-proxy.ts';
import {dropRequest} from '../../../helpers/services/faults.ts';
import {keepHeard} from '../../../helpers/market/instances.ts';
import {openRentable} from '../../../helpers/market/rentable.ts';
import {openOn} from './open-rent.ts';

test('an own machine costs nothing in the form, before the fleet was ever seen', async () => {
	await using market = await openRentable();
	const {database} = market;
	await keepHeard(database);
	const renters = database.selectFrom('accounts').select('id').where('role', '=', 'renter');
	const {id: account_id} = await renters.executeTakeFirstOrThrow();
	await database.updateTable('machines').set({account_id}).execute();
	await using proxy = await openFaultProxy(market.url);
	proxy.next({method: 'GET', path: /\/instances\//}, dropRequest, 999);
	await using rentty = await openOn({url: proxy.url, key: market.key, clock: market.clock});
	await rentty.openForm();
	await rentty.sees('ALL-IN $0.0000/h');
	expect(proxy.requests.filter(({path}) => path.startsWith('/api/v0/machines/'))).toHaveLength(1);
});
