import {expect, test} from 'vitest';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {asksOf} from '../../helpers/market/accounts.ts';
import {openHostMarket, reportOf, testPublication} from '../../helpers/host/hosts.ts';
import {leaseDirectly, readInstance, rentRunning} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openReceiver} from '../../helpers/market/receiver.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

const slugs = {
	client: [
		'payment_receipt',
		'team_invitation',
		'contract_expiring',
		'disk_low',
		'disk_full',
		'gpu_idle',
	],
	host: ['listing_ending'],
};

/** A market with a machine and an instance on it, whose renter and provider have webhooks for these kinds. */
async function openTold() {
	const receiver = await openReceiver();
	const market = await openHostMarket({
		webhooks: {targets: 'any'},
		patience: {silentAfter: 1e9, lostAfter: 2e9},
	});
	const machine = await market.host.publish(testPublication());
	await market.host.heartbeat([machine.id]);
	const [renter, provider] = [market.key, market.hostKey].map(asksOf(market.call));
	if (renter === undefined || provider === undefined) throw new Error('no keys');
	const known = await renter('/notification-types/');
	for (const [ask, context] of [
		[renter, 'client'],
		[provider, 'host'],
	] as const) {
		const event_types = slugs[context].map(slug => `${context}:${slug}`);
		for (const key of event_types) expect(known.text).toContain(`"${key}"`);
		const made = await ask('/webhooks/', 'POST', {webhook_url: receiver.url, event_types});
		expect(made.status).toBe(200);
	}
	const {id} = await rentRunning(market.database, {
		ask_id: machine.asks[0]?.id ?? 0,
		label: 'train',
	});
	return {
		...market,
		id,
		machineId: machine.id,
		renter,
		provider,
		/** Reports the instance's use. */
		async use(usage: {readonly disk_util?: number; readonly gpu_util?: number}) {
			const row = await readInstance(market.database, id);
			await market.host.report([reportOf(row, {usage})]);
		},
		/** Bodies that the webhooks have got so far: kind, subject and message. */
		async told() {
			await market.deliver();
			return receiver.received.map(({body}) => {
				const {notif_type, subject, message} = isRecord(body) ? body : {};
				return [notif_type, subject, message];
			});
		},
		async [Symbol.asyncDispose]() {
			await market[Symbol.asyncDispose]();
			await receiver[Symbol.asyncDispose]();
		},
	};
}

test('a payment is told once, however often its service tells of it, and no refund', async () => {
	await using market = await openTold();
	const operator = asksOf(market.call)(await market.createOperatorKey('operator'));
	const {body} = await market.renter('/users/current/');
	const path = `/operator/accounts/${isRecord(body) ? String(body['id']) : ''}/credit/`;
	for (const reference of ['one', 'one', 'one']) {
		await operator(path, 'POST', {amount: 5, description: 'A card', reference});
	}
	await operator(path, 'POST', {amount: -2, description: 'Back'});
	expect(await market.told()).toEqual([
		['payment_receipt', '$5.00 of credit were added', 'A card. It can be spent at once.'],
	]);
});

test('an invited account is told of the team, and not of the word', async () => {
	await using market = await openTold();
	const {body} = await market.renter('/users/current/');
	const made = await market.provider('/team/', 'POST', {team_name: 'lab'});
	const key = isRecord(made.body) ? String(made.body['api_key']) : '';
	const team = asksOf(market.call)(key);
	const user_id = isRecord(body) ? body['id'] : undefined;
	const invited = await team('/team/invite/', 'POST', {user_id, role: 'member'});
	const again = await team('/team/invite/', 'POST', {user_id, role: 'member'});
	expect([invited.status, again.status]).toEqual([200, 429]);
	const [first, ...others] = await market.told();
	expect(first?.slice(0, 2)).toEqual(['team_invitation', 'The team lab invites you']);
	expect(others).toEqual([]);
	const {token} = isRecord(invited.body) ? invited.body : {};
	expect(JSON.stringify(first)).not.toContain(token);
});

test('the end of a contract is told a day before, and that of a listing a week before', async () => {
	await using market = await openTold();
	const {machineId: machine} = market;
	const ends = TEST_NOW + 9 * DAY;
	await market.provider('/machines/create_asks/', 'PUT', {machine, price_gpu: 0.5, end_date: ends});
	await market.database.updateTable('instances').set({end_date: ends}).execute();
	for (let day = 0; day < 9; day += 0.5) await market.pass(DAY / 2 - 1);
	const until = new Date(ends * 1000).toISOString();
	expect((await market.told()).map(([kind, subject]) => [kind, subject])).toEqual([
		['listing_ending', `Machine ${machine} is offered until ${until}`],
		['contract_expiring', `Instance ${market.id} (train) can be kept until ${until}`],
	]);
});

test('a disk that fills up is told when it is low and when it is full, and again after it had space', async () => {
	await using market = await openTold();
	for (const disk_util of [0.5, 0.91, 0.89, 0.95, 0.985, 0.97, 0.99, 0.7, 0.99]) {
		await market.use({disk_util, gpu_util: 50});
	}
	await market.use({gpu_util: 50});
	await market.use({disk_util: 0.99, gpu_util: 50});
	expect((await market.told()).map(([kind, subject]) => [kind, subject])).toEqual([
		['disk_low', `The disk of Instance ${market.id} (train) is nearly full`],
		['disk_full', `The disk of Instance ${market.id} (train) is full`],
		['disk_full', `The disk of Instance ${market.id} (train) is full`],
	]);
});

test('GPUs that do nothing for a day are told once, and not where they did something in between', async () => {
	await using market = await openTold();
	await leaseDirectly(market.database, market.id, {ends_at: TEST_NOW + 99 * DAY});
	await market.use({gpu_util: 0});
	await market.pass(20 * HOUR);
	await market.use({gpu_util: 30});
	await market.use({gpu_util: 0});
	await market.pass(20 * HOUR);
	expect(await market.told()).toEqual([]);
	await market.use({gpu_util: 0});
	await market.pass(5 * HOUR);
	await market.pass(30 * HOUR);
	expect((await market.told()).map(([kind, subject]) => [kind, subject])).toEqual([
		['gpu_idle', `The GPUs of Instance ${market.id} (train) do nothing`],
	]);
});

test('what is destroyed leaves nothing of what was told of it', async () => {
	await using market = await openTold();
	await market.use({gpu_util: 0, disk_util: 0.99});
	const moments = async () =>
		market.database
			.selectFrom('moments')
			.select('name')
			.where('name', 'like', `% ${market.id}`)
			.execute();
	expect(await moments()).toHaveLength(3);
	expect((await market.renter(`/instances/${market.id}/`, 'DELETE')).status).toBe(200);
	expect(await moments()).toEqual([]);
});
