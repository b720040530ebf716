/**
 * The user's file of settings: read when it is saved, and written when something is set in rentty.
 */
import {mkdirSync, readFileSync, unwatchFile, watch, watchFile} from 'node:fs';
import {basename, dirname} from 'node:path';
import {fieldsOf, isRecord, listOf, parseJson} from '../../contract/grammar/json.ts';
import {
	freelyNamed,
	defaultSettings,
	type Settings,
	type SettingsStore,
} from './default-settings.ts';
import {codeOf, fileTrouble, readingTrouble} from '../../contract/rules/thrown.ts';
import {withLockNow} from '../../client/files/file-lock.ts';
import {replaceFileNow} from '../../client/files/files.ts';
import {lineOfSyntaxError} from '../files/json-lines.ts';
import {createStore, type Readable} from '../state/store.ts';

type SettingsFile = SettingsStore & {
	/** Problem of the file at present, as one sentence; undefined while there is none. */
	readonly problem: Readable<string | undefined>;
	/** Reads the file again after each save, until the returned function is called. */
	readonly follow: () => () => void;
};

type Options = {
	readonly file: string;
	/**
	 * Settings at the start, the defaults if the file cannot be read, with the text of the file if
	 * there is one.
	 */
	readonly initial: Settings;
	readonly text: string | undefined;
	readonly problem?: string | undefined;
};

/** Debounce time: editors write in several steps. */
const REST_MS = 50;
/** Poll interval, if the system reports no changes. */
const POLL_MS = 2000;

/**
 * Stores settings in a file. Writes are quick and rare, and synchronous, so that leaving loses
 * nothing.
 */
export function openSettingsFile({
	file,
	initial,
	text: read,
	problem: first,
}: Options): SettingsFile {
	const store = createStore(initial);
	const problem = createStore<string | undefined>(first);
	/** The text that was read or written last, to recognise changes by others. */
	let latest = read;
	/** Parsed text that the settings were read from: others may have changed the file since. */
	let known =
		initial === defaultSettings || initial.spend.problem !== undefined
			? {}
			: fieldsOf(parseJson(read ?? '{}'));

	async function reload(): Promise<void> {
		try {
			if (readIfThere(file) === latest) return;
			const {readSettings} = await import('./settings.ts');
			// The file may have been changed again meanwhile, also from here.
			const text = readIfThere(file);
			if (text === latest) return;
			latest = text;
			const {settings, problem: found} = readSettings(file, text ?? '{}');
			problem.set(settings === undefined ? `${found}; the settings stay as they were.` : found);
			if (settings === undefined) return;
			known = fieldsOf(parseJson(text ?? '{}'));
			store.set(settings);
		} catch (error) {
			problem.set(
				`${file} cannot be read (${readingTrouble(error)}); the settings stay as they were.`,
			);
		}
	}

	function change(patch: Partial<Settings>): void {
		store.set({...store.get(), ...patch});
		try {
			const {before, after} = write(file, patch, known);
			known = withChanges(known, patch);
			problem.set(undefined);
			if (before === latest) latest = after;
			else void reload();
		} catch (error) {
			problem.set(`${reasonOf(error, file)}; what was set holds until rentty ends.`);
		}
	}
	return {
		get: store.get,
		subscribe: store.subscribe,
		problem,
		change,
		follow: () => followFile(file, () => void reload()),
	};
}

/** Changes the present file, and returns its text before and after. */
function write(file: string, patch: Partial<Settings>, known: Readonly<Record<string, unknown>>) {
	mkdirSync(dirname(file), {recursive: true, mode: 0o700});
	return withLockNow(file, () => {
		const before = readIfThere(file);
		const json: unknown = JSON.parse(before ?? '{}');
		if (!isRecord(json)) throw new SyntaxError('expected an object, like {"diskGb": 40}');
		const after = writeSettings(withChanges(json, patch, known));
		replaceFileNow(file, after, {isDurable: true});
		return {before, after};
	});
}

