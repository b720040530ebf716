import {EventEmitter} from 'node:events';
import {expect, test} from 'vitest';
import {guardTerminal} from '../../../source/console/app/guard.ts';
import {openTestTerminal} from '../../helpers/terminal.ts';

function world() {
	const terminal = openTestTerminal();
	const interrupts = new EventEmitter();
	const quits: string[] = [];
	const crashes: unknown[] = [];
	const unguard = guardTerminal({
		interrupts,
		terminal: terminal.terminal,
		onQuit: signal => quits.push(signal),
		onCrash: error => crashes.push(error),
	});
	return {
		...terminal,
		interrupts,
		quits,
		crashes,
		unguard,
		[Symbol.dispose]: () => terminal[Symbol.dispose](),
	};
}

test('a taken terminal is on its alternate screen, without cursor, in raw mode', async () => {
	using terminal = openTestTerminal();
	await terminal.shown();
	expect([terminal.isAlternate(), terminal.isRaw()]).toEqual([true, true]);
	expect(terminal.written()).toContain('\u001B[?25l');
});

test('a terminal given back has its screen, its cursor and its line mode', async () => {
	using terminal = openTestTerminal();
	terminal.terminal.close();
	await terminal.shown();
	expect([terminal.isAlternate(), terminal.isRaw()]).toEqual([false, false]);
	expect(terminal.written().endsWith('\u001B[?2004l\u001B[m\u001B[?25h\u001B[?1049l')).toBe(true);
});

test('an exception gives the terminal back before anything is said about it', async () => {
	using it = world();
	const {interrupts, crashes, shown, isAlternate} = it;
	interrupts.emit('uncaughtException', new Error('no yoga'));
	await shown();
	expect(isAlternate()).toBe(false);
	expect(crashes).toEqual([new Error('no yoga')]);
});

test('signals that end a program ask for it to be left', () => {
	using it = world();
	const {interrupts, quits} = it;
	const signals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGABRT'];
	for (const signal of signals) interrupts.emit(signal);
	expect(quits).toEqual(signals);
});

test('a stop gives the terminal back, and being continued takes it and draws it anew', async () => {
	using it = world();
	const {interrupts, terminal, shown, isAlternate, isRaw, stops} = it;
	terminal.screen.draw('hello');
	interrupts.emit('SIGTSTP');
	await shown();
	expect([isAlternate(), isRaw(), stops()]).toEqual([false, false, 1]);
	interrupts.emit('SIGCONT');
	terminal.screen.draw('hello');
	expect(await shown()).toBe('hello');
	expect([isAlternate(), isRaw()]).toEqual([true, true]);
});

test('what is typed before anybody listens is kept for the one who will', async () => {
	using terminal = openTestTerminal();
	terminal.type('j');
	await new Promise(setImmediate);
	const keys: unknown[] = [];
	terminal.terminal.onInput(input => keys.push(input.kind === 'key' ? input.key : input.kind));
	terminal.type('k');
	await new Promise(setImmediate);
	expect(keys).toEqual(['j', 'k']);
});

test('the time the terminal takes to answer is measured once it answers', async () => {
	using terminal = openTestTerminal();
	const times: number[] = [];
	terminal.terminal.measureLink(ms => times.push(ms));
	await expect.poll(() => times).toEqual([0]);
});
