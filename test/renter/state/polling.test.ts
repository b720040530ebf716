import {expect, test} from 'vitest';
import {NetworkError} from '../../../source/client/exchange/errors.ts';
import {createPolling, pollUntil} from '../../../source/renter/state/polling.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';

const SECOND = 1000;

const every = (lastAt: number) => lastAt + 10 * SECOND;

/** A loop that asks every ten seconds, with time moved by hand. */
function openPolling(answer: () => Promise<void> = async () => {}) {
	const timers = createHandScheduler();
	const polling = createPolling(timers);
	const asked: number[] = [];
	const start = timers.now();
	const times = {...timers, polling, asked, seconds: () => (timers.now() - start) / SECOND};
	async function ask(): Promise<void> {
		asked.push(times.seconds());
		await answer();
	}
	return {...times, ask};
}

const unreachable = new NetworkError('list', new Error('down'));

test('it asks at once, and then as often as it is due', async () => {
	const {polling, ask, asked, pass} = openPolling();
	polling.start({ask, dueAt: every});
	await pass(30 * SECOND);
	expect(asked).toEqual([0, 10, 20, 30]);
});

test('no two calls overlap: whoever asks during one waits for it', async () => {
	const {promise, resolve} = Promise.withResolvers<void>();
	const {polling, ask, asked, pass} = openPolling(async () => promise);
	const poller = polling.start({ask, dueAt: every});
	await pass(60 * SECOND);
	const joined = poller.now();
	poller.plan();
	await pass(60 * SECOND);
	expect(asked).toEqual([0]);
	resolve();
	await joined;
	await pass(10 * SECOND);
	expect(asked).toEqual([0, 120, 130]);
});

test('after failures it waits twice as long each time, up to a minute, and a success ends that', async () => {
	let isDown = true;
	const {polling, ask, asked, pass} = openPolling(async () => {
		if (isDown) throw unreachable;
	});
	const waits: number[] = [];
	polling.start({ask, dueAt: every, onPlan: ms => waits.push(ms / SECOND)});
	await pass(200 * SECOND);
	expect(asked).toEqual([0, 10, 20, 40, 80, 140, 200]);
	expect(waits).toEqual([10, 10, 20, 40, 60, 60, 60]);
	isDown = false;
	await pass(80 * SECOND);
	expect(asked.slice(7)).toEqual([260, 270, 280]);
});

test('an answer to anybody ends the wait for a service that could not be reached, and no other wait', async () => {
	let failure: Error = unreachable;
	const {polling, ask, asked, pass} = openPolling(async () => {
		throw failure;
	});
	polling.start({ask, dueAt: every});
	await pass(85 * SECOND);
	expect(asked.at(-1)).toBe(80);
	polling.online();
	await pass(5 * SECOND);
	expect(asked.at(-1)).toBe(90);
	failure = new Error('refused');
	await pass(10 * SECOND);
	expect(asked.at(-1)).toBe(100);
	polling.online();
	await pass(9 * SECOND);
	expect(asked.at(-1)).toBe(100);
});

test('what only a screen shows waits while nobody sees it, and is asked for when it is seen again', async () => {
	const {polling, ask, asked, pass} = openPolling();
	polling.start({ask, dueAt: every, isForScreen: true});
	await pass(5 * SECOND);
	polling.hide(true);
	await pass(60 * SECOND);
	expect(asked).toEqual([0]);
	polling.hide(false);
	await pass(10 * SECOND);
	expect(asked).toEqual([0, 65, 75]);
});

test('a program that was stopped for an hour asks once, and a clock set back an hour holds nothing up', async () => {
	const hand = createHandScheduler();
	let offset = 0;
	const timers = {now: () => hand.now() + offset, after: hand.after};
	const asked: number[] = [];
	createPolling(timers).start({
		ask: async () => asked.push(hand.now()),
		dueAt: every,
	});
	await hand.pass(0);
	offset = 3_600_000;
	await hand.pass(10 * SECOND);
	expect(asked).toHaveLength(2);
	offset = -3_600_000;
	await hand.pass(20 * SECOND);
	expect(asked).toHaveLength(4);
});

test('a closed poller asks no more', async () => {
	const {polling, ask, asked, pass, planned} = openPolling();
	const poller = polling.start({ask, dueAt: every});
	await pass(0);
	poller.close();
	await pass(60 * SECOND);
	expect(asked).toEqual([0]);
	expect(planned()).toBe(0);
});

test('polling until there is an answer says what fails on the way, and plans nothing afterwards', async () => {
	const hand = createHandScheduler();
	const answers = [undefined, unreachable, undefined, 'here'];
	const said: unknown[] = [];
	const found = pollUntil({
		timers: hand,
		everyMs: 10 * SECOND,
		signal: new AbortController().signal,
		onFailure(error) {
			said.push(error);
			return undefined;
		},
		async ask() {
			const answer = answers.shift();
			if (answer instanceof Error) throw answer;
			return answer;
		},
	});
	await hand.pass(60 * SECOND);
	await expect(found).resolves.toBe('here');
	expect(said).toEqual([unreachable]);
	expect(hand.planned()).toBe(0);
});

test('polling ends with what its own failures throw, and with the reason of its signal', async () => {
	const hand = createHandScheduler();
	const options = {timers: hand, everyMs: 10, signal: new AbortController().signal};
	const failing = async () => {
		throw unreachable;
	};
	await Promise.all([
		expect(pollUntil({...options, ask: failing})).rejects.toBe(unreachable),
		hand.pass(0),
	]);
	const stopping = new AbortController();
	const stopped = pollUntil({...options, signal: stopping.signal, ask: async () => undefined});
	await hand.pass(5);
	stopping.abort(unreachable);
	await expect(stopped).rejects.toBe(unreachable);
	expect(hand.planned()).toBe(0);
});
