import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {nextRun, type Schedule} from '../../../source/market/scheduled-jobs/rules.ts';
import {callLate} from '../../helpers/market/after-read.ts';
import {openSharedMachine, type SharedMachine} from '../../helpers/market/shared-machine.ts';
import {contract} from '../../../source/contract/index.ts';
import {refusal, TEST_NOW, wholeReply} from '../../helpers/market/market.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

const reboot = (id: number, more: object = {}) => ({
	api_endpoint: `/api/v0/instances/reboot/${id}/`,
	request_method: 'PUT',
	request_body: {instance_id: id},
	instance_id: id,
	frequency: 'HOURLY',
	start_time: TEST_NOW,
	...more,
});

async function call(machine: SharedMachine, method: string, path = '', body?: unknown, key = '') {
	const headers = key === '' ? {} : {authorization: `Bearer ${key}`};
	const sent = body === undefined ? null : JSON.stringify(body);
	return machine.call(`/api/v0/commands/schedule_job/${path}`, {method, body: sent, headers});
}

async function open() {
	const machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0]});
	const hear = async (seconds: number) => {
		const at = machine.clock.now() + seconds;
		await machine.database.updateTable('machines').set({heard_at: at}).execute();
	};
	const run = async (seconds: number) => {
		await hear(seconds);
		await machine.pass(seconds);
	};
	return {...machine, id, hear, run, boots: async () => (await machine.row(id)).boot};
}

test('a job by the hour reboots its instance at its minute, once each time', async () => {
	await using world = await open();
	const made = await call(world, 'POST', '', reboot(world.id, {start_time: TEST_NOW + 60}));
	expect(made).toMatchObject({status: 200, body: {success: true}});
	const before = await world.boots();
	await world.run(59);
	expect(await world.boots()).toBe(before);
	for (const hour of [1, 2, 3]) {
		await world.run(HOUR);
		await world.run(0);
		expect(await world.boots()).toBe(before + hour);
	}
	expect((await call(world, 'GET')).body).toMatchObject([
		{instance_id: world.id, frequency: 'HOURLY', last_result: 'done'},
	]);
});

test('what was missed while no market was open runs once', async () => {
	await using world = await open();
	await call(world, 'POST', '', reboot(world.id, {end_time: TEST_NOW + 30 * DAY}));
	const before = await world.boots();
	await world.run(2 * DAY);
	expect(await world.boots()).toBe(before + 1);
});

test('sweeps at the same time run a job once', async () => {
	await using world = await open();
	await call(world, 'POST', '', reboot(world.id, {start_time: TEST_NOW + 60}));
	const before = await world.boots();
	await world.hear(HOUR + 60);
	world.clock.pass(HOUR + 60);
	await Promise.all([world.sweep(), world.sweep(), world.sweep()]);
	expect(await world.boots()).toBe(before + 1);
});

test('a stop and a start are scheduled by the week, a bid by the day', async () => {
	await using world = await open();
	const {id} = world;
	const state = {
		...reboot(id),
		api_endpoint: `/api/v0/instances/${id}/`,
		request_body: {state: 'stopped', instance_id: id},
		frequency: 'WEEKLY',
		day_of_the_week: 3,
		hour_of_the_day: 5,
		end_time: TEST_NOW + 30 * DAY,
	};
	expect((await call(world, 'POST', '', state)).status).toBe(200);
	await world.run(8 * DAY);
	expect((await world.row(id)).intended).toBe('stopped');
});

test('an instance is stopped each night and started each morning', async () => {
	await using world = await open();
	const {id} = world;
	const daily = (state: string, hour: number) => ({
		...reboot(id),
		api_endpoint: `/api/v0/instances/${id}/`,
		request_body: {state, instance_id: id},
		frequency: 'DAILY',
		hour_of_the_day: hour,
		end_time: TEST_NOW + 30 * DAY,
	});
	const stop = await call(world, 'POST', '', daily('stopped', 22));
	const start = await call(world, 'POST', '', daily('running', 6));
	expect([stop.status, start.status]).toEqual([200, 200]);
	expect((await call(world, 'POST', '', daily('running', 7))).status).toBe(422);
	const seen = new Set<string>();
	for (let hours = 0; hours < 48; hours += 1) {
		await world.run(HOUR);
		const hour = new Date(world.clock.now() * 1000).getUTCHours();
		seen.add(`${hour >= 22 || hour < 6 ? 'night' : 'day'} ${(await world.row(id)).intended}`);
	}
	expect([...seen].toSorted()).toEqual(['day running', 'night stopped']);
});

test('a job whose key has ended or may no longer do it fails, and says so', async () => {
	await using world = await open();
	const key = await world.createKey('jobs');
	await call(world, 'POST', '', reboot(world.id), key);
	const before = await world.boots();
	await world.database
		.updateTable('api_keys')
		.set({permissions: '{"user_read": true}'})
		.where('name', '=', 'jobs')
		.execute();
	await world.run(HOUR);
	expect((await call(world, 'GET')).body).toMatchObject([
		{last_result: 'This key lacks the permission instance_write.'},
	]);
	await world.database
		.updateTable('api_keys')
		.set({deleted_at: TEST_NOW})
		.where('name', '=', 'jobs')
		.execute();
	await world.run(HOUR);
	expect((await call(world, 'GET')).body).toMatchObject([{last_result: 'Its API key has ended.'}]);
	expect(await world.boots()).toBe(before);
});

