import {expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {openRunBook} from '../../../source/renter/training/kept-runs.ts';
import {createRunRounds} from '../../../source/renter/training/run-rounds.ts';
import {leaseOf} from '../../../source/renter/leases/held.ts';
import {endlessLease} from '../../../source/renter/words/lease.ts';
import type {Event} from '../../../source/renter/words/alert.ts';

const NOON = Date.UTC(2026, 10, 23, 12);

const stepsTo = (count: number, now: number, last = '') =>
	Array.from({length: count}, (_, at) => {
		const time = new Date(now - (count - at) * 1000).toISOString();
		return `${time} step ${at + 1}/1000 loss ${(4 - at / 100).toFixed(3)}\n`;
	}).join('') + last;

type Listed = {readonly id: number; readonly actual_status: string; readonly label?: string};

/** Rounds over logs that are told, with the time in hand. */
function openRounds(count: number) {
	const clock = {now: NOON};
	const logs = new Map<number, string>();
	const asked: number[] = [];
	const told: Event[] = [];
	const instances = {
		async logs(id: number) {
			asked.push(id);
			const text = logs.get(id);
			if (text === undefined) throw new Error('no log');
			return text;
		},
	};
	const rounds = createRunRounds({
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a client that has logs alone
		client: {instances, clock: {skewMs: () => 0}} as unknown as Client,
		now: () => clock.now,
		send: event => void told.push(event),
		book: openRunBook(undefined),
		signal: new AbortController().signal,
	});
	const all = Array.from({length: count}, (_, at) => ({id: at + 1, actual_status: 'running'}));
	async function pass(seconds: number, listed: readonly Listed[] = all) {
		for (let second = 0; second < seconds; second += 30) {
			clock.now += 30_000;
			rounds.readDue(listed);
			// oxlint-disable-next-line no-await-in-loop -- a look of the guard after the other
			await rounds.settle();
		}
	}
	return {clock, logs, asked, told, pass, rounds};
}

test('a guard tells without a console that a loss is no number, once, after two looks that agree', async () => {
	const {clock, logs, told, pass} = openRounds(1);
	logs.set(1, stepsTo(30, clock.now));
	await pass(60);
	expect(told).toEqual([]);
	logs.set(1, stepsTo(30, clock.now, 'step 31/1000 loss nan\n'));
	await pass(60);
	expect(told).toEqual([]);
	await pass(300);
	expect(told).toMatchObject([{kind: 'run-nan', instance: 1}]);
});

test('a log is read once a minute, seldom where it has no run, and not of what does not run', async () => {
	const {clock, logs, asked, pass} = openRounds(2);
	logs.set(1, stepsTo(30, clock.now));
	logs.set(2, 'hello');
	await pass(300);
	expect(asked.filter(id => id === 1)).toHaveLength(5);
	expect(asked.filter(id => id === 2)).toHaveLength(1);
	asked.length = 0;
	await pass(120, [{id: 1, actual_status: 'exited'}]);
	expect(asked).toEqual([]);
});

test('a log that a lease waits for is read each minute, and what it waited for is told', async () => {
	const {clock, logs, asked, pass, rounds} = openRounds(1);
	const label = 'x [when1 line%3Dbye] [lease1 e1800000000 td]';
	const [instance] = [{id: 1, actual_status: 'running', label, start_date: 1}];
	const {lease = endlessLease} = leaseOf(instance);
	logs.set(1, 'hello\n');
	await pass(300, [instance]);
	expect(asked).toHaveLength(5);
	expect(rounds.done.isRead(instance, lease)).toBe(true);
	logs.set(1, 'hello\nbye\n');
	await pass(60, [instance]);
	expect(rounds.done.evidence(instance, lease)).toBe(undefined);
	await pass(60, [instance]);
	expect(rounds.done.evidence(instance, lease)).toBe('its log says "bye"');
	logs.delete(1);
	await pass(240, [instance]);
	expect(rounds.done.evidence(instance, lease)).toBe(undefined);
	expect(clock.now).toBeGreaterThan(NOON);
});

test('of a large fleet a round reads some logs, each in its turn', async () => {
	const {asked, pass} = openRounds(30);
	await pass(30);
	expect(asked).toHaveLength(12);
	await pass(60);
	expect(new Set(asked).size).toBe(30);
});
