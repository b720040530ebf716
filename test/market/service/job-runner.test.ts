import {expect, test} from 'vitest';
import {hearMachines} from '../../helpers/market/instances.ts';
import {openTestMarket, TEST_NOW} from '../../helpers/market/market.ts';
import {openSharedMachine} from '../../helpers/market/shared-machine.ts';

const HOUR = 3600;

/** A full minute, an hour after the beginning or somewhat sooner. */
const FIRST = Math.floor(TEST_NOW / 60) * 60 + HOUR;

/** An instance that a job reboots by the hour, the first time in an hour; and its market, again. */
async function openScheduled() {
	const world = await openSharedMachine();
	const {database} = world;
	const id = await world.rent({gpus: [0]});
	const job = {
		api_endpoint: `/api/v0/instances/reboot/${id}/`,
		request_method: 'PUT',
		request_body: {},
		instance_id: id,
		frequency: 'HOURLY',
		start_time: FIRST,
	};
	const made = await world.call('/api/v0/commands/schedule_job/', {
		method: 'POST',
		body: JSON.stringify(job),
	});
	expect(made.status).toBe(200);
	const {boot} = await world.row(id);
	return {
		...world,
		id,
		/** Another process at the same database, which was opened at this moment. */
		openAgain: async (now: number) => openTestMarket({file: world.file, now}),
		hear: async (now: number) => hearMachines(database, now),
		runs: async () => (await world.row(id)).boot - boot,
		job: async () => database.selectFrom('scheduled_jobs').selectAll().executeTakeFirst(),
	};
}

test('of two processes that come to a job at the same time, one runs it', async () => {
	await using world = await openScheduled();
	await using other = await world.openAgain(TEST_NOW);
	for (const round of [1, 2, 3]) {
		await world.hear(TEST_NOW + round * HOUR);
		world.clock.pass(HOUR);
		other.clock.pass(HOUR);
		await Promise.all([world.sweep(), other.sweep(), world.sweep(), other.sweep()]);
		expect(await world.runs()).toBe(round);
	}
	expect(await world.job()).toMatchObject({last_result: 'done', next_at: FIRST + 3 * HOUR});
});

test('a market that was closed over several times of a job runs it once when it opens', async () => {
	await using world = await openScheduled();
	const now = FIRST + 4 * HOUR + 60;
	await world.hear(now);
	await using later = await world.openAgain(now);
	await later.sweep();
	expect(await world.runs()).toBe(1);
	expect(await world.job()).toMatchObject({last_at: now, next_at: FIRST + 5 * HOUR});
});

test('a clock that is set back runs no job again, and one that is set forward runs it once', async () => {
	await using world = await openScheduled();
	const sweepAt = async (seconds: number) => {
		world.clock.jump(seconds);
		await world.hear(TEST_NOW + 9 * HOUR);
		await world.sweep();
		return world.runs();
	};
	expect(await sweepAt(HOUR)).toBe(1);
	expect(await sweepAt(-HOUR)).toBe(1);
	expect(await sweepAt(HOUR)).toBe(1);
	expect(await sweepAt(3 * HOUR)).toBe(2);
});

test('a job of an instance that was stopped says why it did nothing, and goes on', async () => {
	await using world = await openScheduled();
	await world.act('PUT', `${world.id}/`, {state: 'stopped'});
	await world.pass(HOUR);
	expect(await world.runs()).toBe(0);
	const {last_result: result, next_at: next} = (await world.job()) ?? {};
	expect(result).not.toBe('done');
	expect(next).toBe(FIRST + HOUR);
});

test('the history says whose key ran a job, also where its member has left', async () => {
	await using world = await openScheduled();
	const {database} = world;
	const {account_id: member_id} = await world.row(world.id);
	const {key_id: id} = (await world.job()) ?? {key_id: 0};
	await database.updateTable('api_keys').set({member_id}).where('id', '=', id).execute();
	await world.hear(TEST_NOW + HOUR);
	await world.pass(HOUR);
	await database.updateTable('api_keys').set({member_id: null}).where('id', '=', id).execute();
	await world.call('/api/v0/audit_logs/');
	const ran = database.selectFrom('account_changes').select(['member_id', 'status']);
	expect(await ran.where('address', '=', '').execute()).toEqual([{member_id, status: 401}]);
});
