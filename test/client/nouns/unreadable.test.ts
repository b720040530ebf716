import {expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import type {Unreadable} from '../../../source/contract/grammar/unreadable.ts';
import {openTestClient, openToldService, saying} from '../../helpers/services/told-service.ts';

type Read = Promise<{readonly unreadable: Unreadable}>;

const range = {from: 0, until: 1};
const item = {id: 1, hash_id: 'h', amount: 1};

/** Every list of the client, and the reply that has it. */
const lists: ReadonlyArray<
	readonly [name: string, list: (client: Client) => Read, reply: (list: unknown) => unknown]
> = [
	['offers', async client => client.offers.search(), offers => ({offers})],
	['templates', async client => client.templates.search(), templates => ({templates})],
	['volumes', async client => client.volumes.list(), volumes => ({volumes})],
	['room for volumes', async client => client.volumes.search(), offers => ({offers})],
	['SSH keys', async client => client.sshKeys.list(), keys => keys],
	['API keys', async client => client.apiKeys.list(), apikeys => ({apikeys})],
	['keys of an instance', async client => client.instances.sshKeys(1), keys => ({ssh_keys: keys})],
	['charges', async client => client.billing.charges(range), results => ({results})],
	['invoices', async client => client.billing.invoices(range), results => ({results})],
	[
		'the ledger',
		async client => client.billing.userInvoices('me', {range, withCharges: true}),
		invoices => ({invoices, current: {}}),
	],
	[
		'contracts',
		async client => client.billing.contracts({label: undefined, ids: undefined}),
		contracts => ({contracts}),
	],
];

test.each(lists)(
	'%s: what cannot be read is counted, and the rest arrives',
	async (_, list, reply) => {
		const sent = reply([item, null, 7, 'seven', [item], {...item, id: 2}]);
		await using service = await openToldService(saying(sent));
		await using client = openTestClient({url: service.url, key: 'k', paceScale: 0});
		const {unreadable, ...rest} = await list(client);
		expect(Object.values(rest)).toContainEqual([
			expect.objectContaining({id: 1}),
			expect.objectContaining({id: 2}),
		]);
		expect(unreadable).toEqual({
			count: 4,
			of: 6,
			first: [
				{index: 1, name: undefined, why: 'it is null'},
				{index: 2, name: undefined, why: 'it is 7'},
				{index: 3, name: undefined, why: 'it is text'},
				{index: 4, name: undefined, why: 'it is a list'},
			],
		});
	},
);

test.each(lists)(
	'%s: a list that is empty has nothing that could not be read',
	async (_, list, reply) => {
		await using service = await openToldService(saying(reply([])));
		await using client = openTestClient({url: service.url, key: 'k', paceScale: 0});
		expect((await list(client)).unreadable).toEqual({count: 0, of: 0, first: []});
	},
);
