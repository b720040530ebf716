import {PassThrough, Writable} from 'node:stream';
import {setImmediate} from 'node:timers/promises';
import xterm from '@xterm/headless';
import {createFramePainter} from '../../../source/console/app/frame-painter.ts';
import type {SetTimer} from '../../../source/console/terminal/input/keyboard.ts';
import {openTerminal} from '../../../source/console/terminal/terminal.ts';
import {screenText} from './emulator.ts';
import {createHandScheduler} from '../hand-scheduler.ts';

export type Clock = {
	readonly now: () => number;
	readonly after: (ms: number, run: () => void) => unknown;
};

export type LineSpeed = {readonly bytesPerSecond: number; readonly delayMs: number};

/** A serial line or a bad network: so many bytes a second, and so long each way. Time is in milliseconds. */
export function createRelay(
	{now, after}: Clock,
	{bytesPerSecond, delayMs}: LineSpeed,
	onShown: (data: string) => void,
) {
	let busyUntil = 0;
	return {
		/** The bytes that it took and has not sent yet; by the clock, since timers are late on a busy machine. */
		waiting: () => (Math.max(0, busyUntil - now()) * bytesPerSecond) / 1000,
		send(data: string): void {
			const bytes = Buffer.byteLength(data);
			busyUntil = Math.max(now(), busyUntil) + (bytes / bytesPerSecond) * 1000;
			after(busyUntil - now() + delayMs, () => onShown(data));
		},
	};
}

const question = new RegExp(String.raw`\u001B\[(\d)G\u001B\[6n`, 'g');

/** What the terminal at the other end answers to all that it is asked in some bytes. */
export function answersTo(data: string): string {
	return [...data.matchAll(question)].map(([, column]) => `\u001B[7;${column}R`).join('');
}

type SlowTerminalOptions = LineSpeed & {
	/** What the terminal sends when it has shown something. @default what it is asked for */
	readonly answer?: (data: string) => string;
	/** How long the device takes to take what is written. */
	readonly write?: (bytes: number) => number;
};

/** One end of a slow line, by a clock that is moved by hand, and what the terminal at the other end shows. */
function openSlowLine({answer = answersTo, write, ...speed}: SlowTerminalOptions) {
	const clock = createHandScheduler(0);
	let lag = 0;
	const now = () => clock.now() + lag;
	const stdin = Object.assign(new PassThrough(), {setRawMode: () => {}});
	const emulator = new xterm.Terminal({cols: 80, rows: 24, allowProposedApi: true});
	const written: string[] = [];
	const relay = createRelay({now, after: clock.after}, speed, data => {
		emulator.write(data);
		const back = answer(data);
		if (back !== '') clock.after(speed.delayMs, () => stdin.write(back));
	});
	const stdout = new Writable({
		decodeStrings: false,
		write(data: string, _encoding, done) {
			written.push(data);
			relay.send(data);
			lag += write?.(Buffer.byteLength(data)) ?? 0;
			done();
		},
	});
	const after: SetTimer = (run, ms) => {
		const cancel = clock.after(ms, run);
		return () => cancel();
	};
	async function pass(ms: number): Promise<void> {
		for (const end = clock.now() + ms; clock.now() < end;) {
			await clock.pass(Math.min(10, end - clock.now()));
			await setImmediate();
			await setImmediate();
		}
	}
	return {
		stdin,
		pass,
		/** What was written since this was last asked, a text for each write. */
		taken: () => written.splice(0),
		/** What the other end shows. */
		async screen(): Promise<string> {
			await new Promise<void>(resolve => emulator.write('', resolve));
			return screenText(emulator);
		},
		waiting: relay.waiting,
		terminal: openTerminal({stdin, stdout, stop: () => {}, now, after}),
	};
}

/** The owner of the terminal on a slow line. It shows a number in 24 lines, which each key makes greater. */
export function openSlowTerminal(options: SlowTerminalOptions) {
	const line = openSlowLine(options);
	const {terminal} = line;
	const painter = createFramePainter(terminal.screen, undefined, undefined, terminal.whenFree);
	const keys: string[] = [];
	const draw = () => {
		const lines = Array.from({length: 24}, (_, row) => `${row} ${'-'.repeat(60)} ${keys.length}`);
		painter.draw(lines.join('\n'));
	};
	terminal.onInput(input => {
		keys.push(input.kind === 'key' ? input.key : input.kind);
		draw();
	});
	draw();
	return {
		...line,
		draw,
		/** The keys that it heard. */
		keys: () => keys.join(' '),
		/** Holds a key, which repeats thirty times a second, and tells the most bytes that waited in the line. */
		async hold(key: string, ms: number): Promise<number> {
			let most = 0;
			for (let passed = 0; passed < ms; passed += 33) {
				line.stdin.write(key);
				await line.pass(33);
				most = Math.max(most, line.waiting());
			}
			return most;
		},
	};
}
