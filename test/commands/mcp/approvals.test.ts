import type {ElicitResult} from '@modelcontextprotocol/client';
import {expect, test} from 'vitest';
import {MOST_WAITING, openApprovals} from '../../../source/renter/agents/approvals.ts';
import {openAgents, revisions} from '../../helpers/commands/agents.ts';
import {openFolder} from '../../helpers/folder.ts';

const wide = {dollars_a_day: 1000, instances: 3, lease_hours: 12};

test('where a person approves, a rent waits for a yes; no is no', async () => {
	await using agents = await openAgents({limits: wide, approve: 'always'});
	const {call, quote} = await agents.connect();
	const bound = await quote();
	const approvals = openApprovals(agents.folders.state);
	const now = agents.clock.now();
	for (const [key, answer] of [
		['a', 'no'],
		['b', 'yes'],
	] as const) {
		expect((await call('rent', {quote: bound, key})).text).toContain('rentty mcp approve');
		const [waiting] = approvals.read(now).filter(one => one.answer === undefined);
		expect(waiting?.words.join('\n')).toContain('image: a/b');
		await approvals.answer(waiting?.id ?? '', answer, now);
		const after = await call('rent', {quote: bound, key});
		expect(after.isError).toBe(answer === 'no');
	}
	expect(await agents.present()).toHaveLength(1);
});

test.each(Object.entries(revisions))(
	'a client of %s that can ask a person does, and rents after a yes alone',
	async (_, options) => {
		await using agents = await openAgents({limits: wide, approve: 'always'});
		const {agent, call, quote} = await agents.connect('trial', {
			...options,
			capabilities: {elicitation: {}},
		});
		const asked: string[] = [];
		let answer: ElicitResult = {action: 'decline'};
		agent.setRequestHandler('elicitation/create', ({params}) => {
			asked.push(params.message);
			return answer;
		});
		const onstart = `echo ${'x'.repeat(1000)} end of it`;
		const bound = await quote({onstart});
		for (const [key, next, isRented] of [
			['a', {action: 'decline'}, false],
			['b', {action: 'cancel'}, false],
			['c', {action: 'accept', content: {approve: false}}, false],
			['d', {action: 'accept', content: {approve: true}}, true],
		] as const) {
			answer = next;
			const {isError, text} = await call('rent', {quote: bound, key});
			expect([key, !isError, text]).toEqual([
				key,
				isRented,
				isRented ? expect.any(String) : 'A person said no. Nothing was rented.',
			]);
		}
		expect(asked).toHaveLength(4);
		expect(asked[0]).toContain('end of it');
		expect(await agents.present()).toHaveLength(1);
	},
);

test('what a person approved is one quote, and none that is asked for with its key later', async () => {
	await using agents = await openAgents({limits: wide, approve: 'always'});
	const {call, quote} = await agents.connect();
	const [shown, other] = [await quote(), await quote({image: 'c/d', hours: 1})];
	const approvals = openApprovals(agents.folders.state);
	const now = agents.clock.now();
	await call('rent', {quote: shown, key: 'a'});
	const [seen] = approvals.read(now);
	await call('rent', {quote: other, key: 'a'});
	await approvals.answer(seen?.id ?? '', 'yes', now);
	expect((await call('rent', {quote: other, key: 'a'})).text).toContain('rentty mcp approve');
	expect(await agents.present()).toEqual([]);
	expect((await call('rent', {quote: shown, key: 'a'})).isError).toBe(false);
});

test('a rent waits by the clock of the machine on which it is answered, whatever the service has', async () => {
	await using agents = await openAgents({limits: wide, approve: 'always'});
	const here = agents.clock.now() - 3600;
	const {call, quote} = await agents.connect('trial', {now: () => here * 1000});
	const bound = await quote();
	await call('rent', {quote: bound, key: 'a'});
	const approvals = openApprovals(agents.folders.state);
	const [waiting] = approvals.waiting(here);
	expect(await approvals.answer(waiting?.id ?? '', 'yes', here)).toBe(true);
	// A second answer changes nothing, and says so.
	expect(await approvals.answer(waiting?.id ?? '', 'no', here)).toBe(false);
	expect((await call('rent', {quote: bound, key: 'a'})).isError).toBe(false);
});

test('requests without end take the place of none that waits for a person', async () => {
	using folder = openFolder();
	const approvals = openApprovals(folder.path);
	const words = ['x'.repeat(4000)];
	const asked = {at: 1000, agent: 'a', words};
	await approvals.ask({...asked, id: 'first'});
	for (let count = 0; count < MOST_WAITING + 5; count++) {
		// oxlint-disable-next-line no-await-in-loop -- one after the other, as an agent calls
		await approvals.ask({...asked, id: `flood ${count}`});
	}
	const waiting = approvals.read(1000);
	expect([waiting.length, waiting[0]?.id]).toEqual([MOST_WAITING, 'first']);
});
