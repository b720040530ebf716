import {expect, test} from 'vitest';
import {commandsOf} from '../../helpers/commands/commands.ts';
import {
	instance,
	openLoggingService,
	second,
} from '../../console/screens/instances/logs/open-logs.ts';

const minute = (number: number) => `2026-11-23T12:0${number}:00Z minute ${number}\n`;

async function openTwoLogs() {
	const service = await openLoggingService([instance, second]);
	service.logs.container = `${minute(0)}Traceback\n${minute(2)}${minute(4)}`;
	service.logs.second = minute(1) + minute(3);
	return service;
}

test.each([[['train-a', 'train-b']], [['train-a, train-b']], [['7 8']], [['label~train']]])(
	'logs of several are one in the order of times, whatever names them: %j',
	async names => {
		await using service = await openTwoLogs();
		const {out, code} = await commandsOf(service)('logs', ...names);
		expect(code).toBe(0);
		expect(out.trimEnd().split('\n')).toEqual([
			'7 train-a\t2026-11-23T12:00:00Z minute 0',
			'7 train-a\tTraceback',
			'8 train-b\t2026-11-23T12:01:00Z minute 1',
			'7 train-a\t2026-11-23T12:02:00Z minute 2',
			'8 train-b\t2026-11-23T12:03:00Z minute 3',
			'7 train-a\t2026-11-23T12:04:00Z minute 4',
		]);
	},
);

test('lines that come while logs are followed are merged, too', async () => {
	await using service = await openTwoLogs();
	let hasMore = false;
	const run = commandsOf(service, {
		interruptAfter: /minute 8/,
		onSaid() {
			if (hasMore) return;
			hasMore = true;
			service.logs.container += minute(6) + minute(8);
			service.logs.second += minute(5) + minute(7);
		},
	});
	const {out} = await run('logs', '--follow', '--every', '1', 'label~train');
	expect([...out.matchAll(/minute (\d)/g)].map(([, number]) => Number(number))).toEqual([
		0, 1, 2, 3, 4, 5, 6, 7, 8,
	]);
});
