import {expect, test} from 'vitest';
import {refusal} from '../../helpers/market/market.ts';
import {openTemplateMarket} from '../../helpers/market/templates.ts';

test.each<readonly [method: string, body: unknown, msg: string]>([
	['POST', {}, 'Template name is required'],
	['POST', {name: null, image: 'i'}, 'Template name is required'],
	['POST', {name: '', image: 'i'}, 'Template name is required'],
	['POST', {name: 'T'}, 'Template image is required'],
	['POST', '{', 'Invalid json body'],
	['POST', '[]', 'Invalid json body: it must be an object.'],
	['POST', {name: 'T', image: 'i', runtype: 'vm'}, 'runtype: expected one of ssh, jupyter, args'],
	['PUT', {desc: 'x'}, 'Template hash_id is required'],
	['PUT', {hash_id: 5, desc: 'x'}, 'Template hash_id is required'],
	['PUT', {hash_id: 'x', private: 'maybe'}, 'private: expected true or false'],
	['DELETE', {}, 'Template hash_id is required'],
	['DELETE', {template_id: 'x'}, 'template_id: expected a whole number'],
	['DELETE', {template_id: 1.5}, 'template_id: expected a whole number'],
	['DELETE', {template_id: [1]}, 'template_id: expected a whole number'],
])('%s %j is refused in a sentence', async (method, body, msg) => {
	await using market = await openTemplateMarket();
	await market.me.make();
	const reply = await market.me.call(method, body);
	expect(reply).toEqual({status: 400, body: refusal('invalid_args', msg)});
	expect(await market.me.find()).toHaveLength(1);
});

test('an edit is refused that leaves a template without a name, or with too long a start', async () => {
	await using market = await openTemplateMarket();
	const {hash_id} = await market.me.make({args_str: 'x'.repeat(4000)});
	for (const [changes, msg] of [
		[{name: ''}, 'Template name is required'],
		[{onstart: 'x'.repeat(97)}, 'args_str and onstart: expected at most 4096 characters together'],
	] as const) {
		const reply = await market.me.call('PUT', {hash_id, ...changes});
		expect(reply).toEqual({status: 400, body: refusal('invalid_args', msg)});
	}
	expect(await market.me.find()).toMatchObject([{hash_id}]);
});

test.each([
	['select_filters={', 'Error in query parameters: select_filters is not valid JSON.'],
	['select_filters={"x":{"eq":1}}', 'Error in query parameters: x is not a valid search key'],
	['select_filters={"id":{"like":1}}', 'like is not a valid search op'],
	['order_by=[["x"]]', 'Error in query parameters: order_by: "x" is not a valid search key'],
	[
		`select_filters=${JSON.stringify({id: {in: Array(1001).fill(1)}})}`,
		'id: in takes at most 1000 values',
	],
])('the search %.40s is refused by name', async (query, msg) => {
	await using market = await openTemplateMarket();
	const reply = await market.me.call('GET', undefined, `?${encodeURI(query)}`);
	expect(reply).toEqual({status: 400, body: refusal('invalid_request', msg)});
});

test('searching takes user_read, and the rest user_write', async () => {
	await using market = await openTemplateMarket();
	const reader = await market.personOf({user_read: true});
	const writer = await market.personOf({user_write: true});
	expect((await reader.call('GET')).status).toBe(200);
	expect((await writer.call('POST', {name: 'T', image: 'i'})).status).toBe(200);
	expect(await writer.call('GET')).toMatchObject({status: 403, body: {error: 'not_authorized'}});
	for (const method of ['POST', 'PUT', 'DELETE']) {
		const reply = await reader.call(method, {name: 'T', image: 'i'});
		expect(reply).toMatchObject({status: 403, body: {error: 'not_authorized'}});
		expect(JSON.stringify(reply.body)).toContain('user_write');
	}
});
