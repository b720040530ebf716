import {expect, test} from 'vitest';
import {openOwnHost, type HostTerms} from '../../../source/commands/host/own-host.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openHostMarket} from '../../helpers/host/hosts.ts';
import {noProcesses} from '../../helpers/host/local-host.ts';
import {HERE} from '../../helpers/market/relay.ts';

test.skipIf(noProcesses !== undefined)(
	'terms that a provider gives hold until it gives others, also over a start without any',
	async () => {
		using folder = openFolder();
		await using market = await openHostMarket();
		const offer = async (terms: HostTerms, price?: number) => {
			const host = await openOwnHost({
				url: market.url,
				key: market.hostKey,
				folder: folder.path,
				reach: {address: HERE},
				name: 'own',
				prices: {perGpuHour: price ?? 0.1, storage: 0.1},
				isPriced: price !== undefined,
				terms,
				runtime: 'process',
				endsOnClose: true,
			});
			const [found] = await market.search({
				machine_id: {eq: host.machineId},
				rentable: {},
				verified: {},
				disk_space: {},
			});
			await host.close();
			return found;
		};
		const first = {price_disk: 0.3, price_inetu: 0.01, price_inetd: 0.02, price_min_bid: 0.15};
		const said = {dph_base: 0.4, storage_cost: 0.3, inet_up_cost: 0.01, inet_down_cost: 0.02};
		expect(await offer(first, 0.4)).toMatchObject({...said, min_bid: 0.15});
		expect(await offer({})).toMatchObject({...said, min_bid: 0.15});
		expect(await offer({price_disk: 0.5})).toMatchObject({...said, storage_cost: 0.5});
	},
);
