import {expect, test} from 'vitest';
import {openRentedMarket, reportOf} from '../helpers/host/hosts.ts';
import type {TestMarket} from '../helpers/market/market.ts';

type Rented = Awaited<ReturnType<typeof openRentedMarket>>;

const DEAR = 1_000_000_000;

async function creditOf({call}: Pick<TestMarket, 'call'>): Promise<unknown> {
	const {status, body} = await call('/api/v0/users/current/');
	return status === 200 && typeof body === 'object' && body !== null && 'credit' in body
		? body.credit
		: status;
}

async function countBytes({host, instance}: Rented, bytes: number): Promise<unknown> {
	const traffic = {up: bytes, down: bytes};
	return host.report([reportOf(instance, {traffic})]).catch((error: unknown) => error);
}

test('a host that counts 1e15 bytes is refused, named in the log once, and paid nothing for them', async () => {
	await using market = await openRentedMarket({up_micros: DEAR, down_micros: DEAR});
	for (let times = 0; times < 3; times++) {
		expect(await countBytes(market, 1e15)).toMatchObject({status: 400});
	}
	expect(await creditOf(market)).toBe(100);
	expect(market.log).toHaveLength(1);
	expect(market.log[0]).toMatch(
		/^host \d+: machine \d+ counts more bytes of instance \d+ than a line carries$/,
	);
});

test('dear traffic takes all that an account has and no more, and it is answered', async () => {
	await using market = await openRentedMarket({up_micros: DEAR, down_micros: DEAR});
	for (let count = 1; count <= 20; count++) {
		await market.pass(1);
		await countBytes(market, count * 110_000_000);
	}
	const credit = Number(await creditOf(market));
	expect(credit).toBeGreaterThan(-0.01);
	expect(credit).toBeLessThanOrEqual(0);
	const rent = await market.call('/api/v0/asks/1/', {method: 'PUT', body: '{"image":"a"}'});
	expect([400, 404, 410]).toContain(rent.status);
});

test('a report that counts too many bytes is noted in all else', async () => {
	await using market = await openRentedMarket();
	const {host, instance} = market;
	const report = reportOf(instance, {status: 'exited', traffic: {up: 1e15, down: 0}});
	await expect(host.report([report])).rejects.toMatchObject({status: 400});
	const {body} = await market.call(`/api/v0/instances/${instance.id}/`);
	expect(body).toMatchObject({instances: {actual_status: 'exited'}});
});

test('an account owes at most 100 dollars for disks, however long they are kept', async () => {
	await using market = await openRentedMarket({storage_micros: DEAR, disk_gb: 1e9});
	for (let day = 0; day < 5; day++) {
		market.clock.pass(86_400);
		await market.host.heartbeat([market.machine.id]);
		await market.sweep();
	}
	expect(await creditOf(market)).toBeCloseTo(-100, 5);
	const charges = await market.database
		.selectFrom('charges')
		.select(({fn}) => fn.sum<number>('amount_micros').as('micros'))
		.executeTakeFirstOrThrow();
	expect(charges.micros / 1_000_000).toBeCloseTo(200, 5);
});
