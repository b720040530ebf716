import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../helpers/commands.ts';
import {openTestMarket} from '../helpers/market.ts';

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
