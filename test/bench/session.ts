import {readFileSync} from 'node:fs';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {screenText} from '../helpers/console/emulator.ts';
import {answersTo} from '../helpers/console/slow-line.ts';

type Arrival = {readonly at: number; readonly text: string};

export type Session = ReturnType<typeof openSession>;

/** A program in a pty whose every byte is kept with the time it came. */
export function openSession(
	file: string,
	args: readonly string[],
	size: {readonly columns: number; readonly rows: number},
	env: Readonly<Record<string, string>>,
) {
	const startedAt = performance.now();
	const {CI: _, NO_COLOR: __, ...inherited} = process.env;
	const child = pty.spawn(file, [...args], {
		name: 'xterm-256color',
		cols: size.columns,
		rows: size.rows,
		env: {...inherited, LANG: 'C.UTF-8', ...env},
	});
	const arrivals: Arrival[] = [];
	let isEnded = false;
	let onArrival: (() => void) | undefined;
	child.onData(text => {
		arrivals.push({at: performance.now(), text});
		onArrival?.();
		const answers = answersTo(text);
		if (answers !== '') child.write(answers);
	});
	const ended = new Promise<void>(resolve => {
		child.onExit(() => {
			isEnded = true;
			resolve();
		});
	});

	return {
		/** Milliseconds from the start to the first byte. */
		firstByte: () => (arrivals[0]?.at ?? Number.NaN) - startedAt,
		/** Milliseconds from the start until a text had come. */
		async shows(text: string): Promise<number> {
			return (await arrival(arrivals, text, () => isEnded)) - startedAt;
		},
		/** Milliseconds from the start until the screen was as told; what came is read by an emulator, later. */
		async becomes(isThere: (screen: string) => boolean): Promise<number> {
			const {columns, rows} = size;
			const emulator = new xterm.Terminal({cols: columns, rows, allowProposedApi: true});
			let read = 0;
			for (const deadline = performance.now() + 20_000; performance.now() < deadline;) {
				await sleep(20);
				for (const {at, text} of arrivals.slice(read)) {
					read++;
					await new Promise<void>(done => emulator.write(text, done));
					if (isThere(screenText(emulator))) return at - startedAt;
				}
			}
			throw new Error(`never became what was waited for:\n${screenText(emulator)}`);
		},
		quiet: (ms: number) => quiet(arrivals, ms),
		/** Types a key and waits for nothing. */
		type: (key: string) => child.write(key),
		/** Types a key and says how long until the first byte came back, and how many came. */
		async press(key: string): Promise<{readonly ms: number; readonly bytes: number}> {
			const before = arrivals.length;
			const typedAt = performance.now();
			// Looking for it all the time would take a core from who draws it.
			const arrived = new Promise<void>(resolve => (onArrival = resolve));
			child.write(key);
			await Promise.race([arrived, sleep(300, undefined, {ref: false})]);
			const ms = (arrivals[before]?.at ?? Number.NaN) - typedAt;
			await sleep(4);
			await quiet(arrivals, 4);
			const bytes = arrivals
				.slice(before)
				.reduce((sum, {text}) => sum + Buffer.byteLength(text), 0);
			return {ms, bytes};
		},
		bytes: () => arrivals.reduce((sum, {text}) => sum + Buffer.byteLength(text), 0),
		/** Processor time used so far, in milliseconds. */
		cpuMs: () => cpuMs(child.pid),
		/** Anonymous memory, in megabytes: the same program's other pages depend on how they were cached. */
		memoryMb: () => memoryMb(child.pid),
		/** When the program has ended. */
		ended,
		async close(): Promise<void> {
			if (!isEnded) child.kill('SIGKILL');
			await ended;
		},
	};
}

/** When a text had come whole. */
async function arrival(
	arrivals: readonly Arrival[],
	text: string,
	isEnded: () => boolean,
): Promise<number> {
	for (const deadline = performance.now() + 20_000; performance.now() < deadline; await sleep(1)) {
		let seen = '';
		for (const {at, text: part} of arrivals) {
			seen += part;
			if (seen.includes(text)) return at;
		}
		if (isEnded()) throw new Error(`ended before "${text}": ${seen}`);
	}
	throw new Error(`never showed "${text}"`);
}

/** Waits until nothing has come for a while. */
async function quiet(arrivals: readonly Arrival[], ms: number): Promise<void> {
	for (;;) {
		const left = (arrivals.at(-1)?.at ?? performance.now()) + ms - performance.now();
		if (left <= 0) return;
		await sleep(Math.min(left, 2));
	}
}

function cpuMs(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

function memoryMb(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

export function quantile(values: readonly number[], share: number): number {
	const sorted = values.filter(value => !Number.isNaN(value)).toSorted((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
	return quantile(values, 0.5);
}
