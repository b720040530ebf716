import {expect, test} from 'vitest';
import {messages} from '../../../source/market/lifecycle/rules.ts';
import {refusal, TEST_NOW} from '../../helpers/market/market.ts';
import {openSharedMachine, type SharedMachine} from '../../helpers/market/shared-machine.ts';

const waits = {success: false, error: 'resources_unavailable', msg: messages.queued};

async function shown(machine: SharedMachine, id: number): Promise<string> {
	const {actual, intended, current, next} = await machine.row(id);
	return [actual, intended, current, next].join(' ');
}

test('an instance is stopped: its GPUs are free, and only its disk costs', async () => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0]});
	machine.clock.pass(36);
	expect(await machine.act('PUT', `${id}/`, {state: 'stopped'})).toMatchObject({
		status: 200,
		body: {success: true},
	});
	expect(await shown(machine, id)).toBe('exited stopped stopped stopped');
	expect(await machine.offer(1)).toMatchObject({rentable: 1, rented: 0});
	await machine.pass(30);
	const charges = await machine.database.selectFrom('charges').selectAll().execute();
	const computing = charges.filter(({item}) => item === 'gpu');
	expect(computing).toMatchObject([{source_id: id, amount_micros: 10_000}]);
	expect(charges.find(({item}) => item === 'disk')?.last_at).toBe(TEST_NOW + 66);
});

test('stopping what is stopped, and starting what runs, change nothing', async () => {
	await using machine = await openSharedMachine();
	const [up, down] = [await machine.rent({gpus: [0]}), await machine.halt({gpus: [1]})];
	const before = [await machine.row(up), await machine.row(down)];
	machine.clock.pass(10);
	for (const [id, state] of [
		[up, 'running'],
		[down, 'stopped'],
	] as const) {
		const reply = await machine.act('PUT', `${id}/`, {state});
		expect(reply).toMatchObject({status: 200, body: {success: true}});
	}
	expect([await machine.row(up), await machine.row(down)]).toEqual(before);
});

test('an instance is started again, and its host hears of it', async () => {
	await using machine = await openSharedMachine();
	const id = await machine.halt({gpus: [0]});
	await machine.rent({gpus: [1]});
	const {revision} = await machine.row(id);
	const reply = await machine.act('PUT', `${id}`, {state: 'running', label: null, client_id: 'me'});
	expect(reply).toMatchObject({status: 200, body: {success: true}});
	expect(await shown(machine, id)).toBe('exited running running running');
	const after = await machine.row(id);
	expect(after).toMatchObject({boot: 2, container: 1});
	expect(after.revision).toBeGreaterThan(revision);
	expect(await machine.offer(1)).toMatchObject({rentable: 0});
});

test('a start waits while somebody else has the GPUs, and goes on when they are free', async () => {
	await using machine = await openSharedMachine();
	const other = await machine.rent({gpus: [0, 1]});
	const id = await machine.halt({gpus: [1]});
	const reply = await machine.act('PUT', `${id}/`, {state: 'running'});
	expect(reply).toMatchObject({status: 200, body: waits});
	expect(await shown(machine, id)).toBe('exited running stopped running');
	expect(await machine.row(id)).toMatchObject({message: messages.queued, waiting_since: TEST_NOW});
	expect(await machine.act('PUT', `${id}/`, {state: 'running'})).toMatchObject({body: waits});
	await machine.act('PUT', `${other}/`, {state: 'stopped'});
	expect(await shown(machine, id)).toBe('exited running running running');
});

test('stopping what waits ends its waiting', async () => {
	await using machine = await openSharedMachine();
	const other = await machine.rent({gpus: [0]});
	const id = await machine.halt({gpus: [0]});
	await machine.act('PUT', `${id}/`, {state: 'running'});
	const reply = await machine.act('PUT', `${id}/`, {state: 'stopped'});
	expect(reply).toMatchObject({status: 200, body: {success: true}});
	await machine.act('PUT', `${other}/`, {state: 'stopped'});
	expect(await shown(machine, id)).toBe('exited stopped stopped stopped');
});

test('a start at a fixed price takes GPUs from a bid, and one with a low bid waits', async () => {
	await using machine = await openSharedMachine();
	const bidder = await machine.rent({gpus: [0], bid: 0.3});
	const low = await machine.halt({gpus: [0], bid: 0.2});
	const fixed = await machine.halt({gpus: [0]});
	expect(await machine.act('PUT', `${low}/`, {state: 'running'})).toMatchObject({body: waits});
	expect(await machine.act('PUT', `${fixed}/`, {state: 'running'})).toMatchObject({
		body: {success: true},
	});
	expect(await shown(machine, bidder)).toBe('exited running stopped stopped');
	expect(await machine.running(low, fixed)).toEqual([false, true]);
});

