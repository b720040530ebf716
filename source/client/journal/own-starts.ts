/** The last start of each instance that was asked for from here, as the journal has it. */
import {stat} from 'node:fs/promises';
import {readJournal, type JournalEntry} from './journal.ts';

/** Milliseconds since 1970 on this machine's clock, by instance. */
export type OwnStarts = ReadonlyMap<number, number>;

const none: OwnStarts = new Map();

/** Changes after which an instance boots, whatever state they ask for. */
const restarts = new Set([
	'instances.reboot',
	'instances.recycle',
	'instances.rebuild',
	'instances.changeBid',
]);

/** A start counts from the last line about it: the service may have taken it as late as then. */
export function ownStarts(entries: readonly JournalEntry[]): OwnStarts {
	const starts = new Map<number, number>();
	for (const {change, answers} of entries) {
		if (!restarts.has(change.action) && change.state !== 'running') continue;
		const last = Math.max(...[change, ...answers].map(({at}) => Date.parse(at) || 0));
		for (const id of targetsOf(change.target)) {
			starts.set(id, Math.max(last, starts.get(id) ?? 0));
		}
	}
	return starts;
}

function targetsOf(target: JournalEntry['change']['target']): readonly number[] {
	if (typeof target === 'object') return target;
	return typeof target === 'number' ? [target] : [];
}

/** Reads them anew when the journal has grown; one that cannot be read says nothing new. */
export function openOwnStarts(file: string | undefined): () => Promise<OwnStarts> {
	let known = {stamp: '', starts: none};

	async function read(from: string): Promise<typeof known> {
		const {ino, size} = await stat(from);
		const stamp = `${ino} ${size}`;
		return stamp === known.stamp ? known : {stamp, starts: ownStarts(await readJournal(from))};
	}

	return async () => {
		if (file !== undefined) known = await read(file).catch(() => known);
		return known.starts;
	};
}
