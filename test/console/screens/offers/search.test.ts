import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	anyOffers,
	printOfferSearch,
	type OfferSearch,
} from '../../../../source/contract/nouns/offer-search.ts';
import {sortRows} from '../../../../source/console/list/order.ts';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {offerColumns} from '../../../../source/console/screens/offers/columns.ts';
import {jobOf} from '../../../../source/renter/offers/job.ts';
import {isCutOff, serviceOrder} from '../../../../source/console/screens/offers/search.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {runs} from '../../../helpers/property.ts';

const columns = offerColumns(jobOf(defaultSettings));
const {diskGb} = defaultSettings;

test('the list orders as the service does, by any columns that the service can order by', async () => {
	await using market = await openTestMarket({offers: 300});
	const find = async (order: OfferSearch['order']) =>
		market.search(printOfferSearch({...anyOffers, limit: 1000, diskGb, order}));
	const byId = await find([['id', 'asc']]);
	const known = columns.filter(({ordersBy}) => ordersBy !== undefined).map(({id}) => id);
	const orders = fc.uniqueArray(
		fc.record({columnId: fc.constantFrom(...known), isReversed: fc.boolean()}),
		{minLength: 1, maxLength: 3, selector: ({columnId}) => columnId},
	);
	const property = fc.asyncProperty(orders, async order => {
		const byService = serviceOrder(order, columns);
		if (byService === undefined) throw new Error('the service is said not to know this order');
		const sent = await find([...byService, ['id', 'asc']]);
		expect(sortRows(byId, columns, order).map(({id}) => id)).toEqual(sent.map(({id}) => id));
	});
	await fc.assert(property, {numRuns: runs(60)});
});

test('an order by what is made up here is not asked of the service', () => {
	const order = [
		{columnId: 'dph_base', isReversed: false},
		{columnId: 'tier', isReversed: false},
	];
	expect(serviceOrder(order, columns)).toBeUndefined();
	expect(serviceOrder(order.slice(0, 1), columns)).toEqual([['dph_base', 'asc']]);
	const withTraffic = offerColumns(jobOf({...defaultSettings, inGbPerHour: 25}));
	const byAllIn = [{columnId: 'allIn', isReversed: false}];
	expect(serviceOrder(byAllIn, columns)).toEqual([['dph_total', 'asc']]);
	expect(serviceOrder(byAllIn, withTraffic)).toBeUndefined();
});

test('an answer is taken for a part where it could have been cut off', () => {
	const cases = [
		[0, 64, false],
		[63, 1000, false],
		[64, 1000, true],
		[87, 87, true],
		[87, 1000, false],
		[200, 10_000, true],
	] as const;
	for (const [amount, limit, isPart] of cases) {
		expect([amount, limit, isCutOff(amount, limit)]).toEqual([amount, limit, isPart]);
	}
});
