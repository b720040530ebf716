import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../../helpers/commands/commands.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openSharedMachine} from '../../helpers/market/shared-machine.ts';

/** Commands of a renter with an instance. */
async function openJobs() {
	const machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0], label: 'train'});
	return {
		...machine,
		id,
		run: commandsOf({url: machine.url, key: machine.key, clock: machine.clock}),
	};
}

test('jobs are scheduled in words, listed with what they do and when, and removed', async () => {
	await using market = await openJobs();
	const {id, run} = market;
	expect((await run('jobs')).err).toContain('No job is scheduled.');
	const added = await run('jobs', 'add', 'train', 'stop', '--daily', '22:30', '--yes');
	expect(added).toMatchObject({code: 0});
	expect(added.out).toMatch(/^Job \d+: stop .*train.* each day at 22:30\n$/);
	const weekly = ['--daily', '6:00', '--weekly', 'monday', '--yes'];
	await run('jobs', 'add', String(id), 'reboot', ...weekly);
	await run('jobs', 'add', 'train', 'run', 'ls -l /root', '--hourly', '5', '--yes');
	const listed = jsonOf(await run('jobs', '--json'));
	expect(listed.map(({what, when}) => [what, when])).toEqual([
		['stop', 'each day at 22:30'],
		['reboot', 'each Monday at 06:00'],
		['run ls -l /root', 'each hour at :05'],
	]);
	expect(listed[0]).toMatchObject({instance_id: id, request_body: {state: 'stopped'}});
	const [head] = (await run('jobs')).out.split('\n');
	expect(head).toBe('ID\tINSTANCE\tWHAT\tWHEN (UTC)\tUNTIL\tLAST RUN\tRESULT');
	const number = String(listed[0]?.['id']);
	const unasked = await run('jobs', 'remove', number);
	expect(unasked).toMatchObject({code: 2});
	expect(unasked.err).toContain(`stop instance ${id} each day at 22:30`);
	expect(await run('jobs', 'remove', number, '--yes')).toMatchObject({out: `${number} removed\n`});
	expect(jsonOf(await run('jobs', '--json'))).toHaveLength(2);
	expect(await run('jobs', 'remove', number, '--yes')).toMatchObject({code: 4});
});

test('a job that stops an instance is named beside its lease, and without one', async () => {
	await using market = await openJobs();
	const {run} = market;
	expect((await run('lease', 'train')).out).not.toContain('job');
	await run('jobs', 'add', 'train', 'stop', '--daily', '22:30', '--yes');
	await run('jobs', 'add', 'train', 'reboot', '--daily', '21:30', '--yes');
	const may =
		/\n {2}job {7}may act, \d+ stops it each day at 22:30 UTC until \S+; it goes by no lease: rentty jobs remove \d+\n$/v;
	const without = (await run('lease', 'train')).out;
	expect(without).toMatch(/train has no lease, and may still be ended by:\n/v);
	expect(without).toMatch(may);
	expect((await run('lease', 'train', '--for', '6h')).out).toMatch(may);
	const kept = (await run('lease', 'train', '--none', '--keep')).out;
	expect(kept).toMatch(/has a lease that does not end it, and may still be ended by:\n/v);
	expect(kept).toMatch(may);
});

test('a job runs when it is due, and its list says what came of it', async () => {
	await using market = await openJobs();
	const minute = String((Math.floor(TEST_NOW / 60) + 2) % 60);
	await market.run('jobs', 'add', 'train', 'stop', '--hourly', minute, '--yes');
	await market.pass(200);
	expect((await market.row(market.id)).current).toBe('stopped');
	const [job] = jsonOf(await market.run('jobs', '--json'));
	expect(job).toMatchObject({what: 'stop'});
	expect(job?.['last_run']).toBeGreaterThan(TEST_NOW);
});

test('a second job of a kind is refused with the number of the first', async () => {
	await using market = await openJobs();
	const words = ['add', 'train', 'stop', '--daily', '1:00', '--yes'];
	expect(await market.run('jobs', ...words)).toMatchObject({code: 0});
	const again = await market.run('jobs', ...words);
	expect(again.code).not.toBe(0);
	expect(again.err).not.toBe('');
});

test.each([
	[['paint'], /takes add, remove/],
	[['remove'], /needs one number/],
	[['add', 'train'], /and what is to be done/],
	[['add', 'train', 'dance', '--daily', '1:00'], /stop, start, reboot, bid or run/],
	[['add', 'train', 'stop', 'now', '--daily', '1:00'], /stop takes no value/],
	[['add', 'train', 'run', '--daily', '1:00'], /run takes a value/],
	[['add', 'train', 'bid', 'much', '--daily', '1:00'], /dollars an hour/],
	[['add', 'train', 'stop'], /needs --hourly or --daily/],
	[['add', 'train', 'stop', '--hourly', '61'], /a minute from 0 to 59/],
	[['add', 'train', 'stop', '--daily', '25:00'], /such as 22:00/],
	[['add', 'train', 'stop', '--daily', '1:00', '--until', '2001-01-01'], /a date to come/],
])('rentty jobs %j says what is missing', async (words, says) => {
	await using market = await openJobs();
	const ran = await market.run('jobs', ...words, '--yes');
	expect(ran.code).toBe(2);
	expect(ran.err).toMatch(says);
});
