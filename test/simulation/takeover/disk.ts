/** Files of the machines: below one real folder, in whose place programs see `/machine/…`. */
import * as real from 'node:fs';
import {join} from 'node:path';
import {current, wallClock, world, type Machine, type Process} from '../world/world.ts';

const PLACE = '/machine/';
let root = '';

/** Puts the files of all machines below a real folder. */
export function placeDisks(folder: string): void {
	root = folder;
}

export function folderOf(machine: Machine): string {
	return `${PLACE}${machine.name}`;
}

function inRoot(path: unknown): unknown {
	return typeof path === 'string' && path.startsWith(PLACE) ? join(root, path) : path;
}

function outOfRoot(path: unknown): unknown {
	return typeof path === 'string' && path.startsWith(root) ? path.slice(root.length) : path;
}

/** Functions that write. */
const writing = new Set([
	'writeFileSync',
	'writeSync',
	'appendFileSync',
	'mkdirSync',
	'symlinkSync',
]);

const refusals = {
	ENOSPC: {errno: -28, message: 'ENOSPC: no space left on device, write'},
	EROFS: {errno: -30, message: 'EROFS: read-only file system, open'},
};

/** A full disk takes no bytes; one that is read-only opens nothing to write either. */
function refuse(name: string, flags: unknown): void {
	const code = current()?.machine.refuses;
	const writes = typeof flags === 'number' ? (flags & 0o103) !== 0 : (flags ?? 'r') !== 'r';
	const opens = name === 'openSync' && writes;
	if (code === undefined || !(writing.has(name) || (code === 'EROFS' && opens))) return;
	const {errno, message} = refusals[code];
	throw Object.assign(new Error(message), {code, errno});
}

/** Paths of open files, by their handle. */
const opened = new Map<unknown, string>();

/** Dates a file as the clock of its machine shows; a folder, a link or a synced file has nothing to lose. */
function note(path: unknown, isKept: boolean): void {
	if (typeof path !== 'string' || root === '' || !path.startsWith(root)) return;
	const seconds = wallClock(current()?.machine) / 1000;
	if (real.lstatSync(path, {throwIfNoEntry: false}) !== undefined)
		real.lutimesSync(path, seconds, seconds);
	const unsynced = current()?.unsynced;
	if (isKept) unsynced?.delete(path);
	else unsynced?.set(path, world().now());
}

/** What a process leaves open is closed with it. */
function hold(handle: number): void {
	const files = current()?.files;
	if (files?.size === 0) {
		current()?.onEnd.push(() => {
			for (const left of files) real.closeSync(left);
			files.clear();
		});
	}
	files?.add(handle);
}

type Values = readonly unknown[];
type AnyFunction = (...values: Values) => unknown;

/** What a call leaves to be known of its files; those that only read leave nothing. */
const effects: Readonly<Record<string, (values: Values, result: unknown) => void>> = {
	openSync([path, flags], handle) {
		if (typeof path === 'string') opened.set(handle, path);
		if (typeof handle === 'number') hold(handle);
		if (flags !== undefined && flags !== 'r') note(path, true);
	},
	closeSync([handle]) {
		opened.delete(handle);
		current()?.files.delete(Number(handle));
	},
	fsyncSync: ([handle]) => note(opened.get(handle), true),
	symlinkSync: ([, link]) => note(link, true),
	mkdirSync: ([path]) => note(path, true),
	writeFileSync: ([place]) => note(opened.get(place) ?? place, false),
	writeSync: ([handle]) => note(opened.get(handle), false),
	appendFileSync: ([place]) => note(opened.get(place) ?? place, false),
	ftruncateSync: ([handle]) => note(opened.get(handle), false),
	renameSync([from, to]) {
		const unsynced = current()?.unsynced;
		const at = typeof from === 'string' ? unsynced?.get(from) : undefined;
		if (at === undefined || typeof from !== 'string' || typeof to !== 'string') return;
		unsynced?.delete(from);
		unsynced?.set(to, at);
	},
};

/** Functions of which the second value is a path as well, and those of which it alone is one. */
const pairs = new Set(['renameSync', 'linkSync', 'copyFileSync']);
const pathResults = new Set(['realpathSync', 'mkdtempSync', 'mkdirSync']);

function wrap(name: string, call: AnyFunction): AnyFunction {
	return (first, second, ...rest) => {
		refuse(name, second);
		const isLink = name === 'symlinkSync';
		const values = [
			isLink ? first : inRoot(first),
			isLink || pairs.has(name) ? inRoot(second) : second,
			...rest,
		];
		const result = call(...values);
		effects[name]?.(values, result);
		return pathResults.has(name) ? outOfRoot(result) : result;
	};
}

const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function';

/** `node:fs`, all of it that is done at once. */
export const files: Readonly<Record<string, unknown>> = Object.fromEntries(
	Object.entries(real).map(([name, value]: readonly [string, unknown]) => [
		name,
		isFunction(value) && name.endsWith('Sync') ? wrap(name, value) : value,
	]),
);

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each function has the type of the one that it wraps
const sync = files as unknown as typeof real;

/** A file system takes a moment, in which others go on. */
async function moment(): Promise<void> {
	const delay = (current()?.chance.next() ?? 0) * 2;
	return new Promise(resolve => void world().after(delay, resolve));
}

const later =
	<Given extends Values, Result>(call: (...values: Given) => Result) =>
	async (...values: Given): Promise<Result> => {
		await moment();
		return call(...values);
	};

function handleOf(fd: number) {
	const state = {isOpen: true};
	const close = async () => {
		await moment();
		if (state.isOpen) sync.closeSync(fd);
		state.isOpen = false;
	};
	return {
		fd,
		chmod: later((mode: number) => sync.fchmodSync(fd, mode)),
		stat: later(() => sync.fstatSync(fd)),
		sync: later(() => sync.fsyncSync(fd)),
		datasync: later(() => sync.fsyncSync(fd)),
		truncate: later((length: number | undefined) => sync.ftruncateSync(fd, length)),
		writeFile: later((text: string) => sync.writeFileSync(fd, text)),
		appendFile: later((text: string) => sync.writeFileSync(fd, text)),
		readFile: later((options: 'utf8') => sync.readFileSync(fd, options)),
		read: later((buffer: Buffer, offset?: number, length?: number, position?: number | null) => {
			const most = length ?? buffer.length;
			return {bytesRead: sync.readSync(fd, buffer, offset ?? 0, most, position ?? null), buffer};
		}),
		write: later((text: string) => ({bytesWritten: sync.writeSync(fd, text), buffer: text})),
		close,
		[Symbol.asyncDispose]: close,
	};
}

/** `node:fs/promises`, by what is done at once, a moment later. */
export const promises: Readonly<Record<string, unknown>> = {
	...Object.fromEntries(
		Object.keys(real.promises).flatMap(name => {
			const call = files[`${name}Sync`];
			return isFunction(call) ? [[name, later(call)]] : [];
		}),
	),
	constants: real.constants,
	open: later((path: string, flags: string, mode?: number) =>
		handleOf(sync.openSync(path, flags, mode)),
	),
};

/** A cut of the power: files that were written lately and not synced lose their end. */
export function tear(process: Process): void {
	for (const [path, at] of process.unsynced) {
		const about = real.lstatSync(path, {throwIfNoEntry: false});
		if (world().now() - at > 5000 || about?.isFile() !== true) continue;
		world().say(`${process.machine.name}: the end of ${String(outOfRoot(path))} is lost`);
		real.truncateSync(path, Math.floor(about.size * process.chance.next()));
	}
}
