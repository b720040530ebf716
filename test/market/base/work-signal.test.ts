import {expect, test} from 'vitest';
import {createWorkSignal} from '../../../source/market/base/work-signal.ts';

const LONG_MS = 100_000;

test('those who wait for a name are woken, and may wait again', async () => {
	const workSignal = createWorkSignal();
	const waiting = [workSignal.wait(1, LONG_MS), workSignal.wait(1, LONG_MS)];
	workSignal.send(2);
	workSignal.send(1);
	expect(await Promise.all(waiting)).toEqual([true, true]);
});

test('waiting ends by itself', async () => {
	expect(await createWorkSignal().wait(1, 0)).toBe(true);
});

test('who leaves waits no more', async () => {
	const workSignal = createWorkSignal();
	const leaving = new AbortController();
	const waiting = workSignal.wait(1, LONG_MS, leaving.signal);
	leaving.abort();
	expect(await waiting).toBe(false);
	expect(await workSignal.wait(1, LONG_MS, leaving.signal)).toBe(false);
});

test('a stopped work signal keeps nobody waiting', async () => {
	const workSignal = createWorkSignal();
	const waiting = workSignal.wait(1, LONG_MS);
	workSignal.stop();
	expect(await waiting).toBe(false);
	expect(await workSignal.wait(1, LONG_MS)).toBe(false);
});
