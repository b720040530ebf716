import {expect, test} from 'vitest';
import {createBell} from '../../source/market/bell.ts';

const LONG_MS = 100_000;

test('those who wait for a name are woken, and may wait again', async () => {
	const bell = createBell();
	const waiting = [bell.wait(1, LONG_MS), bell.wait(1, LONG_MS)];
	bell.ring(2);
	bell.ring(1);
	expect(await Promise.all(waiting)).toEqual([true, true]);
});

test('waiting ends by itself', async () => {
	expect(await createBell().wait(1, 0)).toBe(true);
});

test('who leaves waits no more', async () => {
	const bell = createBell();
	const leaving = new AbortController();
	const waiting = bell.wait(1, LONG_MS, leaving.signal);
	leaving.abort();
	expect(await waiting).toBe(false);
	expect(await bell.wait(1, LONG_MS, leaving.signal)).toBe(false);
});

test('a bell that is stopped keeps nobody', async () => {
	const bell = createBell();
	const waiting = bell.wait(1, LONG_MS);
	bell.stop();
	expect(await waiting).toBe(false);
	expect(await bell.wait(1, LONG_MS)).toBe(false);
});
