/** The file of pending rents, so that the next start knows the unanswered ones. */
import {mkdir, rename} from 'node:fs/promises';
import {dirname} from 'node:path';
import {isRecord, parseJson} from '../../contract/grammar/json.ts';
import {withLock} from '../files/file-lock.ts';
import {replaceFile, readIfThere} from '../files/files.ts';
import {fileTrouble} from '../../contract/rules/thrown.ts';
import {
	isUndecided,
	learn,
	readPendingRent,
	type PendingRent,
	type RentState,
} from './pending-rent.ts';

/** Most settled rents stored: late requests and comparisons need the last ones. */
const MOST_SETTLED = 100;

export type PendingRents = {
	/** Pending rents in the file, including settled ones, the last changed at the end. */
	readonly all: () => Promise<readonly PendingRent[]>;
	/**
	 * Writes a rent that is about to be sent, and returns the others at that moment: one of two
	 * concurrent ones sees the other.
	 *
	 * @throws UnreadableRents once if the file cannot be read: it may contain an unanswered rent
	 */
	readonly note: (pending: PendingRent) => Promise<readonly PendingRent[]>;
	readonly learn: (pending: PendingRent, state: RentState) => Promise<PendingRent>;
	/** Records that their outcome was reported. */
	readonly markTold: (tokens: ReadonlySet<string>, how: true | 'on screen') => Promise<void>;
};

/** Pending rents in a file that several processes share; without a file, in this process's memory. */
export function openPendingRents(file: string | undefined): PendingRents {
	const {read, change} = file === undefined ? inMemory() : inFile(file);

	return {
		all: read,
		async note(pending) {
			let others: readonly PendingRent[] = [];
			await change((pendingRents, aside) => {
				if (aside !== undefined) throw new UnreadableRents(aside);
				others = pendingRents.filter(({token}) => token !== pending.token);
				return [...others, pending];
			});
			return others;
		},
		async learn(pending, state) {
			let learned = learn(pending, state);
			await change(pendingRents => {
				// Another process may have learned more meanwhile.
				const known = pendingRents.find(({token}) => token === pending.token) ?? pending;
				learned = learn(known, state);
				return [...pendingRents.filter(({token}) => token !== pending.token), learned];
			});
			return learned;
		},
		markTold: async (tokens, isTold) =>
			change(pendingRents =>
				pendingRents.map(one => (tokens.has(one.token) ? {...one, isTold} : one)),
			),
	};
}

/** Error for an unreadable file of pending rents, which was moved aside. */
export class UnreadableRents extends Error {
	override readonly name = 'UnreadableRents';

	constructor(aside: string) {
		super(`The file of unanswered rents could not be read, and is kept as ${aside}`);
	}
}

/** @param aside name of the unreadable file; undefined if it was readable, or missing */
type Change = (
	pendingRents: readonly PendingRent[],
	aside: string | undefined,
) => readonly PendingRent[];
type Keeper = {
	readonly read: () => Promise<readonly PendingRent[]>;
	readonly change: (by: Change) => Promise<void>;
};

function inMemory(): Keeper {
	let pendingRents: readonly PendingRent[] = [];
	return {
		read: async () => pendingRents,
		async change(by) {
			pendingRents = withoutOld(by(pendingRents, undefined));
		},
	};
}

function withoutOld(pendingRents: readonly PendingRent[]): readonly PendingRent[] {
	const settled = pendingRents.filter(pending => !isUndecided(pending));
	const old = new Set(settled.slice(0, Math.max(0, settled.length - MOST_SETTLED)));
	return pendingRents.filter(pending => !old.has(pending));
}

/** `others`: entries that this version cannot read, kept for the version that wrote them. */
type Kept = {
	readonly pendingRents: readonly PendingRent[];
	readonly others: readonly unknown[];
	/** Name to which an unreadable file is moved. */
	readonly aside?: string | undefined;
};

function inFile(file: string): Keeper {
	let last: Promise<void> = Promise.resolve();
	let hasFolder = false;

	async function changeAlone(by: Change): Promise<void> {
		if (!hasFolder) await mkdir(dirname(file), {recursive: true, mode: 0o700});
		hasFolder = true;
		await withLock(file, async () => {
			const {pendingRents, others, aside} = await readBook(file, 'aside');
			const text = JSON.stringify({wishes: [...others, ...withoutOld(by(pendingRents, aside))]});
			// Synced to disk: the power may fail after a rental.
			await replaceFile(file, text, {isDurable: true});
		});
	}

	return {
		read: async () => (await readBook(file)).pendingRents,
		async change(by) {
			// Changes of this process queue here: the lock is for other processes.
			const mine = last.then(async () => changeAlone(by));
			last = mine.catch(() => undefined);
			return mine.catch((cause: unknown) => {
				if (cause instanceof UnreadableRents) throw cause;
				throw new Error(`${file} cannot be written (${fileTrouble(cause)})`, {cause});
			});
		},
	};
}

/**
 * Reads the file. One of another kind is moved aside before it is replaced: it may be useful to its
 * owner.
 */
async function readBook(file: string, broken?: 'aside'): Promise<Kept> {
	const text = readIfThere(file);
	if (text === undefined) return {pendingRents: [], others: []};
	const entries = entriesOf(text);
	if (entries === undefined) {
		const aside = broken === 'aside' ? `${file}.unreadable-${Date.now()}` : undefined;
		if (aside !== undefined) await rename(file, aside);
		return {pendingRents: [], others: [], aside};
	}
	const read = entries.map(entry => [entry, readPendingRent(entry)] as const);
	return {
		pendingRents: read.flatMap(([, pending]) => pending ?? []),
		others: read.flatMap(([entry, pending]) => (pending === undefined ? [entry] : [])),
	};
}

function entriesOf(text: string): readonly unknown[] | undefined {
	const book = parseJson(text);
	return isRecord(book) && Array.isArray(book['wishes']) ? book['wishes'] : undefined;
}
