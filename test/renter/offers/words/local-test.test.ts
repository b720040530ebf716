import {expect, test} from 'vitest';
import {openClient} from '../../../../source/client/client.ts';
import {isTestable, passes} from '../../../../source/renter/offers/local-filter.ts';
import {openTestMarket} from '../../../helpers/market.ts';
import {requestOfLine} from './lines.ts';

const lines = [
	'4090',
	'!4090 us,ca',
	'x2..4 24g',
	'vram=24 any',
	'unverified',
	'dc <1',
	'!dc rel>=99',
	'all-in<0.5 eu',
	'!europe days>=30',
	'driver>=550 cuda>=12.4',
	'verification!=verified disk>500 ports>=10',
	'gpu!=RTX_5090,RTX_4090 any',
	'cpu_name="AMD Ryzen 5 3600 6-Core Processor" any',
	'static rentable=any ram>=64',
	'driver=575.57.08',
];

test.each(lines)('%s is found here as the service finds it', async line => {
	await using market = await openTestMarket({offers: 200});
	const client = openClient({url: market.url, key: market.key});
	try {
		const request = {...requestOfLine(line), limit: 1000, diskGb: 40};
		const [{offers: everything}, {offers: found}] = await Promise.all([
			client.offers.search({filter: [], limit: 1000, diskGb: 40}),
			client.offers.search(request),
		]);
		const here = everything.filter(offer => passes(request.filter, offer));
		expect(request.filter.every(({field}) => isTestable(field))).toBe(true);
		expect(new Set(here.map(({id}) => id))).toEqual(new Set(found.map(({id}) => id)));
		expect(found.length).toBeLessThan(everything.length);
	} finally {
		await client.close();
	}
});
