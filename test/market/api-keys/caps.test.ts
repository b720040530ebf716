import * as z from 'zod/mini';
import {expect, test} from 'vitest';
import {contract} from '../../../source/contract/index.ts';
import {callLate, doneOrHeld} from '../../helpers/market/after-read.ts';
import {beyondCap, openCapped} from '../../helpers/market/capped.ts';
import {hearMachines} from '../../helpers/market/instances.ts';
import {TEST_NOW, wholeReply} from '../../helpers/market/market.ts';
import {onPostgres} from '../../helpers/market/postgres.ts';

const HOUR = 3600;

const leaseOf = (hours: number, more: object = {}) => ({
	lease: {ends_at: TEST_NOW + hours * HOUR, ...more},
});

/** Dollars an hour of an offer with ten GB of disk. */
const hourly = (offer: {dph_base_micros: number; storage_cost_micros: number}) =>
	(offer.dph_base_micros + (offer.storage_cost_micros * 10) / 720) / 1e6;

const places = ['first', 'second', 'third'] as const;

async function openThree() {
	const market = await openCapped();
	const [first, second, third] = market.apart;
	if (first === undefined || second === undefined || third === undefined) {
		throw new Error(`there are no ${places.length} machines`);
	}
	return {...market, first, second, third};
}

test('the cap of a key is answered when it is made, listed, and shown with its use', async () => {
	await using market = await openThree();
	const cap = {instances: 2, dollars_a_day: 50, regions: ['SE']};
	const made = await market.callAs(market.key, 'POST', 'auth/apikeys/', {name: 'mine', cap});
	expect(made).toMatchObject({status: 200, body: {cap}});
	const {id, key} = await market.makeKey({instances: 2});
	expect(await market.callAs(market.key, 'GET', `auth/apikeys/${id}/`)).toMatchObject({
		body: {cap: {instances: 2}, capped_by: null},
	});
	await market.rentAs(key, market.first);
	expect((await market.callAs(key, 'GET', 'users/current/')).body).toMatchObject({
		key_cap: {instances: 2},
		key_cap_used: {instances: 1, dollars: null},
	});
	expect((await market.callAs(market.key, 'GET', 'users/current/')).body).toMatchObject({
		key_cap: null,
	});
});

test('a cap with an unknown limit, or none, is refused', async () => {
	await using market = await openThree();
	for (const cap of [{}, {dollars_a_week: 5}, {instances: 0}, {regions: []}, 'much']) {
		const made = await market.callAs(market.key, 'POST', 'auth/apikeys/', {name: 'x', cap});
		expect([cap, made.status]).toEqual([cap, 400]);
	}
});

test('one more instance, GPU or dollar an hour than the cap allows is refused, and not made', async () => {
	await using market = await openThree();
	const {first, second} = market;
	const gpus = JSON.stringify(first.gpu_mask.toString(2)).replaceAll(/[^1]/g, '').length;
	for (const cap of [
		{instances: 1},
		{gpus},
		{dollars_an_hour: hourly(first) * 1.01},
		{dollars_a_day: hourly(first) * 24 * 1.01},
	]) {
		const {key} = await market.makeKey(cap);
		const id = await market.rentedAs(key, first);
		const more = await market.rentAs(key, second);
		expect([cap, more]).toMatchObject([cap, beyondCap]);
		expect(await market.present()).toBe(1);
		expect(await market.callAs(key, 'DELETE', `instances/${id}/`)).toMatchObject({status: 200});
		expect(await market.rentAs(key, first)).toMatchObject({status: 200});
		await market.callAs(key, 'DELETE', 'instances/', {instance_ids: [id + 2]});
		await market.database.updateTable('instances').set({destroyed_at: 1}).execute();
		await market.database.updateTable('offers').set({rentable: 1}).execute();
	}
});

test('a cap in all counts until leases end, so that a rent without one is refused', async () => {
	await using market = await openThree();
	const {first, second} = market;
	const {key} = await market.makeKey({dollars: hourly(first) * 10 + hourly(second) * 4.99});
	const bare = await market.rentAs(key, first);
	expect(bare).toMatchObject(beyondCap);
	expect(bare.text).toContain('each instance needs a lease that destroys it');
	const stopping = await market.rentAs(key, first, leaseOf(1, {action: 'stop'}));
	expect(stopping).toMatchObject(beyondCap);
	const id = await market.rentedAs(key, first, leaseOf(10));
	expect(await market.rentAs(key, second, leaseOf(5))).toMatchObject(beyondCap);
	expect(await market.rentAs(key, second, leaseOf(4.9))).toMatchObject({status: 200});
	const longer = await market.callAs(key, 'PUT', `instances/${id}/lease/`, leaseOf(11).lease);
	expect(longer).toMatchObject(beyondCap);
	const shorter = await market.callAs(key, 'PUT', `instances/${id}/lease/`, leaseOf(2).lease);
	expect(shorter).toMatchObject({status: 200});
});