test('the same call of an instance is scheduled once, and can be changed and deleted', async () => {
	await using world = await open();
	const {body} = await call(world, 'POST', '', reboot(world.id));
	const {id} = wholeReply(contract.scheduledJobs.create, body);
	expect(await call(world, 'POST', '', reboot(world.id))).toMatchObject({
		status: 422,
		body: {success: false, error: 'job_exists', scheduled_job_id: id},
	});
	const change = {request_body: {}, frequency: 'DAILY', hour_of_the_day: 4};
	expect((await call(world, 'PUT', `${id}/`, change)).status).toBe(200);
	expect((await call(world, 'GET')).body).toMatchObject([
		{id, frequency: 'DAILY', hour_of_the_day: 4},
	]);
	expect((await call(world, 'DELETE', `${id}/`)).status).toBe(200);
	expect((await call(world, 'GET')).body).toEqual([]);
	expect((await call(world, 'DELETE', `${id}/`)).status).toBe(404);
});

test('a job that is deleted while it is changed is not said to be changed', async () => {
	await using world = await open();
	const {body} = await call(world, 'POST', '', reboot(world.id));
	const path = `${wholeReply(contract.scheduledJobs.create, body).id}/`;
	const {file, key} = world;
	const late = {file, key, of: 'request_body', act: async () => call(world, 'DELETE', path)};
	const change = {request_body: {}, frequency: 'DAILY', hour_of_the_day: 4};
	const reply = await callLate(late, 'PUT', `/commands/schedule_job/${path}`, change);
	expect(reply).toMatchObject({status: 404});
	expect((await call(world, 'GET')).body).toEqual([]);
});

test('a job goes with its instance', async () => {
	await using world = await open();
	await call(world, 'POST', '', reboot(world.id));
	await world.act('DELETE', `${world.id}/`);
	expect((await call(world, 'GET')).body).toEqual([]);
});

test.each([
	['of another instance', {instance_id: 999_999}, /must name the instance/],
	['that destroys', {request_method: 'DELETE'}, /^Only PUT/],
	['of another path', {api_endpoint: '/api/v0/ssh/'}, /^Only PUT/],
	['by the day without an hour', {frequency: 'DAILY'}, /hour_of_the_day must be given/],
	['by the week without a day', {frequency: 'WEEKLY', hour_of_the_day: 1}, /day_of_the_week must/],
	['by the minute', {frequency: 'MINUTELY'}, /must be HOURLY, DAILY or WEEKLY/],
	['that ends before it runs', {end_time: TEST_NOW + 1}, /would never run/],
	['at an hour that is none', {hour_of_the_day: 24}, /hour_of_the_day: must be at most 23/],
])('a job %s is refused', async (_, more, msg) => {
	await using world = await open();
	const body = reboot(world.id, {start_time: TEST_NOW + 1, ...more});
	expect(await call(world, 'POST', '', body)).toMatchObject({
		status: 400,
		body: refusal('invalid_args', expect.stringMatching(msg)),
	});
});

test('a label is not scheduled with a state, and nothing of somebody else is', async () => {
	await using world = await open();
	const path = `/api/v0/instances/${world.id}/`;
	const body = {state: 'running', label: 'x'};
	const labelled = reboot(world.id, {api_endpoint: path, request_body: body});
	expect((await call(world, 'POST', '', labelled)).status).toBe(400);
	const other = await world.createKey('other', 'host');
	expect((await call(world, 'POST', '', reboot(world.id), other)).status).toBe(404);
});

test('every run of a schedule is at its minute, hour and day in UTC, and none is left out', () => {
	const schedules = fc.record({
		frequency: fc.constantFrom('HOURLY', 'DAILY', 'WEEKLY'),
		startAt: fc.integer({min: 1_790_000_000, max: 1_800_000_000}),
		day: fc.nat({max: 6}),
		hour: fc.nat({max: 23}),
		minute: fc.nat({max: 59}),
	});
	fc.assert(
		fc.property(schedules, given => {
			const schedule: Schedule = {...given, endAt: given.startAt + 30 * DAY};
			const period = {HOURLY: HOUR, DAILY: DAY, WEEKLY: 7 * DAY}[schedule.frequency];
			const first = nextRun(schedule, 0) ?? NaN;
			expect(first - schedule.startAt).toBeGreaterThanOrEqual(0);
			expect(first - schedule.startAt).toBeLessThan(period);
			const date = new Date(first * 1000);
			expect(date.getUTCMinutes()).toBe(schedule.minute);
			if (schedule.frequency !== 'HOURLY') expect(date.getUTCHours()).toBe(schedule.hour);
			if (schedule.frequency === 'WEEKLY') expect(date.getUTCDay()).toBe(schedule.day);
			expect(nextRun(schedule, first + 1)).toBe(first + period);
			expect(nextRun(schedule, schedule.endAt + 1)).toBeUndefined();
		}),
	);
});
