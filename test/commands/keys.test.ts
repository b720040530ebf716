import * as z from 'zod/mini';
import {expect, test} from 'vitest';
import {parseJson} from '../../source/contract/grammar/json.ts';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {openFaultProxy} from '../helpers/services/fault-proxy.ts';
import {answered} from '../helpers/services/faults.ts';
import {openRentable} from '../helpers/market/rentable.ts';
import {sshKeyText} from '../helpers/host/ssh-keys.ts';
import {openTestMarket} from '../helpers/market/market.ts';

/** A service that goes on listing a key that was deleted. */
async function openForgetful() {
	const market = await openRentable();
	const proxy = await openFaultProxy(market.url);
	const deleted = {id: 7, key: sshKeyText(1, 'old'), deleted_at: '2026-11-20T10:00:00Z'};
	const list = {method: 'GET', path: '/api/v0/ssh/'};
	proxy.next(list, answered({status: 200, body: [deleted]}), Infinity);
	return {
		run: commandsOf({url: proxy.url, key: market.key}),
		offer: market.offer,
		async [Symbol.asyncDispose]() {
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('a deleted SSH key is listed as deleted, and cannot be removed once more', async () => {
	await using service = await openForgetful();
	const {run} = service;
	const listed = await run('keys');
	expect(listed.out).toContain('\tDELETED\n');
	expect(listed.out).toMatch(/old\t.*\t2026-11-20T10:00:00Z\n/);
	expect(listed.err).toContain('No SSH key is registered');
	expect(jsonOf(await run('keys', '--json'))).toMatchObject([
		{id: 7, deleted_at: '2026-11-20T10:00:00Z'},
	]);
	expect(await run('keys', 'remove', '7', '--yes')).toMatchObject({code: 4});
});

test('a deleted SSH key is none for the doctor and for who rents', async () => {
	await using service = await openForgetful();
	const {run, offer} = service;
	const findings = jsonOf(await run('doctor', '--json'));
	expect(findings).toContainEqual(
		expect.objectContaining({
			about: 'ssh keys',
			verdict: 'note',
			says: 'none is registered, so nobody can enter by SSH',
		}),
	);
	const words = [String(offer.id), '--image', 'a/b', '--spend', '99', '--yes'];
	expect(await run('rent', ...words, '--vm')).toMatchObject({
		code: 2,
		err: expect.stringContaining('A VM needs a registered SSH key') as unknown,
	});
	expect((await run('rent', ...words)).err).toContain('No SSH key is registered');
});

test('changes by API keys are listed with their key and address, the newest first', async () => {
	await using market = await openTestMarket();
	const run = commandsOf({url: market.url, key: market.key});
	const none = await run('keys', 'history');
	expect(none.err).toContain('No key of the account has changed anything');
	for (const label of ['one', 'two']) {
		await market.call('/api/v0/instances/7/', {method: 'PUT', body: JSON.stringify({label})});
	}
	const {out} = await run('keys', 'history');
	expect(out.split('\n')).toEqual([
		'WHEN\tKEY\tFROM\tSTATUS\tCALL\tSENT',
		'2026-11-18 11:06\t1\t127.0.0.1\t404\tPUT instances/7/\t{"label":"two"}',
		'2026-11-18 11:06\t1\t127.0.0.1\t404\tPUT instances/7/\t{"label":"one"}',
		'',
	]);
	const last = await run('keys', 'history', '--limit', '1', '--json');
	expect(jsonOf(last)).toMatchObject([{key: 1, address: '127.0.0.1', sent: '{"label":"two"}'}]);
	expect(last.err).toContain('There are more of them');
	expect(jsonOf(await run('keys', 'addresses', '--json'))).toMatchObject([{address: '127.0.0.1'}]);
	expect(await run('keys', 'history', 'x')).toMatchObject({code: 2});
});

test('a new key with a cap is made, listed with it, and bounded by it', async () => {
	await using market = await openRentable();
	const run = commandsOf({url: market.url, key: market.key});
	const made = await run('keys', 'new', 'bot', '--cap', '1 instance, $0.01/day');
	expect(made).toMatchObject({code: 0, out: expect.stringMatching(/^[\da-f]{64}\n$/) as unknown});
	expect((await run('keys', '--api')).out).toContain('bot\t$0.01/day, 1 instance\n');
	const capped = commandsOf({url: market.url, key: made.out.trim()});
	const words = [
		String(market.offer.id),
		'--image',
		'a/b',
		'--disk',
		'10',
		'--spend',
		'99',
		'--yes',
	];
	const rented = await capped('rent', ...words);
	expect(rented.code).not.toBe(0);
	expect(rented.err).toContain('The cap of this key is $0.01 a day');
	for (const wrong of ['much', '$0/day', '2 instances, 3 instances']) {
		expect(await run('keys', 'new', 'x', '--cap', wrong)).toMatchObject({code: 2});
	}
	expect(await run('keys', 'new')).toMatchObject({code: 2});
});

test('a service that keeps no caps keeps no key either that was to have one', async () => {
	await using market = await openRentable();
	await using proxy = await openFaultProxy(market.url);
	const path = '/api/v0/auth/apikeys/';
	proxy.next({method: 'POST', path}, async ({forward, response}) => {
		const {status, body} = await forward();
		response.writeHead(status, {'content-type': 'application/json'});
		response.end(
			JSON.stringify({...z.looseObject({}).parse(parseJson(body.toString())), cap: undefined}),
		);
	});
	const run = commandsOf({url: proxy.url, key: market.key});
	const made = await run('keys', 'new', 'bot', '--cap', '$5/day');
	expect(made).toMatchObject({code: 1, out: ''});
	expect(made.err).toContain('keeps no caps');
	expect((await run('keys', '--api')).out).not.toContain('bot');
});
