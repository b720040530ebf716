import {expect, test} from 'vitest';
import type {Endpoint} from '../../source/contract/grammar/endpoint.ts';
import {contract} from '../../source/contract/index.ts';
import {openClient} from '../../source/client/client.ts';
import {openTestMarket} from '../helpers/market/market.ts';

const MB = 1024 * 1024;

const hostile: ReadonlyArray<readonly [what: string, body: string]> = [
	[
		'a number of 60,000 digits',
		`{"num_gpus":{"eq":"${'1'.repeat(60_000)}x"},"disk":"${'1'.repeat(60_000)}x"}`,
	],
	['a number of 900,000 digits', `{"num_gpus":{"eq":"${'1'.repeat(900_000)}x"}}`],
	['80,000 names', `{${Array.from({length: 80_000}, (_, at) => `"a${at}":1`).join(',')}}`],
	[
		'a list of 500,000 values',
		`{"id":{"in":[${Array.from({length: 500_000}, () => 1).join(',')}]}}`,
	],
	['100,000 levels', '{"a":'.repeat(100_000)],
	['half a megabyte of quotes', `{"a":"${'\\"'.repeat(MB / 4 - 8)}`],
];

const calls = Object.values(contract).flatMap(noun =>
	Object.values<Endpoint>(noun).filter(({body}) => body !== undefined),
);

test.each(hostile)('%s is refused by every call, and others are answered', async (_, body) => {
	await using market = await openTestMarket({offers: 10});
	const operatorKey = await market.createOperatorKey('operator');
	const relayKey = await addRelay(market, operatorKey);
	const keys = new Map<unknown, string>([
		['operator', operatorKey],
		['relay', relayKey],
	]);
	const attacks = calls.map(async ({method, path, permission}) => {
		const key = keys.get(permission);
		const init = {method, body, headers: key === undefined ? {} : {authorization: `Bearer ${key}`}};
		const {status} = await market.call(path.replaceAll(/\{\w+\}/g, '1'), init);
		return [`${method} ${path}`, status];
	});
	const search = market.search({});
	expect(await search).toHaveLength(10);
	const statuses = await Promise.all(attacks);
	// Without a signature, its body is not read.
	const unsigned = 'POST /api/v0/payments/ 403';
	const answers = statuses.map(parts => parts.join(' ')).filter(text => text !== unsigned);
	expect(answers.filter(text => !/ (400|413)$/.test(text))).toEqual([]);
	expect(market.log).toEqual([]);
});

/** Adds a relay, and answers its key. */
async function addRelay({url}: {readonly url: string}, key: string): Promise<string> {
	const client = openClient({url, key, paceScale: 0});
	const ports = {first_port: 42_000, last_port: 42_999};
	const added = await client.operator.addRelay({name: 'near', host: 'near.example', ...ports});
	await client.close();
	return added.api_key;
}

test('an environment and a list of the most that is taken are taken', async () => {
	await using market = await openTestMarket({offers: 10});
	const env = {A: '\u{1F600}'.repeat(32_767)};
	const order = JSON.stringify({image: 'a', env}).replaceAll(/[^ -~]/gu, escaped);
	const rented = await market.call('/api/v0/asks/999999/', {method: 'PUT', body: order});
	expect([order.length > 390_000, rented.status]).toEqual([true, 404]);
	const ids = Array.from({length: 1000}, (_, at) => 1_000_000_000 + at);
	expect(await market.search({machine_id: {notin: ids}})).toHaveLength(10);
	const body = JSON.stringify({machine_id: {notin: [...ids, 1]}});
	expect((await market.call('/api/v0/bundles/', {method: 'POST', body})).status).toBe(400);
});

function escaped(character: string): string {
	return character
		.split('')
		.map(half => `\\u${half.charCodeAt(0).toString(16)}`)
		.join('');
}
