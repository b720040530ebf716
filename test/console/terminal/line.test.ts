import {expect, test} from 'vitest';
import {answersTo, openSlowTerminal} from '../../helpers/console/slow-line.ts';

const slow = {bytesPerSecond: 960, delayMs: 300};
const quick = {bytesPerSecond: 1_000_000, delayMs: 1};
const roundTripBytes = 960 * 0.6;

/** Waits until the first frame is seen and answered. */
async function openSettled(options: Parameters<typeof openSlowTerminal>[0]) {
	const it = openSlowTerminal(options);
	await it.pass(6000);
	it.taken();
	return it;
}

test('a key that is held on a slow line leaves no more in it than two round trips take', async () => {
	const it = await openSettled(slow);
	const most = await it.hold('j', 5000);
	const [frame = ''] = it.taken();
	expect(most).toBeLessThanOrEqual(2 * roundTripBytes + frame.length);
	expect(it.keys().split(' ')).toHaveLength(152);
});

test('after a held key is let go one frame follows, and it shows the last', async () => {
	const it = await openSettled(slow);
	await it.hold('j', 5000);
	it.taken();
	await it.pass(1200 + (2 * roundTripBytes + 700) / 0.96);
	expect(it.taken().length).toBeLessThanOrEqual(1);
	expect(it.waiting()).toBe(0);
	expect(await it.screen()).toMatch(/23 -+ 152$/);
});

test('on a quick line each key has its frame, and few of them a question', async () => {
	const it = await openSettled(quick);
	await it.hold('j', 3000);
	const taken = it.taken();
	expect(taken).toHaveLength(91);
	expect(taken.filter(frame => answersTo(frame) !== '').length).toBeLessThan(91);
});

test('a line that is far away but quick carries a frame for each key of somebody who types', async () => {
	const it = await openSettled({bytesPerSecond: 1_000_000, delayMs: 100});
	await it.hold('j', 3000);
	expect(it.taken().length).toBeGreaterThan(80);
});

test('a terminal that never answers is waited for a few seconds, and then written to at once', async () => {
	const it = openSlowTerminal({...quick, answer: () => ''});
	await it.pass(9000);
	await it.hold('j', 6000);
	it.taken();
	await it.hold('j', 1000);
	const taken = it.taken();
	expect(taken).toHaveLength(31);
	expect(answersTo(taken.join(''))).toBe('');
});

test('before a first answer no more than a frame and a bit is written', async () => {
	const it = openSlowTerminal({bytesPerSecond: 960, delayMs: 20_000});
	await it.hold('j', 1900);
	expect(it.taken().join('').length).toBeLessThan(8192 + 2000);
});

test('a terminal that answers twice is written to no faster than twice', async () => {
	const it = await openSettled({...slow, answer: data => answersTo(data) + answersTo(data)});
	const most = await it.hold('j', 5000);
	expect(most).toBeLessThanOrEqual(2 * roundTripBytes + 600);
	expect(it.keys()).not.toMatch(/report|R/);
});

test('answers to what was never asked change nothing, and no key is made of them', async () => {
	const garbage = '\u001B[7;99999R\u001B[0;0R\u001B[;R\u001B[1;10R';
	const it = await openSettled({...slow, answer: data => garbage + answersTo(data) + garbage});
	const most = await it.hold('j', 5000);
	expect(most).toBeLessThanOrEqual(2 * roundTripBytes + 600);
	expect(new Set(it.keys().split(' '))).toEqual(new Set(['j']));
});

test('an answer that comes in pieces, with a pause behind its ESC, is no key', async () => {
	const it = openSlowTerminal({...slow, answer: () => ''});
	await it.pass(500);
	const [question = ''] = it.taken().filter(frame => answersTo(frame) !== '');
	for (const byte of answersTo(question)) {
		it.stdin.write(byte);
		// oxlint-disable-next-line no-await-in-loop -- the bytes come one after the other
		await it.pass(90);
	}
	await it.pass(3000);
	expect(it.keys()).toBe('');
});