function readIfThere(file: string): string | undefined {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return undefined;
		throw error;
	}
}

function reasonOf(error: unknown, file: string): string {
	if (error instanceof SyntaxError) {
		const line = lineOfSyntaxError(readIfThere(file) ?? '', error);
		return `${file} line ${line}: expected JSON, so nothing was written to it`;
	}
	return `${file} cannot be written (${fileTrouble(error)})`;
}

/** Reports when a file was written, replaced or removed. */
function followFile(file: string, onChange: () => void): () => void {
	let timer: NodeJS.Timeout | undefined;
	const changed = () => {
		clearTimeout(timer);
		timer = setTimeout(onChange, REST_MS);
	};
	// Also for events of the folder: some file systems send none.
	watchFile(file, {interval: POLL_MS, persistent: false}, changed);
	const folder = watchFolder(file, changed);
	// The file may have been saved since it was read.
	changed();
	return () => {
		clearTimeout(timer);
		unwatchFile(file, changed);
		folder?.close();
	};
}

/** Watches the folder, which may not exist yet, because editors replace files. */
function watchFolder(file: string, onChange: () => void) {
	try {
		const watcher = watch(dirname(file), {persistent: false}, (_, name) => {
			if (name === null || name === basename(file)) onChange();
		});
		watcher.on('error', () => watcher.close());
		return watcher;
	} catch {
		return undefined;
	}
}

type Json = Readonly<Record<string, unknown>>;

/**
 * A file with some settings changed, without default values, and with unknown names kept. Settings not
 * changed since the file was `known` stay as others have set them meanwhile.
 */
export function withChanges(file: Json, patch: Partial<Settings>, known: Json = file): Json {
	return merged({file, known, usual: defaultSettings}, patch);
}

type Merging = {readonly file: Json; readonly known: Json; readonly usual: Json};

function merged({file, known, usual}: Merging, patch: Json): Json {
	const next: Record<string, unknown> = {...file};
	for (const [name, value] of Object.entries(patch)) {
		const before = known[name] ?? usual[name];
		if (isSame(value, before)) continue;
		const after = mergedValue({file: file[name], before, usual: usual[name]}, value, name);
		const isUsual =
			isSame(after, usual[name]) || (isNested(usual[name], name) && isSame(after, {}));
		if (isUsual) delete next[name];
		else next[name] = after;
	}
	return next;
}

type Value = {readonly file: unknown; readonly before: unknown; readonly usual: unknown};

function mergedValue({file, before, usual}: Value, value: unknown, name: string): unknown {
	if (Array.isArray(value)) {
		return isSame(file, before) ? value : withListChange(listOf(file), listOf(before), value);
	}
	if (!isRecord(value) || !isRecord(usual)) return value;
	const merging = {file: fieldsOf(file), known: fieldsOf(before)};
	if (isNested(usual, name)) return merged({...merging, usual}, value);
	const after = merged({...merging, usual: {}}, value);
	const gone = Object.keys(merging.known).filter(one => !Object.hasOwn(value, one));
	return Object.fromEntries(Object.entries(after).filter(([one]) => !gone.includes(one)));
}

/** A list with the changes from one list to another applied; its other entries stay. */
export function withListChange(
	list: readonly unknown[],
	from: readonly unknown[],
	to: readonly unknown[],
): readonly unknown[] {
	const left = list.filter(item => isIn(to, item) || !isIn(from, item));
	return [...left, ...to.filter(item => !isIn(from, item) && !isIn(left, item))];
}

function isNested(usual: unknown, name: string): boolean {
	return isRecord(usual) && !freelyNamed.includes(name);
}

/** True if two values are the same as JSON. */
export function isSame(one: unknown, other: unknown): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

function isIn(list: readonly unknown[], item: unknown): boolean {
	return list.some(one => isSame(one, item));
}

export function writeSettings(json: Json): string {
	return `${JSON.stringify(json, undefined, '\t')}\n`;
}
