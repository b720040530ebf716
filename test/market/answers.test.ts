import {expect, test} from 'vitest';
import {answerTo} from '../../source/market/answers.ts';
import {Refusal} from '../../source/market/refusal.ts';
import {createApp} from '../../source/market/server.ts';
import {openDatabase} from '../../source/market/store/database.ts';
import {createHandClock, TEST_NOW, testServices} from '../helpers/market.ts';

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
