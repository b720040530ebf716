import {join} from 'node:path';
import {expect, test} from 'vitest';
import {observe, type Observation} from '../../source/renter/instance/observations.ts';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {openFolder} from '../helpers/folder.ts';
import {openTestClient} from '../helpers/services/told-service.ts';
import {openRecordedService} from '../helpers/services/recorded-services.ts';

const states = (state: string) => ({
	intended_status: state,
	cur_state: state,
	next_state: state,
	start_date: 1_794_827_200,
});

/** What earlier sweeps have seen: for an hour, looks that showed one running and one stopped. */
function seenBefore(localNow: number): ReadonlyMap<number, Observation> {
	const shown = [
		{id: 4_711_001, ...states('running'), actual_status: 'running'},
		{id: 7, ...states('stopped'), actual_status: 'exited'},
	];
	const seen = shown.map(instance => {
		let one: Observation | undefined;
		for (const minutes of [60, 45, 30, 15]) {
			const now = localNow - minutes * 60_000;
			one = observe(one, instance, {now, localNow: now, idleBelow: 3, bootMs: 600_000});
		}
		return one;
	});
	return new Map(seen.flatMap(one => (one === undefined ? [] : [[one.id, one] as const])));
}

test('what was just started or rebooted is no trouble, and no sweep touches it, however late it runs', async () => {
	await using service = await openRecordedService('accepts-and-lags');
	const run = commandsOf({...service, seen: seenBefore});
	expect((await run('start', '7', '--yes')).code).toBe(0);
	await using client = openTestClient({url: service.url, key: 'k', paceScale: 0});
	await client.instances.reboot(4_711_001);
	for (const seconds of [0, 11, 8]) {
		service.pass(seconds);
		const listed = jsonOf(await run('ps', '--json'));
		expect(listed.map(({condition}) => condition)).toEqual(['failing', 'failing']);
		const swept = await run('sweep', '--yes', '--every', '0.01');
		expect([swept.code, swept.err]).toEqual([
			0,
			expect.stringContaining('too little to call it dead'),
		]);
	}
	service.pass(2);
	expect(jsonOf(await run('ps', '--json')).map(({condition}) => condition)).toEqual([
		'running',
		'running',
	]);
	expect(service.asked.filter(call => call.startsWith('DELETE'))).toEqual([]);
});

test('the journal knows the last start of an instance that was asked for from here', async () => {
	using folder = openFolder();
	await using service = await openRecordedService('accepts-and-lags');
	const journalFile = join(folder.path, 'activity.jsonl');
	await using client = openTestClient({
		url: service.url,
		key: 'its-key',
		paceScale: 0,
		journalFile,
	});
	expect((await client.journal.starts()).size).toBe(0);
	const before = Date.now();
	await client.instances.label(8, 'running');
	await client.instances.stop(9);
	await client.instances.start(7);
	await client.instances.reboot(4_711_001);
	const starts = await client.journal.starts();
	expect([...starts.keys()].toSorted((a, b) => a - b)).toEqual([7, 9, 4_711_001]);
	expect(Object.keys(starts.get(9) ?? {})).toEqual(['stoppedAt']);
	const times = [...starts.values()].flatMap(one => Object.values(one));
	for (const at of times) expect(at).toBeGreaterThanOrEqual(before);
});
