import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../../helpers/commands/commands.ts';
import {openRisen} from '../../helpers/market/provided.ts';

test('what is to cost more is listed with what it costs, from when on and until when', async () => {
	await using market = await openRisen();
	const run = commandsOf({url: market.url, key: market.key});
	expect((await run('increases')).out).toBe(
		[
			'ID\tINSTANCE\tWHAT\tKEEPS PRICE UNTIL\tTHEN UNTIL',
			`1\t${market.rented}\tGPU $0.50 to $0.90/h, disk $0.15 to $0.36/GB a month\t2026-11-19\t2026-11-27`,
			'',
		].join('\n'),
	);
	expect(jsonOf(await run('increases', '--json'))).toMatchObject([
		{id: 1, instance: market.rented},
	]);
});

test('a price is accepted after a question, and only where it still waits', async () => {
	await using market = await openRisen();
	const run = commandsOf({url: market.url, key: market.key});
	const unasked = await run('increases', 'accept', '1');
	expect(unasked.code).toBe(2);
	expect(unasked.err).toContain('Nothing was changed');
	expect(await market.waiting()).toHaveLength(1);
	expect(await run('increases', 'accept', '1', '--yes')).toMatchObject({
		code: 0,
		out: '1 accepted\n',
	});
	expect(await market.waiting()).toEqual([]);
	expect(await market.present()).toMatchObject({end_date: market.laterEnd});
	const again = await run('increases', 'accept', '1', '--yes');
	expect(again).toMatchObject({code: 4});
	expect(again.err).toContain('No price increase 1 waits');
	expect((await run('increases')).err).toContain('No price increase waits for an answer.');
});

test('a price is rejected, and the instance ends when it would have', async () => {
	await using market = await openRisen();
	const run = commandsOf({url: market.url, key: market.key});
	const before = await market.present();
	expect(await run('increases', 'reject', '1', '--yes')).toMatchObject({
		code: 0,
		out: '1 rejected\n',
	});
	expect(await market.waiting()).toEqual([]);
	expect((await market.present()).end_date).toBe(before.end_date);
});

test.each([
	[['accept'], 'needs a number'],
	[['accept', 'x'], 'needs a number'],
	[['pay', '1'], 'takes accept or reject'],
	[['accept', '1', '2'], 'one number at a time'],
])('increases %j is said to be wrong', async (words, problem) => {
	await using market = await openRisen();
	const ran = await commandsOf({url: market.url, key: market.key})('increases', ...words);
	expect(ran.code).toBe(2);
	expect(ran.err).toContain(problem);
});
