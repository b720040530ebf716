import {expect, test} from 'vitest';
import {
	findTemplate,
	presentTemplate,
	readAround,
	readOffer,
} from '../../../source/renter/orders/order-requests.ts';
import {openUsedMarket} from '../../helpers/market/billing.ts';
import {amongOthers, noneReadable, openBrokenLists} from '../../helpers/services/broken-lists.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {sshKeyText} from '../../helpers/host/ssh-keys.ts';
import {openTestClient} from '../../helpers/services/told-service.ts';

const nowhere = {environment: {HOME: '/nowhere'}};

test('keys and volumes of which some cannot be read are not taken for all', async () => {
	await using market = await openUsedMarket();
	await using client = openTestClient({...market, paceScale: 0});
	await client.sshKeys.create(sshKeyText(1));
	const lists = [
		['/api/v0/ssh/', undefined],
		[/^\/api\/v0\/volumes\/\?/, 'volumes'],
	] as const;
	const around = async (of: typeof client) => readAround(nowhere, of, {withVolumes: true});
	expect(await around(client)).toMatchObject({sshKeys: {length: 1}, volumes: {length: 1}});
	await using some = await openBrokenLists(market, lists, amongOthers);
	await using partly = openTestClient({...some, paceScale: 0});
	expect(await around(partly)).toMatchObject({sshKeys: {length: 1}, volumes: undefined});
	await using none = await openBrokenLists(market, lists, noneReadable);
	await using blind = openTestClient({...none, paceScale: 0});
	expect(await around(blind)).toMatchObject({sshKeys: undefined, volumes: undefined});
});

test('an offer or a template that cannot be read is not taken for one that is gone', async () => {
	await using market = await openTestMarket({offers: 3});
	await using client = openTestClient({...market, paceScale: 0});
	const [offer = expect.fail('no offer')] = (await client.offers.search()).offers;
	const [template = expect.fail('none')] = (await client.templates.search()).templates;
	const lists = [
		['/api/v0/bundles/', 'offers'],
		['/api/v0/template/', 'templates'],
	] as const;
	await using broken = await openBrokenLists(market, lists, noneReadable);
	await using blind = openTestClient({...broken, paceScale: 0});
	await expect(readOffer(blind, offer.id)).rejects.toThrow(`Could not find offer ${offer.id}: `);
	await expect(findTemplate(blind, template.hash_id)).rejects.toThrow('hash_id is missing');
	await expect(presentTemplate(blind, template)).rejects.toThrow('Could not find the template: ');
	expect(await readOffer(client, 1e9)).toBeUndefined();
	expect(await findTemplate(client, 'f'.repeat(32))).toBeUndefined();
});
