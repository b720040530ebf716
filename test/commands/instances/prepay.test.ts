import {expect, test} from 'vitest';
import {payAhead} from '../../../source/renter/nouns/prepaying.ts';
import {commandsOf, jsonOf} from '../../helpers/commands/commands.ts';
import {openFaultProxy} from '../../helpers/services/fault-proxy.ts';
import {dropReply, dropRequest} from '../../helpers/services/faults.ts';
import {dollarsAhead, openPrepaid} from '../../helpers/market/prepaid.ts';
import {openTestClient} from '../../helpers/services/told-service.ts';

/** A market with an instance to pay ahead, and commands of its renter. */
async function openPayable(given: Parameters<typeof openPrepaid>[0] = {}) {
	const world = await openPrepaid(given);
	const proxy = await openFaultProxy(world.url);
	const client = openTestClient({...world, url: proxy.url});
	const {id} = await world.row();
	return {
		...world,
		proxy,
		client,
		id: String(id),
		ahead: async () => dollarsAhead(await world.row()),
		payments: () =>
			proxy.requests.filter(({method, path}) => method === 'PUT' && /prepay/.test(path)),
		run: commandsOf({url: proxy.url, key: world.key, clock: world.clock}),
		answering: (answers: string) =>
			commandsOf({url: proxy.url, key: world.key, clock: world.clock}, {answers}),
		async [Symbol.asyncDispose]() {
			await client[Symbol.asyncDispose]();
			await proxy.close();
			await world[Symbol.asyncDispose]();
		},
	};
}

test('the review of a sum names it, its discount, its end and what a destroy gives back', async () => {
	await using world = await openPayable();
	const {err, code} = await world.answering('\n')('prepay', world.id, '576');
	expect(err).toMatch(/^Pay ahead for /m);
	expect(err).toMatch(/ Sum +\$576\.00 from the credit\n/);
	expect(err).toMatch(/ Discount +20\.0 % off computing and disk/);
	expect(err).toMatch(/ Lasts +until 2026-12-18 where it runs all the time/);
	expect(err).toMatch(
		/ Destroyed early +\$576\.00 comes back at once, \$212\.40 after half is used/,
	);
	expect(err).toMatch(/Pay it\? Type 576:/);
	expect(code).toBe(1);
	expect(await world.ahead()).toBe(0);
});

test('a sum is paid when it is typed, and what is left of it is shown', async () => {
	await using world = await openPayable();
	expect((await world.run('prepay', world.id)).out).toMatch(/^Nothing is paid ahead for /);
	const paid = await world.answering('576\n')('prepay', world.id, '576');
	expect(paid).toMatchObject({
		code: 0,
		out: `$576.00 is paid ahead for instance ${world.id}, at 20.0 % off.\n`,
	});
	expect(await world.ahead()).toBe(576);
	const shown = await world.run('prepay', world.id);
	expect(shown.out).toMatch(
		/^\$576\.00 is left for .* at 20\.0 % off, until about 2026-12-18; a destroy/,
	);
	expect(jsonOf(await world.run('prepay', world.id, '--json'))).toMatchObject([
		{left: 576, discount: 0.2, refundable: 576},
	]);
});

test.each([
	['before the service has heard of it', dropRequest, 0],
	['behind the payment', dropReply, 50],
] as const)(
	'a payment whose answer is lost %s is sent once, and looked for',
	async (_, fault, left) => {
		await using world = await openPayable();
		world.proxy.next({method: 'PUT', path: /prepay/}, fault, 9);
		const instance = await world.client.instances.show(Number(world.id));
		if (instance === undefined) throw new Error('there is no instance');
		const paying = {instance, sum: 50, pollsMs: [0, 0], pause: async () => undefined};
		const paid = await payAhead(world.client, paying);
		expect(paid.kind).toBe(left > 0 ? 'paid' : 'unknown');
		expect(world.payments()).toHaveLength(1);
		expect(await world.ahead()).toBe(left);
	},
);

test('a sum that was paid elsewhere during the question is not taken for one whose request was lost', async () => {
	await using world = await openPayable();
	const instance = await world.client.instances.show(Number(world.id));
	if (instance === undefined) throw new Error('there is no instance');
	await world.client.instances.prepay(instance.id, 300);
	world.proxy.next({method: 'PUT', path: /prepay/}, dropRequest, 9);
	const paying = {instance, sum: 200, pollsMs: [0, 0], pause: async () => undefined};
	expect((await payAhead(world.client, paying)).kind).toBe('unknown');
	expect(await world.ahead()).toBe(300);
});

test.each([
	[['x'], {}, 2, /A sum is a number of dollars/],
	[['0'], {}, 2, /A sum is a number of dollars/],
	[['900'], {}, 2, /longer than the rental, which ends on 2027-01-02/],
	[['10'], {most: 0}, 2, /gives no discount/],
	[['10'], {bid: 1}, 2, /rented by a bid/],
	[['10', '11'], {}, 2, /one instance, and a sum/],
] as const)(
	'paying %j for %j is refused before anything is sent',
	async (words, given, code, says) => {
		await using world = await openPayable(given);
		const ran = await world.run('prepay', world.id, ...words, '--yes');
		expect(ran).toMatchObject({code});
		expect(ran.err).toMatch(says);
		expect(world.payments()).toEqual([]);
	},
);

test('more than the credit is refused by the service, and nothing was paid', async () => {
	await using world = await openPayable({credit: 5});
	const ran = await world.run('prepay', world.id, '100', '--yes');
	expect(ran.err).toMatch(/Nothing was paid for instance \d+: .*credit/);
	expect(ran.code).not.toBe(0);
	expect(await world.ahead()).toBe(0);
});
