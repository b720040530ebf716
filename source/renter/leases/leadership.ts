/** Leadership among guards that share a folder: one acts, the others wait until it is silent. */
import {randomUUID} from 'node:crypto';
import {mkdir} from 'node:fs/promises';
import {hostname} from 'node:os';
import {dirname} from 'node:path';
import process from 'node:process';
import {isAlive, isCode, withLock} from '../../client/files/file-lock.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {replaceFile} from '../../client/files/files.ts';
import {readPlainFile, sharedFolderProblem} from '../../client/files/plain-files.ts';

/** The guard that acts, as its file says. */
export type Leader = {
	readonly owner: string;
	readonly host: string;
	readonly pid: number;
	/** Goes up with every sign of life. */
	readonly beat: number;
	/** Its last status. */
	readonly status: Readonly<Record<string, unknown>>;
};

export type LeadershipOptions = {
	readonly file: string;
	/** Milliseconds on a clock that never jumps. */
	readonly steady: () => number;
	/**
	 * Host and process of this guard.
	 * @default this process
	 */
	readonly self?: Pick<Leader, 'host' | 'pid'>;
};

/** A guard that gave no sign of life for longer has died, or its machine has. */
const SILENT_MS = 90_000;

export type Leadership = ReturnType<typeof openLeadership>;

export function openLeadership({
	file,
	steady,
	self = {host: hostname(), pid: process.pid},
}: LeadershipOptions) {
	const owner = randomUUID();
	let seen: {readonly owner: string; readonly beat: number; readonly at: number} | undefined;

	function mayTake(leader: Leader): boolean {
		if (leader.host === self.host && !isAlive(leader.pid)) return true;
		const isNew = seen?.owner !== leader.owner || seen.beat !== leader.beat;
		if (isNew) seen = {owner: leader.owner, beat: leader.beat, at: steady()};
		return seen !== undefined && steady() - seen.at >= SILENT_MS;
	}

	return {
		/** Gives a sign of life where this guard acts, or takes over; whether it acts from now on. */
		async lead(status: Leader['status'] = {}): Promise<boolean> {
			const folder = dirname(file);
			await mkdir(folder, {recursive: true, mode: 0o700});
			// What is kept there is evidence by which instances end.
			const problem = sharedFolderProblem(folder);
			if (problem !== undefined) throw new Error(`No guard acts here: ${problem}`);
			return withLock(file, async () => {
				const leader = await readLeader(file);
				const isMine = leader?.owner === owner;
				if (leader !== undefined && !isMine && !mayTake(leader)) return false;
				const beat = (leader?.beat ?? 0) + 1;
				const told = isMine ? {...leader.status, ...status} : status;
				await replaceFile(file, JSON.stringify({owner, ...self, beat, status: told}));
				return true;
			});
		},
		/** Lets the next one act at once. */
		async leave(): Promise<void> {
			await withLock(file, async () => {
				const leader = await readLeader(file);
				if (leader?.owner !== owner) return;
				await replaceFile(file, JSON.stringify({...leader, owner: '', pid: 0, host: ''}));
			});
		},
	};
}

/** The guard that acts; undefined where none does, or the file cannot be understood. */
export async function readLeader(file: string): Promise<Leader | undefined> {
	try {
		return leaderIn(readPlainFile(file));
	} catch (error) {
		if (isCode(error, 'ENOENT')) return undefined;
		throw error;
	}
}

function leaderIn(text: string): Leader | undefined {
	try {
		const read: unknown = JSON.parse(text);
		if (!isRecord(read)) return undefined;
		const {owner, host, pid, beat, status} = read;
		const isLeader =
			typeof owner === 'string' &&
			owner !== '' &&
			typeof host === 'string' &&
			typeof pid === 'number' &&
			typeof beat === 'number' &&
			isRecord(status);
		return isLeader ? {owner, host, pid, beat, status} : undefined;
	} catch {
		return undefined;
	}
}
