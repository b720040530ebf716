import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {createOutsideProgram} from '../../../source/console/services/outside-program.ts';
import {openPty, type PtyOptions} from '../../helpers/console/pty.ts';
import {openTestTerminal} from '../../helpers/console/terminal.ts';

const program = join(import.meta.dirname, '..', '..', 'helpers', 'console', 'aside.ts');

/** Our owner of the terminal, which steps aside for a shell script. */
function openAside(script: string, options: PtyOptions = {}) {
	return openPty(process.execPath, [program, 'sh', '-c', script], options);
}

test('a program gets the terminal as a shell has it, and the screen comes back when it ends', async () => {
	await using terminal = openAside(
		'echo in the middle; read line; echo "got $line"; read line; exit 3',
	);
	await terminal.sees('here we are');
	terminal.type('xs');
	await terminal.sees(/stepping aside\nfor �\]0;owned��\nin the middle/);
	expect(terminal.raw()).not.toContain('\u001B]0;owned');
	expect(terminal.isAlternate()).toBe(false);
	// Echo and whole lines: it is the terminal that edits.
	terminal.type('hallp\u007Fo\r');
	await terminal.sees(/hallo\ngot hallo/);
	terminal.type('q\r');
	const back = await terminal.sees('it ended with 3');
	expect(terminal.isAlternate()).toBe(true);
	expect(back).toContain('here we are\nkey x\nkey s');
	terminal.type('y');
	await terminal.sees('key y');
	terminal.type('q');
	expect(await terminal.ends()).toBe(0);
	expect(terminal.isAlternate()).toBe(false);
});

test('a program that is killed with the terminal in a mess leaves none behind for the next', async () => {
	const mess = String.raw`stty raw -echo; printf "\033[?1049h\033[?1002h\033[3;5rmess"; kill -9 $$`;
	const next = 'stty -a; read line; exit 5';
	const folder = mkdtempSync(join(tmpdir(), 'rentty-'));
	const script = `if mkdir ${folder}/seen 2>/dev/null; then ${mess}; else ${next}; fi`;
	await using terminal = openAside(script, {columns: 200});
	await terminal.sees('here we are');
	terminal.type('s');
	await terminal.sees('it was stopped by SIGKILL');
	const written = terminal.raw();
	for (const tidied of ['\u001B[?1000;1002;1003;1006l', '\u001B[r']) {
		expect(written.lastIndexOf(tidied)).toBeGreaterThan(written.lastIndexOf('mess'));
	}
	terminal.type('s');
	const modes = await terminal.sees(/-?echok/);
	expect(modes).toMatch(/ icanon /);
	expect(modes).toMatch(/ echo /);
	terminal.type('\r');
	await terminal.sees('it ended with 5');
	rmSync(folder, {recursive: true});
});

test('Ctrl-C and Ctrl-backslash are for the program that has the terminal', async () => {
	await using terminal = openAside(
		'trap "echo interrupted" INT; trap "echo left; exit 4" QUIT; echo ready; while :; do sleep 0.05; done',
	);
	await terminal.sees('here we are');
	terminal.type('s');
	await terminal.sees('ready');
	terminal.type('\u0003');
	await terminal.sees('interrupted');
	terminal.type('\u001C');
	await terminal.sees('it ended with 4');
});

test('what a program says as it fails can be read before the screen comes back', async () => {
	await using terminal = openAside('echo connection refused; exit 255');
	await terminal.sees('here we are');
	terminal.type('s');
	await terminal.sees(/connection refused\nsh ended with 255\. Enter goes back to rentty\./);
	expect(terminal.isAlternate()).toBe(false);
	terminal.type('\r');
	await terminal.sees('it ended with 255');
	terminal.type('y');
	await terminal.sees('key y');
});

test.each([
	['that is not there', '/nowhere/at/all'],
	['below a file', `${process.execPath}/vi`],
])('a program %s leaves everything as it was', async (_, file) => {
	await using terminal = openPty(process.execPath, [program, file]);
	await terminal.sees('here we are');
	terminal.type('s');
	await terminal.sees('it could not be started: there is no such program here');
	terminal.type('y');
	await terminal.sees('key y');
});

test('when rentty is ended meanwhile, the program is not left alone with the terminal', async () => {
	const script =
		'trap "echo hung up; exit" HUP; echo ready; kill -TERM $PPID; while :; do sleep 0.05; done';
	// A shell keeps the terminal alive, which would hang up on all when it goes.
	const within = `${process.execPath} ${program} sh -c '${script}'; echo left with $?; read line`;
	await using terminal = openPty('sh', ['-c', within]);
	await terminal.sees('here we are');
	terminal.type('s');
	await terminal.sees('left with 9');
	await terminal.sees('hung up');
});

test('nothing is written to a terminal that another program has, and only one has it', async () => {
	using terminal = openTestTerminal();
	const ended = Promise.withResolvers<{readonly kind: 'ended'; readonly code: number}>();
	const aside = createOutsideProgram({
		terminal: terminal.terminal,
		run: () => ended.promise,
		redraw: () => {},
	});
	const first = aside({program: 'ssh', args: []});
	await expect.poll(terminal.isRaw).toBe(false);
	const before = terminal.written();
	terminal.terminal.screen.draw('drawn behind its back');
	terminal.terminal.send('\u0007');
	terminal.terminal.setTitle('rentty 1!');
	terminal.terminal.resume();
	expect(terminal.written()).toBe(before);
	expect(await aside({program: 'vi', args: []})).toMatchObject({kind: 'notStarted'});
	ended.resolve({kind: 'ended', code: 0});
	expect(await first).toEqual({kind: 'ended', code: 0});
	expect(terminal.isRaw()).toBe(true);
	expect(terminal.written().slice(before.length)).toContain('\u001B]0;rentty 1!\u0007');
});
