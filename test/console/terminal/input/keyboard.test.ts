import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import type {Input} from '../../../../source/console/terminal/input/input-filter.ts';
import {createKeyboard, type Keyboard} from '../../../../source/console/terminal/input/keyboard.ts';

type Timer = {readonly run: () => void; readonly at: number};

/** A keyboard on a stream, with the time moved by hand. */
function openKeyboard(onKey?: (key: string, keyboard: Keyboard) => void, escapeDelayMs = () => 50) {
	const stdin = new PassThrough();
	const timers = new Set<Timer>();
	const inputs: Input[] = [];
	let now = 0;
	const keyboard = createKeyboard({
		stdin,
		onInput(input) {
			inputs.push(input);
			onKey?.(input.kind === 'key' ? input.key : input.kind, keyboard);
		},
		escapeDelayMs,
		setTimer(run, ms) {
			const timer = {run, at: now + ms};
			timers.add(timer);
			return () => timers.delete(timer);
		},
	});
	const take = () =>
		inputs
			.splice(0)
			.map(input => (input.kind === 'key' ? input.key : input.kind === 'paste' ? 'paste' : '!'))
			.join(' ');

	return {
		keyboard,
		stdin,
		timers,
		/** Sends bytes and tells the keys they gave. */
		send: (bytes: string | Buffer) => {
			stdin.emit('data', bytes);
			return take();
		},
		/** Lets time go by and tells the keys this gave. */
		wait: (ms: number) => {
			now += ms;
			for (const timer of [...timers].filter(({at}) => at <= now)) {
				timers.delete(timer);
				timer.run();
			}

			return take();
		},
	};
}

test('bytes written to the stream come as inputs', async () => {
	const {stdin, send} = openKeyboard();
	stdin.write('j\u001B[A');
	stdin.end(Buffer.from('\u001B[200~x\u001B[201~\u001B[0n'));
	await once(stdin, 'end');
	expect(send('k')).toBe('j Up paste ! k');
});

test('a lone ESC is Esc after the delay and not before', () => {
	const {send, wait, timers} = openKeyboard();
	expect(send('\u001B')).toBe('');
	expect(wait(49)).toBe('');
	expect(wait(1)).toBe('Esc');
	expect(wait(2000)).toBe('');
	expect(timers.size).toBe(0);
});

test('an arrow whose bytes come apart is one key', () => {
	const {send, wait} = openKeyboard();
	expect([send('\u001B'), wait(40), send('['), wait(40), send('A')]).toEqual([
		'',
		'',
		'',
		'',
		'Up',
	]);
	expect(wait(5000)).toBe('');
});

test('the delay begins again with each ESC', () => {
	const {send, wait} = openKeyboard();
	expect([send('\u001B'), wait(40), send('[A\u001B'), wait(49), wait(1)].join()).toBe(',,Up,,Esc');
});

test('an arrow whose end comes after the delay does not type', () => {
	const {send, wait} = openKeyboard();
	expect([send('\u001B'), wait(50), wait(900), send('[A'), send('j')]).toEqual([
		'',
		'Esc',
		'',
		'!',
		'j',
	]);
	expect([send('\u001B['), wait(50), wait(900), send('A'), send('j')]).toEqual([
		'',
		'',
		'',
		'Up',
		'j',
	]);
});

test('a sequence whose end never comes is forgotten, even while more is typed', () => {
	const {send, wait} = openKeyboard();
	expect([send('\u001B]1'), wait(50), wait(1000), send('a'), wait(1000), send('j')]).toEqual([
		'',
		'',
		'',
		'',
		'!',
		'j',
	]);
	expect([send('\u001B'), wait(50), wait(2000), send('['), send('j')]).toEqual([
		'',
		'Esc',
		'',
		'[',
		'j',
	]);
});

