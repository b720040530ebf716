import {withoutBox} from './box.ts';
import {PassThrough, Writable} from 'node:stream';
import xterm from '@xterm/headless';
import {openTerminal} from '../../../source/console/terminal/terminal.ts';
import {screenText} from './emulator.ts';

/** What a terminal's program writes to: an emulator of some size, with every byte kept. */
class EmulatedOutput extends Writable {
	readonly emulator: InstanceType<typeof xterm.Terminal>;
	columns: number;
	rows: number;
	written = '';

	constructor(columns: number, rows: number) {
		super({decodeStrings: false});
		this.columns = columns;
		this.rows = rows;
		this.emulator = new xterm.Terminal({cols: columns, rows, allowProposedApi: true});
	}

	override _write(data: string, _encoding: BufferEncoding, done: () => void): void {
		this.written += data;
		this.emulator.write(data);
		done();
	}

	resize(columns: number, rows: number): void {
		this.emulator.resize(columns, rows);
		this.columns = columns;
		this.rows = rows;
		this.emit('resize');
	}
}

export type TestTerminal = ReturnType<typeof openTestTerminal>;

/** A terminal of a size in this process: the real owner of the terminal, on an emulator. */
export function openTestTerminal({columns = 80, rows = 24} = {}) {
	const stdin = Object.assign(new PassThrough(), {isRaw: false, setRawMode});
	function setRawMode(isRaw: boolean): void {
		stdin.isRaw = isRaw;
	}
	const stdout = new EmulatedOutput(columns, rows);
	let stops = 0;
	const terminal = openTerminal({
		stdin,
		stdout,
		stop: () => {
			stops++;
		},
		now: () => 0,
	});
	const {emulator} = stdout;
	emulator.onData(answer => stdin.write(answer));

	async function shown(): Promise<string> {
		await new Promise<void>(resolve => emulator.write('', resolve));
		return screenText(emulator);
	}
	return {
		terminal,
		emulator,
		shown,
		/** How often the program asked to be stopped. */
		stops: () => stops,
		isRaw: () => stdin.isRaw,
		isAlternate: () => emulator.buffer.active.type === 'alternate',
		/** Everything written so far. */
		written: () => stdout.written,
		type: (bytes: string) => void stdin.write(bytes),
		resize: (toColumns: number, toRows: number) => stdout.resize(toColumns, toRows),
		/** Waits until the screen shows a text, in its box where there is one. */
		async sees(what: string | RegExp, withinMs = 50_000): Promise<string> {
			for (const deadline = performance.now() + withinMs; ;) {
				const text = await shown();
				const read = withoutBox(text);
				if (typeof what === 'string' ? read.includes(what) : what.test(read)) return text;
				if (performance.now() > deadline) throw new Error(`never saw ${String(what)} on:\n${text}`);
				await new Promise(resolve => setTimeout(resolve, 2));
			}
		},
		[Symbol.dispose]() {
			terminal.close();
			emulator.dispose();
		},
	};
}