test('what was charged counts for a cap in all, of instances that are gone, too', async () => {
	await using market = await openThree();
	const {first} = market;
	const {key} = await market.makeKey({dollars: hourly(first) * 10});
	const id = await market.rentedAs(key, first, leaseOf(9));
	const runs = {actual: 'running', reported: 'running', running_since: TEST_NOW};
	await market.database.updateTable('instances').set(runs).execute();
	market.clock.pass(4 * HOUR);
	await hearMachines(market.database, TEST_NOW + 4 * HOUR);
	await market.callAs(key, 'DELETE', `instances/${id}/`);
	expect(await market.rentAs(key, first, leaseOf(4 + 6.5))).toMatchObject(beyondCap);
	expect(await market.rentAs(key, first, leaseOf(4 + 5.5))).toMatchObject({status: 200});
});

test('a lease of more hours than the cap allows is refused, and so is none', async () => {
	await using market = await openThree();
	const {key} = await market.makeKey({lease_hours: 2});
	expect(await market.rentAs(key, market.first)).toMatchObject(beyondCap);
	expect(await market.rentAs(key, market.first, leaseOf(2.1))).toMatchObject(beyondCap);
	expect(await market.rentAs(key, market.first, {lease: {max_cost: 1}})).toMatchObject(beyondCap);
	const graced = leaseOf(1.5, {grace_seconds: HOUR});
	expect(await market.rentAs(key, market.first, graced)).toMatchObject(beyondCap);
	// Two hours by the clock of whoever rents, in whole seconds.
	const id = await market.rentedAs(key, market.first, leaseOf(2 + 3 / HOUR));
	const without = await market.callAs(key, 'DELETE', `instances/${id}/lease/`);
	expect(without).toMatchObject(beyondCap);
	const later = leaseOf(2.5).lease;
	const early = await market.callAs(key, 'PUT', `instances/${id}/lease/`, later);
	expect(early).toMatchObject(beyondCap);
	market.clock.pass(HOUR);
	expect(await market.callAs(key, 'PUT', `instances/${id}/lease/`, later)).toMatchObject({
		status: 200,
	});
});

test('a machine outside of the regions of a cap is refused, and one of an unknown place', async () => {
	await using market = await openThree();
	const {first, second} = market;
	await market.database
		.updateTable('offers')
		.set({geolocation: 'Oslo, NO'})
		.where('id', '=', first.id)
		.execute();
	await market.database
		.updateTable('offers')
		.set({geolocation: null})
		.where('id', '=', second.id)
		.execute();
	const {key} = await market.makeKey({regions: ['NO', 'SE']});
	const {key: other} = await market.makeKey({regions: ['SE']});
	const away = await market.rentAs(other, first);
	expect(away).toMatchObject(beyondCap);
	expect(away.text).toContain('this machine is in NO');
	expect(await market.rentAs(key, second)).toMatchObject(beyondCap);
	expect(await market.rentAs(key, first)).toMatchObject({status: 200});
});

test('a start and a bid count as a rent does', async () => {
	await using market = await openThree();
	const {first, second, third} = market;
	const {key} = await market.makeKey({
		dollars_an_hour: Math.max(hourly(first), hourly(second)) * 1.2,
	});
	const id = await market.rentedAs(key, first);
	await market.callAs(key, 'PUT', `instances/${id}/`, {state: 'stopped'});
	await market.rentedAs(key, second);
	for (const [method, path, body] of [
		['PUT', `instances/${id}/`, {state: 'running'}],
		['PUT', 'instances/', {ids: [id], state: 'running'}],
		['POST', 'instances/start/', {IDs: [id]}],
	] as const) {
		expect(await market.callAs(key, method, path, body)).toMatchObject(beyondCap);
	}
	const bid = (third.min_bid_micros ?? 0) / 1e6;
	const {key: bidder} = await market.makeKey({dollars_an_hour: bid * 2});
	const own = await market.rentedAs(bidder, third, {price: bid * 1.2});
	const path = `instances/bid_price/${own}/`;
	expect(await market.callAs(bidder, 'PUT', path, {price: bid * 3})).toMatchObject(beyondCap);
	expect(await market.callAs(bidder, 'PUT', path, {price: bid * 1.3})).toMatchObject({status: 200});
});

