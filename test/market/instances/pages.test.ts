import {expect, test} from 'vitest';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {
	openInstanceLists,
	recordsIn,
	type InstanceLists,
} from '../../helpers/fleet/instance-lists.ts';
import {refusal, TEST_NOW} from '../../helpers/market/market.ts';

async function addMany(lists: InstanceLists, count: number): Promise<readonly number[]> {
	const ids: number[] = [];
	for (let made = 0; made < count; made++) ids.push((await lists.add({label: `l${made % 3}`})).id);
	return ids;
}

function idsIn(body: Readonly<Record<string, unknown>>): readonly unknown[] {
	return recordsIn(body).map(({id}) => id);
}

test('a page has at most 25, says how many there are, and leads to the next', async () => {
	await using lists = await openInstanceLists();
	const ids = await addMany(lists, 30);
	const {body: first} = await lists.page();
	expect(first).toMatchObject({
		success: true,
		instances_found: 25,
		total_instances: 30,
		label_counts: {l0: 10, l1: 10, l2: 10},
	});
	expect(idsIn(first)).toEqual(ids.slice(0, 25));
	const {body: second} = await lists.page({after_token: first['next_token']});
	expect(second).toMatchObject({instances_found: 5, total_instances: 30, next_token: null});
	expect(idsIn(second)).toEqual(ids.slice(25));
});

test('a page that ends with the last instance has no next one', async () => {
	await using lists = await openInstanceLists();
	await addMany(lists, 4);
	expect((await lists.page({limit: '4'})).body).toMatchObject({next_token: null});
	expect((await lists.page({limit: '3'})).body['next_token']).toBeTypeOf('string');
});

test('an account without instances has one empty page', async () => {
	await using lists = await openInstanceLists();
	expect((await lists.page()).body).toEqual({
		success: true,
		instances_found: 0,
		total_instances: 0,
		label_counts: {},
		next_token: null,
		instances: [],
	});
});

test.each([
	['0', 5],
	['-1', 5],
	['6', 6],
	['100', 25],
])('with a limit of %s a page has %i', async (limit, count) => {
	await using lists = await openInstanceLists();
	await addMany(lists, 27);
	expect((await lists.page({limit})).body).toMatchObject({instances_found: count});
});

test('a token is good for the filter and order that it came with, whatever the limit', async () => {
	await using lists = await openInstanceLists();
	const ids = await addMany(lists, 9);
	const filters = {id: {gte: 2}};
	const order = [{col: 'id', dir: 'desc'}];
	const query = {select_filters: filters, order_by: order};
	const {body} = await lists.page({...query, limit: '2'});
	const after_token = body['next_token'];
	const next = await lists.page({...query, after_token, limit: '3', select_cols: ['label']});
	expect(idsIn(next.body)).toEqual(ids.toReversed().slice(2, 5));
	const others = [
		{},
		{select_filters: filters},
		{order_by: order},
		{select_filters: {id: {gte: 1}}, order_by: order},
		{select_filters: filters, order_by: [{col: 'id', dir: 'asc'}]},
	];
	for (const other of others) {
		expect(await lists.page({...other, after_token})).toEqual({
			status: 400,
			body: refusal('invalid_token', 'Invalid pagination token'),
		});
	}
});

function partsOf(token: string): readonly unknown[] {
	const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
	return Array.isArray(parts) ? parts : expect.fail('tokens are not what this test takes them for');
}

function encode(value: unknown): string {
	return Buffer.from(JSON.stringify(value)).toString('base64url');
}

test('what is no token is refused', async () => {
	await using lists = await openInstanceLists();
	await addMany(lists, 6);
	const {body} = await lists.page({limit: '2'});
	const token = String(body['next_token']);
	const parts = partsOf(token);
	const others: readonly unknown[] = [[], {}, null, [...parts, 1], parts.slice(0, -1)];
	const wrong = ['text', {}, [], true].map(value => [...parts.slice(0, -1), value]);
	const rubbish = ['x', '{}', '💥', token.slice(1), ...[...others, ...wrong].map(encode)];
	expect(await lists.page({after_token: encode(parts)})).toMatchObject({status: 200});
	for (const after_token of rubbish) {
		expect(await lists.page({after_token})).toMatchObject({
			status: 400,
			body: {error: 'invalid_token'},
		});
	}
});

test('an instance that comes or goes between two pages moves no other', async () => {
	await using lists = await openInstanceLists();
	const ids = await addMany(lists, 6);
	const order_by = [{col: 'id', dir: 'desc'}];
	const {body} = await lists.page({limit: '2', order_by});
	expect(idsIn(body)).toEqual([ids[5], ids[4]]);
	await lists.add();
	await lists.database
		.updateTable('instances')
		.set({destroyed_at: TEST_NOW})
		.where('id', '=', ids[4] ?? 0)
		.execute();
	const next = await lists.page({limit: '2', order_by, after_token: body['next_token']});
	expect(idsIn(next.body)).toEqual([ids[3], ids[2]]);
});

