import {EventEmitter} from 'node:events';
import {mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {guardTerminal, logCrash} from '../../../source/console/app/guard.ts';
import {openTestTerminal} from '../../helpers/console/terminal.ts';

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

test('a terminal that was resized during a stop is asked for its size when it goes on', async () => {
	using it = world();
	const {interrupts, terminal} = it;
	const resized = Promise.withResolvers<number>();
	interrupts.on('SIGWINCH', () => it.resize(100, 30));
	terminal.onResize(({columns}) => resized.resolve(columns));
	interrupts.emit('SIGTSTP');
	interrupts.emit('SIGCONT');
	expect(await resized.promise).toBe(100);
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

test('a crash is one sentence with the place of its log, which only its user can read', () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-'));
	try {
		const sentence = logCrash(join(folder, 'state'), new Error('no yoga\nat all'), undefined);
		const file = join(folder, 'state', 'crash.log');
		expect(sentence).toBe(`rentty stopped because of an error: no yoga. Details are in ${file}.`);
		expect(readFileSync(file, 'utf8')).toContain('Error: no yoga');
		expect(statSync(file).mode & 0o777).toBe(0o600);
	} finally {
		rmSync(folder, {recursive: true});
	}
});

test('a secret in an error is neither said nor logged', () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-'));
	try {
		const error = new Error('bad header Bearer abcdef123456', {cause: {key: 'abcdef123456'}});
		const sentence = logCrash(folder, error, 'abcdef123456');
		const log = readFileSync(join(folder, 'crash.log'), 'utf8');
		expect(sentence).toContain('Bearer ..3456');
		expect(sentence + log).not.toContain('abcdef');
	} finally {
		rmSync(folder, {recursive: true});
	}
});

test('a log that cannot be written does not hide the error', () => {
	expect(logCrash('/dev/null/nowhere', new Error('no yoga'), undefined)).toContain('no yoga');
});
