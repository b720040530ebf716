import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../helpers/commands.ts';
import {openFaultProxy} from '../helpers/fault-proxy.ts';
import {answered} from '../helpers/faults.ts';
import {openRentable} from '../helpers/rentable.ts';
import {sshKeyText} from '../helpers/ssh-keys.ts';

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
