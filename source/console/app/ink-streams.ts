/**
 * Streams that Ink takes for a terminal. Its frames go to our screen, and it reads only the keys
 * that we pass on.
 */
import {PassThrough, Writable} from 'node:stream';
import type {Key} from '../terminal/input/keys.ts';
import type {Size} from '../terminal/terminal.ts';

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
		// What begins like this switches a mode of the terminal, which is not Ink's to do here.
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

	/** Hands a key to whatever Ink component has the keyboard; false for keys they do not know. */
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
