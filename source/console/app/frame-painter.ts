/**
 * Layer between Ink and the terminal: regions painted beside its frames, and streams that stand for a
 * terminal.
 */
import {PassThrough, Writable} from 'node:stream';
import type {Painter, Region} from '../ui/painted.tsx';
import type {OnMouse} from '../ui/panes.ts';
import type {MouseGround} from './mouse.ts';
import {regionCount, regionStart, type TerminalScreen} from '../terminal/output/screen.ts';
import type {Key} from '../terminal/input/keys.ts';
import type {Size} from '../terminal/terminal.ts';

export type FramePainter = Painter & {
	/** Takes a frame of Ink's. */
	readonly draw: (frame: string) => void;
	readonly mouse: MouseGround;
	/** Draws everything anew, for a terminal that something else wrote on. */
	readonly redraw: () => void;
	/** Takes no more: Ink's last frame is an empty one. */
	readonly close: () => void;
};

/**
 * Collects the output of React and the painted rows, and writes it once per turn: one key press makes one
 * write, and frames that were overtaken are not even compared. On a slow line, all changes during one
 * frame are one later frame. Only signs that `drawable` leaves are drawn.
 */
export function createFramePainter(
	screen: TerminalScreen,
	drawable: (text: string) => string = text => text,
	/** True while keys wait that may change the frame: then it is not worth writing yet. */
	isChanging: () => boolean = () => false,
	/** Runs a function when the terminal has shown enough of the output. */
	whenFree: (run: () => void) => void = run => run(),
): FramePainter {
	let frame: string | undefined;
	let isFrameNew = false;
	let isScheduled = false;
	let isClosed = false;
	const regions = createRegions(schedule);

	function schedule(): void {
		if (isScheduled || isClosed) return;
		isScheduled = true;
		whenFree(() => setImmediate(show));
	}

	function show(): void {
		isScheduled = false;
		if (isClosed) return;
		if (isChanging()) return schedule();
		screen.batch(() => {
			if (isFrameNew && frame !== undefined) screen.draw(drawable(frame));
			isFrameNew = false;
			for (const [region, lines] of regions.takePainted()) {
				screen.paint(region, lines.map(drawable));
			}
		});
	}

	return {
		openRegion: regions.open,
		draw(next) {
			frame = next;
			isFrameNew = true;
			schedule();
		},
		mouse: groundOf(screen, regions.at),
		redraw() {
			screen.forget();
			isFrameNew = true;
			schedule();
		},
		close() {
			isClosed = true;
		},
	};
}

function groundOf(
	screen: TerminalScreen,
	mouseOn: (place: {readonly region: number}) => OnMouse | undefined,
): MouseGround {
	return {
		click({column, row}) {
			const found = screen.regionAt(column, row);
			return found && mouseOn(found)?.click?.(found.line, found.column);
		},
		edgeAt({column, row}) {
			const found = screen.regionAt(column, row);
			return found === undefined || found.column > EDGE ? undefined : mouseOn(found)?.drag;
		},
		textAt: screen.textAt,
		select(from, to) {
			const {left = 0, right = Number.POSITIVE_INFINITY} =
				screen.regionAt(from.column, from.row) ?? {};
			screen.select({from, to, left, right});
		},
		selectNone: () => screen.select(undefined),
		selected: screen.selected,
	};
}

/** Last column of the edge by which a part is dragged: the rule, and the blank behind it. */
const EDGE = 1;

/** The regions of a frame by their numbers: free ones, painted lines, mouse handlers. */
function createRegions(onPaint: () => void) {
	const free = Array.from({length: regionCount}, (_, number) => number);
	let painted = new Map<number, readonly string[]>();
	const mouse = new Map<number, OnMouse>();

	function paint(number: number, lines: readonly string[]): void {
		painted.set(number, lines);
		onPaint();
	}

	function open(): Region | undefined {
		const number = free.shift();
		if (number === undefined) return undefined;
		return {
			start: row => regionStart(number, row),
			paint: lines => paint(number, lines),
			onMouse: on => void mouse.set(number, on),
			close() {
				free.unshift(number);
				mouse.delete(number);
				paint(number, []);
			},
		};
	}

	return {
		open,
		/** Regions painted since the last call. */
		takePainted(): ReadonlyMap<number, readonly string[]> {
			const last = painted;
			painted = new Map();
			return last;
		},
		at: ({region}: {readonly region: number}) => mouse.get(region),
	};
}

/** Takes Ink's frames: in debug mode every write is one whole frame. */
export class FrameStream extends Writable {
	readonly isTTY = true;
	columns: number;
	rows: number;
	readonly #onFrame: (frame: string) => void;

	constructor({columns, rows}: Size, onFrame: (frame: string) => void) {
		super({decodeStrings: false});
		this.columns = columns;
		this.rows = rows;
		this.#onFrame = onFrame;
	}

	override _write(data: string, _encoding: BufferEncoding, done: () => void): void {
		// Text that begins like this switches a mode of the terminal, which is not Ink's to do here.
		if (!data.startsWith('\u001B[?')) this.#onFrame(data);
		done();
	}

	resize({columns, rows}: Size): void {
		this.columns = columns;
		this.rows = rows;
		this.emit('resize');
	}
}

/** The bytes that Ink knows keys by. */
const sequences: Readonly<Record<Key, string>> = {
	Space: ' ',
	Enter: '\r',
	Tab: '\t',
	Backspace: '\u007F',
	Delete: '\u001B[3~',
	Esc: '\u001B',
	Up: '\u001B[A',
	Down: '\u001B[B',
	Right: '\u001B[C',
	Left: '\u001B[D',
};

/**
 * Input stream for Ink's own input components: one key at a time, because they lose keys that come
 * together.
 */
export class KeyStream extends PassThrough {
	readonly isTTY = true;
	readonly #waiting: string[] = [];

	setRawMode(): this {
		return this;
	}

	ref(): this {
		return this;
	}

	unref(): this {
		return this;
	}

	/** Hands a key to the Ink component with the keyboard; false for keys that Ink does not know. */
	type(key: Key): boolean {
		const bytes = sequences[key] ?? (isCharacter(key) ? key : undefined);
		if (bytes === undefined) return false;
		this.#waiting.push(bytes);
		if (this.#waiting.length === 1) setImmediate(() => this.#next());
		return true;
	}

	#next(): void {
		const bytes = this.#waiting[0];
		if (bytes === undefined) return;
		this.write(bytes);
		// Ink reads on the next turns of the loop; the key after this one waits until it has.
		setImmediate(() => {
			this.#waiting.shift();
			setImmediate(() => this.#next());
		});
	}
}

/** Named keys are words of ASCII letters; everything else is a character as it was typed. */
function isCharacter(key: Key): boolean {
	return key.length === 1 || !/^[A-Z][\w-]/i.test(key);
}