test('pages in the order of what time changes go on where they ended', async () => {
	await using lists = await openInstanceLists();
	for (const left of [50, 10, 30, 20]) await lists.add({end_date: TEST_NOW + left});
	const order_by = [{col: 'duration', dir: 'asc'}];
	const {body} = await lists.page({limit: '2', order_by});
	expect(idsIn(body)).toEqual([2, 4]);
	lists.clock.pass(1000);
	const next = await lists.page({limit: '2', order_by, after_token: body['next_token']});
	expect(idsIn(next.body)).toEqual([3, 1]);
});

test('filters are of labels, null among them, and labels are counted as far as they fit', async () => {
	await using lists = await openInstanceLists();
	for (const label of [null, 'x', 'X', 'y', '__proto__', null]) await lists.add({label});
	const found = async (label: unknown) => {
		const {body} = await lists.page({select_filters: {label}});
		return idsIn(body);
	};
	expect(await found({in: [null, 'y']})).toEqual([1, 4, 6]);
	expect(await found({eq: 'x'})).toEqual([2, 3]);
	expect(await found({notin: [null, 'x']})).toEqual([4, 5]);
	const {body} = await lists.page({select_filters: {label: {in: [null, 'x']}}});
	expect(body).toMatchObject({total_instances: 4, label_counts: {'': 2, x: 1, X: 1}});
	const {label_counts: all} = (await lists.page()).body;
	expect(Object.entries(isRecord(all) ? all : {})).toContainEqual(['__proto__', 1]);
});

test('a filter of another account finds nothing of it', async () => {
	await using lists = await openInstanceLists();
	const {id} = await lists.add({account_id: lists.other});
	const {body} = await lists.page({select_filters: {id: {eq: id}}});
	expect(body).toMatchObject({total_instances: 0, instances: []});
});

test.each([
	[
		{select_filters: {dph_total: {lt: 1}}},
		'Error in query parameters: dph_total is not a valid search key',
	],
	[
		{select_filters: {num_gpus: {eq: 1}}},
		'Error in query parameters: num_gpus is not a valid search key',
	],
	[{select_filters: {id: {near: 1}}}, 'near is not a valid search op'],
	[{select_filters: '{'}, 'Error in query parameters: select_filters is not valid JSON.'],
	[
		{order_by: [{col: 'nope', dir: 'asc'}]},
		'Error in query parameters: order_by: "nope" is not a valid search key',
	],
	[{limit: 'many'}, 'Error in query parameters: limit takes a whole number'],
	[{select_cols: '{}'}, 'select_cols takes a list of names'],
])('%j is refused', async (query, message) => {
	await using lists = await openInstanceLists();
	const reply = await lists.page(query);
	expect(reply).toEqual({status: 400, body: refusal('invalid_request', message)});
});

test('the fields that are asked for come alone, with the id and null for unknown ones', async () => {
	await using lists = await openInstanceLists([{gpu_name: 'A'}]);
	const {id} = await lists.add({label: 'x'});
	const select_cols = ['label', 'gpu_name', 'nope', 'toString', '__proto__', 'ports'];
	const {body} = await lists.page({select_cols});
	const [record = {}] = recordsIn(body);
	expect(new Map(Object.entries(record))).toEqual(
		new Map<string, unknown>([
			['id', id],
			['label', 'x'],
			['gpu_name', 'A'],
			['nope', null],
			['toString', null],
			['__proto__', null],
			['ports', {}],
		]),
	);
	const whole = (await lists.page({select_cols: ['id', '*']})).body['instances'];
	expect(whole).toEqual((await lists.read('/api/v0/instances/')).body['instances']);
});

test('the fields of the table that clients show are all known', async () => {
	await using lists = await openInstanceLists();
	await lists.add({
		actual: 'loading',
		message: 'x',
		label: 'x',
		template_id: 1,
		template_name: 'x',
	});
	const names = [
		'id actual_status label num_gpus gpu_name disk_space disk_usage disk_util volume_info',
		'dph_total image_uuid start_date machine_id template_id template_name inet_up inet_down',
		'status_msg geolocation verification',
	];
	const select_cols = names.join(' ').split(' ');
	const {body} = await lists.page({select_cols});
	const [record = {}] = recordsIn(body);
	expect(select_cols.filter(name => record[name] === null)).toEqual([]);
});
