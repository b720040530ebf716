import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {contractOf, openRentable} from '../../helpers/market/rentable.ts';

const lease = {
	ends_at: TEST_NOW + 3600,
	max_cost: 20,
	action: 'stop',
	grace_seconds: 60,
	keep: true,
};

test('a lease is set, shown in every record, changed and taken away', async () => {
	await using market = await openRentable();
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const id = contractOf((await market.rent({image: 'x'})).body);
	expect((await client.instances.show(id))?.lease).toBe(null);
	expect(await client.instances.setLease(id, {...lease, action: 'stop'})).toEqual(lease);
	expect((await client.instances.show(id))?.lease).toEqual(lease);
	expect((await client.instances.list()).instances[0]?.lease).toEqual(lease);
	const v0 = await market.call('/api/v0/instances/');
	expect(v0.body).toMatchObject({instances: [{id, lease}]});
	expect(await client.instances.setLease(id, {max_cost: 1})).toEqual({
		ends_at: null,
		max_cost: 1,
		action: 'destroy',
		grace_seconds: 0,
		keep: false,
	});
	await client.instances.removeLease(id);
	expect((await client.instances.show(id))?.lease).toBe(null);
	await client.close();
});

test('an instance is made with a lease, or not at all where the lease is wrong', async () => {
	await using market = await openRentable();
	const made = await market.rent({image: 'x', lease});
	const shown = await market.call(`/api/v0/instances/${contractOf(made.body)}/`);
	expect(shown.body).toMatchObject({instances: {lease}});
	const wrong = await market.rent({image: 'x', lease: {action: 'sell', ends_at: 1e9}});
	expect(wrong).toMatchObject({status: 400, body: {success: false}});
	expect(wrong.text).toContain("lease action must be 'stop', 'destroy' or 'stop-destroy'");
});

test('a lease that has passed, has no end, or is of no instance is refused', async () => {
	await using market = await openRentable();
	const id = contractOf((await market.rent({image: 'x'})).body);
	const put = async (of: number, body: unknown) =>
		market.call(`/api/v0/instances/${of}/lease/`, {method: 'PUT', body: JSON.stringify(body)});
	expect((await put(id, {ends_at: TEST_NOW - 1})).status).toBe(400);
	expect((await put(id, {action: 'stop'})).status).toBe(400);
	expect((await put(id, {max_cost: -1})).status).toBe(400);
	expect((await put(id, {max_cost: 1e10})).status).toBe(400);
	expect((await put(id + 1, lease)).status).toBe(404);
	const gone = await market.call(`/api/v0/instances/${id + 1}/lease/`, {method: 'DELETE'});
	expect(gone.status).toBe(404);
});

test("an instance's own key cannot change its lease", async () => {
	await using market = await openRentable();
	const {body} = await market.rent({image: 'x', lease});
	const id = contractOf(body);
	const own = typeof body === 'object' && body !== null && 'instance_api_key' in body;
	const headers = {authorization: `Bearer ${own ? String(body.instance_api_key) : ''}`};
	for (const method of ['PUT', 'DELETE']) {
		const reply = await market.call(`/api/v0/instances/${id}/lease/`, {
			method,
			headers,
			body: JSON.stringify(lease),
		});
		expect(reply.status).toBe(403);
	}
});
