/** Where wishes are kept, so that the next start knows those that were never answered. */
import {mkdir, open, readFile, rename, rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import process from 'node:process';
import {isRecord} from '../../contract/json.ts';
import {isCode, withLock} from '../file-lock.ts';
import {fileTrouble} from '../file-trouble.ts';
import {isOpen, learn, readWish} from './wishes.ts';
import type {Wish, WishState} from './wishes.ts';

/** How many of the settled wishes are remembered: late requests and comparisons need the last ones. */
const MOST_SETTLED = 100;

export type WishBook = {
	/** Every wish that is remembered; the one that was changed last is at the end. */
	readonly all: () => Promise<readonly Wish[]>;
	readonly note: (wish: Wish) => Promise<void>;
	/** Notes what was learned of a wish, and answers all that is known of it. */
	readonly learn: (wish: Wish, state: WishState) => Promise<Wish>;
};

/** A book in a file that several processes share; in memory, and for this process alone, without. */
export function openWishBook(file: string | undefined): WishBook {
	const {read, change} = file === undefined ? inMemory() : inFile(file);

	return {
		all: read,
		note: async wish => change(wishes => [...wishes, wish]),
		async learn(wish, state) {
			let learned = learn(wish, state);
			await change(wishes => {
				// Another process may have learned more meanwhile.
				const known = wishes.find(({token}) => token === wish.token) ?? wish;
				learned = learn(known, state);
				return [...wishes.filter(({token}) => token !== wish.token), learned];
			});
			return learned;
		},
	};
}

type Change = (wishes: readonly Wish[]) => readonly Wish[];
type Keeper = {
	readonly read: () => Promise<readonly Wish[]>;
	readonly change: (by: Change) => Promise<void>;
};

function inMemory(): Keeper {
	let wishes: readonly Wish[] = [];
	return {
		read: async () => wishes,
		async change(by) {
			wishes = withoutOld(by(wishes));
		},
	};
}

function withoutOld(wishes: readonly Wish[]): readonly Wish[] {
	const settled = wishes.filter(wish => !isOpen(wish));
	const old = new Set(settled.slice(0, Math.max(0, settled.length - MOST_SETTLED)));
	return wishes.filter(wish => !old.has(wish));
}

/** `others` are what this version cannot read: they are kept for whoever wrote them. */
type Kept = {readonly wishes: readonly Wish[]; readonly others: readonly unknown[]};

function inFile(file: string): Keeper {
	let last: Promise<void> = Promise.resolve();
	let hasFolder = false;

	async function changeAlone(by: Change): Promise<void> {
		if (!hasFolder) await mkdir(dirname(file), {recursive: true, mode: 0o700});
		hasFolder = true;
		await withLock(file, async () => {
			const {wishes, others} = await readBook(file, 'aside');
			await writeBook(file, {wishes: withoutOld(by(wishes)), others});
		});
	}

	return {
		read: async () => (await readBook(file)).wishes,
		async change(by) {
			// One after the other: the lock is for other processes.
			const mine = last.then(async () => changeAlone(by));
			last = mine.catch(() => undefined);
			return mine.catch((cause: unknown) => {
				throw new Error(`${file} cannot be written (${fileTrouble(cause)})`, {cause});
			});
		},
	};
}

/** A file that is none of ours is put aside before another takes its place: it may be of use to people. */
async function readBook(file: string, broken?: 'aside'): Promise<Kept> {
	const text = await readIfThere(file);
	if (text === undefined) return {wishes: [], others: []};
	const entries = entriesOf(text);
	if (entries === undefined) {
		if (broken === 'aside') await rename(file, `${file}.unreadable-${Date.now()}`);
		return {wishes: [], others: []};
	}
	const read = entries.map(entry => [entry, readWish(entry)] as const);
	return {
		wishes: read.flatMap(([, wish]) => wish ?? []),
		others: read.flatMap(([entry, wish]) => (wish === undefined ? [entry] : [])),
	};
}

async function readIfThere(file: string): Promise<string | undefined> {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		if (isCode(error, 'ENOENT')) return undefined;
		throw error;
	}
}

function entriesOf(text: string): readonly unknown[] | undefined {
	try {
		const book: unknown = JSON.parse(text);
		return isRecord(book) && Array.isArray(book['wishes']) ? book['wishes'] : undefined;
	} catch {
		return undefined;
	}
}

/** Written beside and moved, and on the disk before it counts: the power may fail after a rental. */
async function writeBook(file: string, {wishes, others}: Kept): Promise<void> {
	const written = `${file}.${process.pid}`;
	try {
		const handle = await open(written, 'w', 0o600);
		try {
			await handle.writeFile(JSON.stringify({wishes: [...others, ...wishes]}));
			await handle.datasync();
		} finally {
			await handle.close();
		}
		await rename(written, file);
	} catch (error) {
		await rm(written, {force: true}).catch(() => undefined);
		throw error;
	}
}
