import {withoutBox} from '../../../helpers/console/box.ts';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {openApprovals} from '../../../../source/renter/agents/approvals.ts';
import {noteCall} from '../../../../source/renter/agents/call-log.ts';
import {openAgents} from '../../../helpers/commands/agents.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openFolder} from '../../../helpers/folder.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';

const at = (minute: number) => new Date(2026, 10, 21, 12, minute, 5);

const words = [
	'profile: practice, on which nothing costs money',
	'offer: 12, 1x RTX 4090 in Sweden, SE',
	'price: $0.360/h for 2.0 h, then destroyed',
	'image: ubuntu:24.04',
];

/** The Activity screen beside what servers of agents have written. */
async function openActivity({columns = 80, rows = 24, more = [] as readonly string[]} = {}) {
	const folder = openFolder();
	const state = folder.path;
	const call = {agent: 'trial', outcome: 'done'} as const;
	await noteCall(state, {
		...call,
		at: at(30).toISOString(),
		tool: 'find',
		input: {words: 'any <2', limit: 3},
		says: '12: 1x RTX 4090, $0.360/h',
	});
	await noteCall(state, {
		...call,
		at: at(31).toISOString(),
		tool: 'end',
		input: {id: 1003, how: 'destroy'},
		outcome: 'refused',
		says: 'Instance 1003 was not rented by an agent\u001B]0;owned\u0007.',
	});
	const approvals = openApprovals(state);
	const asked = {id: 'token sign', at: at(40).getTime() / 1000, agent: 'trial'};
	await approvals.ask({...asked, words: [...words, ...more]});
	const market = await openTestMarket();
	let ms = at(41).getTime();
	const service = {url: market.url, key: market.key};
	const rentty = openTestConsole({service, columns, rows, state, now: () => new Date(ms)});
	rentty.type('5');
	return {
		...rentty,
		/** Goes to what waits, which came after the rows below it. */
		async goToWaiting() {
			await rentty.sees(/WAI/);
			rentty.type('g');
			return rentty.sees(/> [\d:-]+ .*WAI/);
		},
		/** Lets time pass in which a question is read, or a rent waits. */
		pass(seconds: number) {
			ms += seconds * 1000;
		},
		answer: () => approvals.read(ms / 1000)[0]?.answer,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await market.close();
			folder[Symbol.dispose]();
		},
	};
}

test('calls of agents stand in the list, and what waits for the user above all, at 80x24', async () => {
	await using rentty = await openActivity();
	await rentty.goToWaiting();
	expect(await rentty.sees(/1 alert/)).toMatchInlineSnapshot(`
		" rentty   practice market . no money                           1 alert  12:41:05
		0 Overview 1 Offers 2 Instances 3 Templates 4 Keys [5 Activity] 6 Profiles
		filter>                                                                3 entries
		--------------------------------------------------------------------------------
		  TIME        WHAT             ABOUT                        $ RESULT
		> 12:40:05    rent by trial    offer: 12, 1x RTX 409~       - WAITS FOR YOU: En~
		| 12:31:05    end by trial     1003                         - refused, Instance~
		  12:30:05    find by trial    any <2                       - done, 12: 1x RTX ~













		------------------------------------------------------------------------ 1 of 3

		Enter detail  y copy  / filter  v seen  R refresh  ? help  a actions  q quit"
	`);
});

test.each([
	[140, 40],
	[60, 15],
])('a rent that waits is seen at %ix%i', async (columns, rows) => {
	await using rentty = await openActivity({columns, rows});
	expect(await rentty.goToWaiting()).toContain('rent by t');
	rentty.type('\r');
	await rentty.sees('trial  wants to rent');
	await rentty.sees('on which nothing costs money');
});

