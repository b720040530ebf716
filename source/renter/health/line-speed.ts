/**
 * Bandwidth of the connection between an instance and this machine, over SSH. Nothing is written on
 * either side.
 */
import {spawn} from 'node:child_process';
import type {ProgramCommand} from '../../contract/nouns/ssh-command.ts';
import type {ExecTarget} from '../connect/exec.ts';
import type {LineSpeed} from './readings.ts';

/** Limits of a measurement in one direction: megabytes and time. */
const MEGABYTES = 32;
const MOST_MS = 4000;
/** Timeout of one direction, including login and end. */
const PATIENCE_MS = 20_000;

const MEGABYTE = 1 << 20;

/** Megabits a second each way, as measured by the instance; undefined if it cannot be entered. */
export async function measureLine(
	{command}: ExecTarget,
	signal: AbortSignal,
): Promise<LineSpeed | undefined> {
	if ('problem' in command) return undefined;
	// Incompressible data: SSH compression would distort the measurement.
	const entering = {...command, args: ['-o', 'Compression=no', ...command.args]};
	const up = await measureUp(entering, signal);
	const down = up === undefined ? undefined : await measureDown(entering, signal);
	return up === undefined || down === undefined ? undefined : {down, up};
}

/** Upload of the instance: from its first bytes to its last ones. */
async function measureUp(
	command: ProgramCommand,
	signal: AbortSignal,
): Promise<number | undefined> {
	const child = begin(command, `head -c ${MEGABYTES * MEGABYTE} /dev/zero`, signal);
	let bytes = 0;
	let [first, last] = [0, 0];
	child.stdin.end();
	return new Promise(resolve => {
		child.stdout.on('data', (part: Buffer) => {
			last = performance.now();
			if (first === 0) first = last;
			else bytes += part.length;
			if (last - first > MOST_MS) child.kill();
		});
		child.on('error', () => resolve(undefined));
		child.on('close', () => resolve(bytes === 0 ? undefined : rate(bytes, last - first)));
	});
}

/** Download of the instance: from its ready message to its confirmation of all bytes. */
async function measureDown(
	command: ProgramCommand,
	signal: AbortSignal,
): Promise<number | undefined> {
	const child = begin(command, 'echo listens; cat >/dev/null; echo done', signal);
	let first = 0;
	let sent = 0;
	let output = '';
	const zeros = Buffer.alloc(MEGABYTE / 4);
	const send = (): void => {
		while (sent < MEGABYTES * MEGABYTE && performance.now() - first < MOST_MS) {
			sent += zeros.length;
			if (!child.stdin.write(zeros)) return void child.stdin.once('drain', send);
		}
		child.stdin.end();
	};
	return new Promise(resolve => {
		child.stdout.on('data', (part: Buffer) => {
			output = (output + part.toString()).slice(-64);
			if (first === 0 && output.includes('listens')) {
				first = performance.now();
				send();
			} else if (output.includes('done')) {
				resolve(rate(sent, performance.now() - first));
			}
		});
		child.stdin.on('error', () => undefined);
		child.on('error', () => resolve(undefined));
		child.on('close', () => resolve(undefined));
	});
}

function begin({program, args}: ProgramCommand, script: string, signal: AbortSignal) {
	return spawn(program, [...args, script], {
		stdio: ['pipe', 'pipe', 'ignore'],
		signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
	});
}

function rate(bytes: number, ms: number): number {
	return Math.round((bytes * 8) / 1000 / Math.max(ms, 1));
}
