import {sql} from 'kysely';
import {expect, test} from 'vitest';
import {answerTo} from '../../../source/market/http/answers.ts';
import {Refusal} from '../../../source/market/base/refusal.ts';
import {createApp} from '../../../source/market/service/server.ts';
import {soleAccount} from '../../../source/market/ledger/accounts-store.ts';
import {onPostgres, openDatabase} from '../../helpers/market/postgres.ts';
import {databaseTrouble} from '../../../source/market/database/database-trouble.ts';
import {createKey} from '../../../source/market/api-keys/store.ts';
import {createHandClock, TEST_NOW, testServices} from '../../helpers/market/market.ts';

test('what went wrong inside is in the log, and the caller gets the place in it', async () => {
	const database = await openDatabase(':memory:');
	await database.destroy();
	const log: string[] = [];
	const services = testServices(database, createHandClock(TEST_NOW));
	const app = createApp(services, line => log.push(line));
	const reply = await app.request('/api/v0/bundles/?api_key=secret&q={}');
	expect(reply.status).toBe(500);
	expect(reply.headers.get('content-type')).toBe('application/json');
	const [line = ''] = log;
	const [id = ''] = line.split(' ');
	expect(id).toMatch(/^[\da-f-]{36}$/);
	expect(line).toMatch(/ GET \/api\/v0\/bundles: Error: driver has already been destroyed\n +at /);
	expect(line).not.toContain('secret');
	expect(await reply.json()).toEqual({
		success: false,
		error: 'internal_error',
		msg: `Something went wrong here. The log has it as ${id}.`,
	});
});

test('whatever is thrown is answered', async () => {
	const log: string[] = [];
	const reply = answerTo('just text', 'GET /', line => log.push(line));
	expect(reply.status).toBe(500);
	expect(log).toEqual([expect.stringMatching(/^\S{36} GET \/: just text$/)]);
});

test('a refusal says what its reason says, and may add to it', async () => {
	const fields = {ask_id: 7};
	const reply = answerTo(new Refusal('badArguments', 'No.', {fields}), '', () => undefined);
	expect(reply.status).toBe(400);
	const body = {success: false, error: 'invalid_args', msg: 'No.', ask_id: 7};
	expect(await reply.json()).toEqual(body);
});

test('too many requests are refused in a form of their own', async () => {
	const text = 'API requests too frequent endpoint threshold=4.5';
	const refusal = new Refusal('tooManyRequests', text, {headers: {'retry-after': '5'}});
	const reply = answerTo(refusal, '', () => undefined);
	expect(reply.status).toBe(429);
	expect(reply.headers.get('retry-after')).toBe('5');
	expect(await reply.json()).toEqual({detail: text, msg: text});
});

/** A market without a socket whose database has room for nothing more. */
async function openFullMarket() {
	const database = await openDatabase(':memory:');
	const log: string[] = [];
	const services = testServices(database, createHandClock(TEST_NOW));
	const app = createApp(services, line => log.push(line));
	const {id} = await soleAccount(database, 'renter', TEST_NOW);
	const {value: key} = await createKey(database, {accountId: id, name: 'x', now: TEST_NOW});
	const pages = async (change = '') =>
		sql`pragma ${sql.raw(`max_page_count ${change}`)}`.execute(database);
	await pages('= 1');
	const call = async (method: string, body?: unknown) => {
		const headers = {authorization: `Bearer ${key}`, 'content-type': 'application/json'};
		const text = body === undefined ? null : JSON.stringify(body);
		const reply = await app.request('/api/v0/secrets/', {method, headers, body: text});
		const answer: unknown = await reply.json();
		return {status: reply.status, answer};
	};
	/** Adds variables until one is refused, and answers how many there are and what was said. */
	async function fill() {
		for (let count = 0; ; count++) {
			const reply = await call('POST', {key: `K${count}`, value: 'x'.repeat(4000)});
			if (reply.status !== 200) return {count, reply};
		}
	}
	const room = async () => pages('= 100000');
	return {log, call, fill, room, [Symbol.asyncDispose]: async () => database.destroy()};
}

test.skipIf(onPostgres)(
	'where the disk is full that is said, nothing is changed, and reading goes on',
	async () => {
		await using market = await openFullMarket();
		const {count, reply} = await market.fill();
		expect(reply).toEqual({
			status: 503,
			answer: {
				success: false,
				error: 'unavailable',
				msg: 'The market cannot use its database at present: its disk is full. Nothing was changed; try again later.',
			},
		});
		expect(market.log).toEqual([
			'POST /api/v0/secrets: the database cannot be used, for its disk is full: Error: database or disk is full',
		]);
		const {status, answer} = await market.call('GET');
		expect(status).toBe(200);
		expect(JSON.stringify(answer).match(/"K\d+"/g)).toHaveLength(count);
		await market.room();
		expect(await market.call('POST', {key: 'LATER', value: 'x'})).toMatchObject({status: 200});
	},
);

test.each([
	[5, 'another program has been writing for too long'],
	[778, 'its disk cannot be read or written'],
	[1032, 'its disk can only be read'],
	[14, 'its file cannot be opened'],
])('a database that fails with %i is told apart from faults of the market', (errcode, trouble) => {
	expect(databaseTrouble(Object.assign(new Error('no'), {errcode}))).toBe(trouble);
	expect(databaseTrouble(Object.assign(new Error('no'), {errcode: 1}))).toBeUndefined();
});