test('a call of an agent is shown with its inputs, and what it was told harms no terminal', async () => {
	await using rentty = await openActivity();
	await rentty.goToWaiting();
	rentty.type('j\r');
	expect(await rentty.sees('outcome')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                           1 alert  12:41:05
		0 Overview 1 Offers 2 Instances 3 Templates 4 Keys [5 Activity] 6 Profiles
		Activity > end by trial 1003

		 when        2026-11-21 12:31:05
		 what        end by trial
		 about       1003
		 agent       trial
		 tool        end
		 id          1003
		 how         destroy

		 outcome     refused
		             Instance 1003 was not rented by an agent�]0;owned�.









		Esc back  y copy  ? help  a actions  q quit"
	`);
	expect(rentty.written()).not.toContain('\u001B]0;owned');
	rentty.type('y');
	await rentty.sees(/"tool":"end"/);
});

test('the whole quote is read before it is allowed, and the answer is that of the file', async () => {
	const onstart = Array.from({length: 150}, (_, word) => `word${word}`).join(' ');
	await using rentty = await openActivity({more: [`onstart: ${onstart}`]});
	await rentty.goToWaiting();
	rentty.type('\r');
	await rentty.sees('ALLOW RENT');
	rentty.pass(1);
	rentty.type('y');
	await rentty.sees('read it to its end first');
	expect(rentty.answer()).toBeUndefined();
	rentty.type('\u001B[6~');
	await rentty.sees('word149');
	await nextTurn();
	rentty.type('y');
	await rentty.sees('Allowed: trial may rent with this quote, once.');
	expect(rentty.answer()).toBe('yes');
	await rentty.sees(/Activity\](?!.*alert)/s);
});

test('x refuses, leaving answers nothing, and at five minutes there is nothing to answer', async () => {
	await using rentty = await openActivity();
	await rentty.goToWaiting();
	rentty.type('x');
	expect(withoutBox(await rentty.sees('REFUSE RENT'))).toMatchInlineSnapshot(`
		" rentty   practice market . no money                           1 alert  12:41:05
		0 Overview 1 Offers 2 Instances 3 Templates 4 Keys [5 Activity] 6 Profiles
		REFUSE RENT as of 12:41:05

		 trial  wants to rent

		 profile  practice, on which nothing costs money
		 offer    12, 1x RTX 4090 in Sweden, SE
		 price    $0.360/h for 2.0 h, then destroyed
		 image    ubuntu:24.04
		 Then     nothing is rented; the agent may ask with another quote


		 > [ Cancel ]     [ Refuse ]

		y yes  n no  Tab other button  Enter press it"
	`);
	rentty.pass(1);
	rentty.type('\u001B');
	await rentty.sees(/WAITS/);
	expect(rentty.answer()).toBeUndefined();
	rentty.type('x');
	await rentty.sees('REFUSE RENT');
	rentty.pass(1);
	rentty.type('y');
	await rentty.sees('Refused: trial does not rent with this quote.');
	expect(rentty.answer()).toBe('no');
});

test('a rent that waits too long while its question is read is not allowed', async () => {
	await using rentty = await openActivity();
	await rentty.goToWaiting();
	rentty.type('\r');
	await rentty.sees('ALLOW RENT');
	rentty.pass(301);
	rentty.type('y');
	await rentty.sees(/Not answered|now gone/);
});

test('an alert leads to what waits, and where nothing waits no key refuses', async () => {
	await using rentty = await openActivity();
	await rentty.sees(/WAITS/);
	rentty.type('1');
	await rentty.sees('[1 Offers]');
	rentty.type('A');
	expect(await rentty.sees('trial wants to rent')).toContain('agent asks');
	rentty.type('\r');
	await rentty.goToWaiting();
	rentty.type('jx');
	await rentty.sees('no agent waits for an answer there');
});

test('what is allowed in the console is rented by the agent, once', async () => {
	const limits = {dollars_a_day: 1000, instances: 3, lease_hours: 12};
	await using agents = await openAgents({limits, approve: 'always'});
	const {call, quote} = await agents.connect();
	const bound = await quote();
	const {url, key, clock} = agents;
	const {state} = agents.folders;
	const now = () => new Date(clock.now() * 1000);
	await using rentty = openTestConsole({service: {url, key}, state, now});
	await rentty.sees('Offers');
	expect((await call('rent', {quote: bound, key: 'k'})).text).toContain('has to approve');
	await rentty.sees('trial wants to rent, and waits for you');
	rentty.type('5');
	await rentty.sees(/WAITS/);
	rentty.type('\r');
	await rentty.sees(/image +a\/b/);
	clock.pass(1);
	rentty.type('y');
	await rentty.sees('Allowed:');
	expect(await agents.present()).toEqual([]);
	expect((await call('rent', {quote: bound, key: 'k'})).isError).toBe(false);
	expect((await call('rent', {quote: bound, key: 'k'})).isError).toBe(false);
	expect(await agents.present()).toHaveLength(1);
});