test('a start waits for a machine that is not heard, even where nobody has noticed', async () => {
	await using machine = await openSharedMachine();
	await machine.rent({gpus: [1]});
	const id = await machine.halt({gpus: [0]});
	machine.clock.pass(60);
	expect(await machine.act('PUT', `${id}/`, {state: 'running'})).toMatchObject({body: waits});
	expect(await machine.running(id)).toEqual([false]);
});

test('nothing is started without credit', async () => {
	await using machine = await openSharedMachine();
	const [id, other] = [await machine.halt({gpus: [0]}), await machine.halt({gpus: [1]})];
	await machine.database.updateTable('accounts').set({credit_micros: 0}).execute();
	const before = [await machine.row(id), await machine.row(other)];
	const body = refusal('missing_billing', expect.stringContaining('credit'));
	const single = await machine.act('PUT', `${id}/`, {state: 'running', label: 'x'});
	expect(single).toMatchObject({status: 400, body});
	const bulk = await machine.act('PUT', '', {state: 'running', ids: [id, other]});
	expect(bulk).toMatchObject({status: 400, body});
	expect([await machine.row(id), await machine.row(other)]).toEqual(before);
});

test('nothing is started when the time of its rental is over', async () => {
	await using machine = await openSharedMachine();
	await machine.rent({gpus: [1]});
	const id = await machine.halt({gpus: [0]});
	await machine.database.updateTable('instances').set({end_date: TEST_NOW}).execute();
	const reply = await machine.act('PUT', `${id}/`, {state: 'running'});
	expect(reply).toMatchObject({
		status: 400,
		body: refusal('invalid_args', expect.stringContaining(`Instance ${id} cannot be started`)),
	});
	const bulk = await machine.act('PUT', '', {state: 'running', ids: [id]});
	expect(bulk).toMatchObject({status: 200, body: {success: true, queued: [], ended: [id]}});
	expect(await machine.running(id)).toEqual([false]);
});

test.each([
	['a label', 'plain', 'plain'],
	['no label', '', null],
	['a label of characters that are not seen', 'a\tb\u001B[31m', 'a\tb\u001B[31m'],
	['a label as long as can be', '💥'.repeat(1024), '💥'.repeat(1024)],
])('an instance gets %s', async (_, label, kept) => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0], label: 'before'});
	const reply = await machine.act('PUT', `${id}/`, {label});
	expect(reply).toMatchObject({status: 200, body: {success: true}});
	expect(await machine.row(id)).toMatchObject({label: kept, current: 'running'});
});

test('state and label are changed together, also where the start has to wait', async () => {
	await using machine = await openSharedMachine();
	await machine.rent({gpus: [0]});
	const id = await machine.halt({gpus: [0]});
	const reply = await machine.act('PUT', `${id}/`, {state: 'running', label: 'both'});
	expect(reply).toMatchObject({status: 200, body: waits});
	expect(await machine.row(id)).toMatchObject({label: 'both', intended: 'running'});
});

const tooLong = 'x'.repeat(1025);

test.each([
	['nothing', {}, 'invalid_args', 'state or label must be given'],
	['nulls', {state: null, label: null}, 'invalid_args', 'state or label must be given'],
	[
		'a state that there is not',
		{state: 'frozen'},
		'invalid_args',
		"state: must be 'running' or 'stopped'",
	],
	[
		'a state that is no word',
		{state: true},
		'invalid_args',
		"state: must be 'running' or 'stopped'",
	],
	['a label that is no text', {label: 7}, 'invalid_args', 'label: must be text'],
	[
		'a label with NUL',
		{label: 'a\0'},
		'invalid_args',
		'label: must not have NUL or half a character in it',
	],
	[
		'a label with half a character',
		{label: '\uD800'},
		'invalid_args',
		'label: must not have NUL or half a character in it',
	],
	[
		'a label that is too long',
		{label: tooLong},
		'label_too_long',
		'A label has at most 1024 characters.',
	],
	[
		'a state beside a label that is too long',
		{state: 'stopped', label: tooLong},
		'label_too_long',
		expect.any(String),
	],
])('a change to %s is refused', async (_, body, error, msg) => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0]});
	const before = await machine.row(id);
	const reply = await machine.act('PUT', `${id}/`, body);
	expect(reply).toMatchObject({status: 400, body: refusal(error, msg)});
	expect(await machine.row(id)).toEqual(before);
});
