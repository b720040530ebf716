/** Runs another program in the terminal that rentty itself runs in. */
import {execFile, spawn, spawnSync, type ChildProcess} from 'node:child_process';
import process from 'node:process';
import {promisify} from 'node:util';
import {harmlessLine} from '../../contract/grammar/harmless-text.ts';
import {codeOf, messageOf} from '../../contract/rules/thrown.ts';
import type {OutsideCommand, Ended} from '../services/outside-program.ts';

/**
 * Ignores signals while a program has the terminal: they reach all of its processes, and are meant
 * for that program.
 */
const ignore = () => {};

/** Runs a program with this terminal as its own, until it ends. */
export async function runProgram(command: OutsideCommand): Promise<Ended> {
	const {program, args, env = {}, intro = [], isRead = () => false} = command;
	process.stdout.write(intro.map(line => `${harmlessLine(line)}\n`).join(''));
	const settings = stty('-g');
	let child: ChildProcess | undefined;
	// If rentty ends, the program ends too: it could not give the terminal back.
	const hangUp = () => void child?.kill('SIGHUP');
	process.once('exit', hangUp);
	process.on('SIGQUIT', ignore);
	try {
		const ended = await endOf(() => {
			child = spawn(program, [...args], {stdio: 'inherit', env: {...process.env, ...env}});
			return child;
		});
		// A crashed program leaves its terminal modes behind.
		if (settings !== '') stty(settings);
		if (isRead(ended)) await enterPressed(`${program} ${describe(ended)}.`);
		return ended;
	} finally {
		process.off('exit', hangUp);
		process.off('SIGQUIT', ignore);
	}
}

/** Runs a program without a terminal, whose output is dropped. */
export async function runBehind({program, args, env = {}}: OutsideCommand): Promise<Ended> {
	return endOf(() => spawn(program, [...args], {stdio: 'ignore', env: {...process.env, ...env}}));
}

/** Starts a program, and waits for its end. Node throws some reasons why it could not be started. */
async function endOf(start: () => ChildProcess): Promise<Ended> {
	return new Promise<Ended>((resolve, reject) => {
		start()
			.once('error', reject)
			.once('exit', (code, signal) => {
				resolve(code === null ? {kind: 'killed', signal: signal ?? ''} : {kind: 'ended', code});
			});
	}).catch((error: unknown) => ({kind: 'notStarted', reason: reasonOf(error)}));
}

/** Reads or sets the terminal's input modes. A machine without stty works without. */
function stty(argument: string): string {
	const {stdout} = spawnSync('stty', [argument], {
		stdio: ['inherit', 'pipe', 'ignore'],
		encoding: 'utf8',
	});
	return (stdout ?? '').trim();
}

function reasonOf(error: unknown): string {
	const code = codeOf(error);
	if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such program here';
	return code === 'EACCES' ? 'it is no program that may be run' : messageOf(error);
}

export function describe(ended: Ended): string {
	switch (ended.kind) {
		case 'ended':
			return `ended with ${ended.code}`;
		case 'killed':
			return `was stopped by ${ended.signal}`;
		case 'notStarted':
			return `could not be started: ${ended.reason}`;
	}
}

async function enterPressed(text: string): Promise<void> {
	process.stdout.write(`${harmlessLine(text)} Enter goes back to rentty. `);
	const {stdin} = process;
	await new Promise<void>(resolve => {
		stdin.once('data', () => resolve());
		stdin.resume();
	});
	stdin.pause();
}

/** True if the user has tmux use the mouse. */
export async function tmuxMouse(): Promise<boolean> {
	const {stdout} = await promisify(execFile)('tmux', ['show-options', '-A', '-v', 'mouse'], {
		timeout: TMUX_MS,
	});
	return stdout.trim() === 'on';
}

const TMUX_MS = 2000;

/** Fills the buffer that tmux pastes from. After a failure, the text is still on the screen. */
export async function fillTmux(text: string): Promise<void> {
	await endOf(() => {
		const child = spawn('tmux', ['load-buffer', '-'], {stdio: ['pipe', 'ignore', 'ignore']});
		child.stdin.on('error', ignore);
		child.stdin.end(text);
		return child;
	});
}