test('each unfinished sequence has its own time', () => {
	const {send, wait} = openKeyboard();
	expect([send('\u001B['), wait(50), wait(1900), send('A')]).toEqual(['', '', '', 'Up']);
	expect([send('\u001B['), wait(50), wait(1900), send('A')]).toEqual(['', '', '', 'Up']);
	expect([
		send('\u001B'),
		wait(50),
		wait(1900),
		send('[1'),
		wait(50),
		wait(1900),
		send('A'),
	]).toEqual(['', 'Esc', '', '', '', '', '!']);
});

test('the delay is asked for each time', () => {
	let delay = 150;
	const {send, wait} = openKeyboard(undefined, () => delay);
	expect([send('\u001B'), wait(149), wait(1)]).toEqual(['', '', 'Esc']);
	delay = 20;
	expect([send('\u001B'), wait(20)]).toEqual(['', 'Esc']);
});

test('no timer runs while there is nothing to wait for', () => {
	const {send, timers} = openKeyboard();
	for (const bytes of ['j', '\u001B[A', '\u001B[0n', '\u001B[200~half a paste']) {
		send(bytes);
		expect(timers.size).toBe(0);
	}
});

test('characters whose bytes come apart are one key', () => {
	const {send} = openKeyboard();
	const keys = [...Buffer.from('é日😀')].map(byte => send(Buffer.from([byte])));
	expect(keys).toEqual(['', 'é', '', '', '日', '', '', '', '😀']);
});

test('a paused keyboard leaves the bytes to others and begins afresh', () => {
	const {keyboard, stdin, send, wait, timers} = openKeyboard();
	send('\u001B[200~half a paste');
	send('\u001B');
	keyboard.pause();
	expect(stdin.isPaused()).toBe(true);
	expect([send('jk'), wait(5000), timers.size]).toEqual(['', '', 0]);
	keyboard.resume();
	keyboard.resume();
	expect(stdin.isPaused()).toBe(false);
	expect(send('j')).toBe('j');
});

test('a lone ESC does not outlive a pause', () => {
	const {keyboard, send, wait, timers} = openKeyboard();
	send('\u001B');
	keyboard.pause();
	expect(timers.size).toBe(0);
	keyboard.resume();
	expect([send('[A'), wait(50)]).toEqual(['[ A', '']);
	expect([send('\u001B'), wait(50), timers.size]).toEqual(['', 'Esc', 1]);
	keyboard.pause();
	expect(timers.size).toBe(0);
});

test('keys behind the one that pauses are not given', () => {
	const {keyboard, send, timers} = openKeyboard((key, its) => {
		if (key === 's') {
			its.pause();
		}
	});
	expect(send('jsq\u001B')).toBe('j s');
	expect(timers.size).toBe(0);
	keyboard.resume();
	expect(send('k')).toBe('k');
});

test('a pause that ends at once drops the keys behind it too', () => {
	const {send} = openKeyboard((key, its) => {
		if (key === 's') {
			its.pause();
			its.resume();
		}
	});
	expect([send('sq'), send('k')]).toEqual(['s', 'k']);
});

test('a closed keyboard stays closed', () => {
	const {keyboard, stdin, send, timers} = openKeyboard();
	send('\u001B');
	keyboard.close();
	keyboard.close();
	keyboard.resume();
	expect([send('j'), timers.size, stdin.listenerCount('data'), stdin.isPaused()]).toEqual([
		'',
		0,
		0,
		true,
	]);
});

test('a busy program still joins the bytes that came in time', async () => {
	const terminal = spawn('cat');
	const keys: string[] = [];
	const keyboard = createKeyboard({
		stdin: terminal.stdout,
		onInput: input => keys.push(input.kind === 'key' ? input.key : '!'),
		escapeDelayMs: () => 10,
	});
	terminal.stdin.write('\u001B');
	await once(terminal.stdout, 'data');
	terminal.stdin.write('[A');
	const until = performance.now() + 150;
	while (performance.now() < until) {
		// The delay is over long before the bytes can be read.
	}

	await once(terminal.stdout, 'data');
	expect(keys).toEqual(['Up']);
	keyboard.close();
	terminal.kill();
});
