import {expect, test} from 'vitest';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {commandsOf, jsonOf} from '../../helpers/commands/commands.ts';
import {openTestConsole} from '../../helpers/console/console.ts';
import {testPublication} from '../../helpers/host/hosts.ts';
import {openTestMarket} from '../../helpers/market/market.ts';

/** A market with an offer that is verified, and a machine of its own account that is not. */
async function openProviding() {
	const market = await openTestMarket({offers: 20});
	const key = await market.createKey('host', 'host');
	const headers = {authorization: `Bearer ${key}`};
	const body = JSON.stringify(testPublication());
	const put = {method: 'PUT', headers, body};
	const published = await market.call('/api/v0/hosts/machines/', put);
	const id = isRecord(published.body) ? Number(published.body['id']) : Number.NaN;
	const beat = {method: 'POST', headers, body: JSON.stringify({machines: [id]})};
	await market.call('/api/v0/hosts/heartbeat/', beat);
	return {...market, key, id};
}

test('rentty offers finds an own machine that nobody has verified, for its owner alone', async () => {
	await using market = await openProviding();
	const machines = async (key: string, ...words: readonly string[]) => {
		const run = commandsOf({...market, key});
		return jsonOf(await run('offers', ...words, '--limit', '99', '--json')).map(
			({machine}) => machine,
		);
	};
	expect(await machines(market.key)).toContain(market.id);
	expect(await machines(await market.createKey('renter'))).not.toContain(market.id);
	expect(await machines(market.key, 'verified')).not.toContain(market.id);
	expect(await machines(market.key, '<0.00001')).toEqual([]);
});

test('the list of offers has own machines that nobody has verified, once it is heard of them', async () => {
	await using market = await openProviding();
	await using rentty = openTestConsole({service: market, columns: 200});
	await rentty.sees('1 of');
	rentty.type('w');
	await rentty.sees(/ unv\b/);
});