test('keys share the cap of the key that made them, have no other, and end with it', async () => {
	await using market = await openThree();
	const {id, key} = await market.makeKey({instances: 1});
	const child = await market.makeKey(undefined, key);
	const grandchild = await market.makeKey(undefined, child.key);
	const wider = await market.callAs(key, 'POST', 'auth/apikeys/', {cap: {instances: 9}});
	expect(wider).toMatchObject(beyondCap);
	await market.rentedAs(grandchild.key, market.first);
	for (const one of [key, child.key, grandchild.key]) {
		expect(await market.rentAs(one, market.second)).toMatchObject(beyondCap);
	}
	const others = await market.makeKey(undefined);
	const reset = await market.callAs(key, 'PUT', 'commands/reset_apikey/', {id: others.id});
	expect(reset).toMatchObject(beyondCap);
	const removed = await market.callAs(key, 'DELETE', `auth/apikeys/${others.id}/`);
	expect(removed).toMatchObject(beyondCap);
	await market.callAs(market.key, 'DELETE', `auth/apikeys/${id}/`);
	for (const one of [key, child.key, grandchild.key]) {
		expect(await market.callAs(one, 'GET', 'instances/')).toMatchObject({status: 401});
	}
	expect(await market.present()).toBe(1);
});

test('a key with a cap changes nothing that was rented without it, and spends on nothing else', async () => {
	await using market = await openThree();
	const {key} = await market.makeKey({instances: 5});
	const other = await market.makeKey({instances: 5});
	const ids = [
		await market.rentedAs(market.key, market.first),
		await market.rentedAs(other.key, market.second),
	];
	for (const id of ids) {
		for (const [method, path, body] of [
			['PUT', `instances/${id}/`, {state: 'stopped'}],
			['PUT', 'instances/', {ids: [id], state: 'stopped'}],
			['DELETE', `instances/${id}/`, undefined],
			['DELETE', 'instances/', {instance_ids: [id]}],
			['PUT', `instances/${id}/lease/`, {max_cost: 1}],
			['PUT', `instances/command/${id}/`, {command: 'ls'}],
			['PUT', `instances/reboot/${id}/`, {}],
			['PUT', `instances/prepay/${id}/`, {amount: 1}],
		] as const) {
			expect([path, await market.callAs(key, method, path, body)]).toMatchObject([path, beyondCap]);
		}
	}
	for (const [method, path, body] of [
		['PUT', 'volumes/', {id: market.third.id, size: 1}],
		['PUT', 'commands/transfer_credit/', {recipient: 'a@example.org', amount: 1}],
		['POST', 'ssh/', {ssh_key: 'ssh-ed25519 AAAA'}],
		['POST', 'team/', {team_name: 'x'}],
		['POST', 'users/', {}],
		['POST', 'secrets/', {key: 'A', value: 'b'}],
	] as const) {
		expect([path, await market.callAs(key, method, path, body)]).toMatchObject([path, beyondCap]);
	}
	expect(await market.present()).toBe(2);
});

test("the key of a cap's instance starts it within the cap", async () => {
	await using market = await openThree();
	const {key} = await market.makeKey({dollars_an_hour: hourly(market.second) * 1.2});
	const reply = await market.rentAs(key, market.first);
	const {instance_api_key: own, new_contract: id} = z
		.looseObject({instance_api_key: z.string(), new_contract: z.number()})
		.parse(reply.body);
	const change = async (state: string) => market.callAs(own, 'PUT', `instances/${id}/`, {state});
	expect(await change('stopped')).toMatchObject({status: 200});
	await market.rentedAs(key, market.second);
	expect(await change('running')).toMatchObject(beyondCap);
});

test('many rents at once pass no limit', async () => {
	await using market = await openCapped();
	const {key} = await market.makeKey({instances: 3});
	const child = await market.makeKey(undefined, key);
	const replies = await Promise.all(
		market.apart
			.slice(0, 10)
			.map(async (offer, index) => market.rentAs(index % 2 === 0 ? key : child.key, offer)),
	);
	expect(replies.map(({status}) => status).toSorted((a, b) => a - b)).toEqual([
		200,
		200,
		200,
		...Array.from({length: replies.length - 3}, () => 403),
	]);
	expect(await market.present()).toBe(3);
});

test.skipIf(!onPostgres)('a key made by another while that was deleted ends with it', async () => {
	await using market = await openCapped();
	const {id, key} = await market.makeKey({dollars_an_hour: 5});
	let reads = 0;
	let deleted: Promise<{readonly status: number}> | undefined;
	const late = {
		file: market.file,
		key,
		// The second read is that of the transaction.
		of: (row: object) => 'cappedBy' in row && ++reads === 2,
		async act() {
			deleted = market.callAs(market.key, 'DELETE', `auth/apikeys/${id}/`);
			await doneOrHeld(market.database, deleted);
		},
	};
	const {status, body} = await callLate(late, 'POST', '/auth/apikeys/', {name: 'more'});
	expect([status, (await deleted)?.status]).toEqual([200, 200]);
	const {key: made} = wholeReply(contract.apiKeys.create, body);
	expect((await market.callAs(made, 'GET', 'users/current/')).status).toBe(401);
});