test('a device that takes bytes no faster than it sends them is given no frame before it had the last', async () => {
	const it = openSlowTerminal({...slow, answer: () => '', write: bytes => bytes / 0.96});
	await it.pass(9000);
	await it.hold('j', 4000);
	it.taken();
	await it.hold('j', 9000);
	expect(it.taken().length).toBeLessThan(6);
});

test('what is still to be answered when the terminal is left comes to nobody else', async () => {
	const it = await openSettled(slow);
	await it.hold('j', 500);
	let isLeft = false;
	void it.terminal.leave().then(() => (isLeft = true));
	const before = it.taken().length;
	expect([before > 0, isLeft]).toEqual([true, false]);
	await it.pass(300);
	expect(isLeft).toBe(false);
	it.stdin.write('x');
	await it.pass(3000);
	expect([isLeft, it.keys().includes('x'), it.stdin.isPaused()]).toEqual([true, false, true]);
	expect(it.taken()).toEqual([]);
});

test('another question has one of ours behind it, so that its answer comes to nobody else either', async () => {
	const it = await openSettled(slow);
	it.taken();
	it.terminal.ask('\u001B[?1006$p');
	let isLeft = false;
	void it.terminal.leave().then(() => (isLeft = true));
	await it.pass(100);
	expect(isLeft).toBe(false);
	await it.pass(3000);
	expect(isLeft).toBe(true);
});

test('a terminal that stops to answer does not keep the shell waiting for ever', async () => {
	let isMute = false;
	const it = await openSettled({...slow, answer: data => (isMute ? '' : answersTo(data))});
	isMute = true;
	await it.hold('j', 500);
	let isLeft = false;
	void it.terminal.leave().then(() => (isLeft = true));
	await it.pass(15_000);
	expect(isLeft).toBe(true);
});

test('a line turns out to be slow by its frames, and what nobody typed for is drawn every five seconds', async () => {
	const it = openSlowTerminal(slow);
	const said: boolean[] = [];
	it.terminal.onSlow(isSlow => said.push(isSlow));
	await it.pass(6000);
	for (let frames = 0; frames < 4; frames += 1) {
		it.terminal.screen.forget();
		it.draw();
		// oxlint-disable-next-line no-await-in-loop -- one frame after the other
		await it.pass(9000);
	}
	expect(said).toEqual([true]);
	it.taken();
	for (let second = 0; second < 20; second += 1) {
		it.terminal.screen.forget();
		it.draw();
		// oxlint-disable-next-line no-await-in-loop -- a clock ticks
		await it.pass(1000);
	}
	expect(it.taken().length).toBeLessThanOrEqual(5);
});

test('the link is as long as the quickest answer takes, whatever else was on its way', async () => {
	const it = await openSettled(slow);
	await it.hold('j', 2000);
	const times: number[] = [];
	it.terminal.measureLink(ms => times.push(ms));
	await it.pass(3000);
	expect(times).toHaveLength(1);
	expect(times[0]).toBeLessThan(660);
});

test('the first frames wait for no answer, however little the first answer told', async () => {
	const it = openSlowTerminal({bytesPerSecond: 1_000_000, delayMs: 1000});
	await it.pass(150);
	// The first question has its answer, late, and the frame behind it has none.
	it.stdin.write('\u001B[1;1R');
	await it.pass(10);
	it.taken();
	await it.hold('j', 90);
	expect(it.taken()).toHaveLength(3);
});

test('a line that is far away is not slow', async () => {
	const it = openSlowTerminal({bytesPerSecond: 1_000_000, delayMs: 400});
	const said: boolean[] = [];
	it.terminal.onSlow(isSlow => said.push(isSlow));
	await it.pass(6000);
	await it.hold('j', 3000);
	expect(said).toEqual([]);
});
