/** The state of this machine's guard, in a file for other programs. */
import {randomUUID} from 'node:crypto';
import {mkdir} from 'node:fs/promises';
import {hostname} from 'node:os';
import {dirname, join} from 'node:path';
import process from 'node:process';
import {isAlive, isCode, withLock} from '../../client/files/file-lock.ts';
import {codeOf, fileTrouble} from '../../contract/rules/thrown.ts';
import {fieldsOf, isRecord, listOf, numberAt, parseJson} from '../../contract/grammar/json.ts';
import {replaceFile, readPlainFile, sharedProblem} from '../../client/files/files.ts';
import {duration} from '../text/format.ts';

type Guarded = {
	/** Time of the service's last answer, in milliseconds since 1970 on the guard's clock. */
	readonly heardAt: number | undefined;
	readonly instances: number | undefined;
	readonly ending: number | undefined;
	/** Reason why the guard decides nothing at present. */
	readonly problem: string | undefined;
	/** Keys of the enforced leases, by instance. */
	readonly leases: Readonly<Record<string, unknown>>;
	/**
	 * Instances whose idleness is not measured; empty for an older guard, which does not report
	 * them.
	 */
	readonly unmeasured: readonly unknown[];
};

type GuardStatus = {
	readonly host: string;
	readonly pid: number;
	/** Start of the guard, in milliseconds since 1970 on its clock. */
	readonly since: number | undefined;
	readonly rssMb: number | undefined;
	readonly profiles: ReadonlyMap<string, Guarded>;
};

/** Undefined if no guard acts in this folder. */
export async function readGuard(state: string): Promise<GuardStatus | undefined> {
	return guardAt(state);
}

/** The same, at once. */
export function guardAt(state: string): GuardStatus | undefined {
	const leader = leaderAt(join(state, 'guard.json'));
	if (leader === undefined) return undefined;
	const {host, pid, status} = leader;
	const profiles = Object.entries(fieldsOf(status['profiles'])).flatMap(([name, profile]) =>
		isRecord(profile) ? [[name, guardedIn(profile)] as const] : [],
	);
	const [since, rssMb] = [numberAt(status, 'since'), numberAt(status, 'rssMb')];
	return {host, pid, since, rssMb, profiles: new Map(profiles)};
}

function guardedIn(profile: Readonly<Record<string, unknown>>): Guarded {
	const {problem, unmeasured} = profile;
	return {
		heardAt: numberAt(profile, 'heardAt'),
		instances: numberAt(profile, 'instances'),
		ending: numberAt(profile, 'ending'),
		problem: typeof problem === 'string' ? problem : undefined,
		leases: fieldsOf(profile['leases']),
		unmeasured: listOf(unmeasured),
	};
}

const SILENT_SECONDS = 120;

export function isSilent({heardAt}: Guarded, now: number): boolean {
	return heardAt === undefined || now - heardAt > SILENT_SECONDS * 1000;
}

/** "heard 12 s ago, on ws1 for 2h" */
export function guardContactText(
	{host, since}: GuardStatus,
	{heardAt}: Guarded,
	now: number,
): string {
	const ago = (at: number) => Math.max(0, Math.round((now - at) / 1000));
	const contact = heardAt === undefined ? 'not heard yet' : `heard ${ago(heardAt)} s ago`;
	return since === undefined ? contact : `${contact}, on ${host} for ${duration(ago(since))}`;
}

/** The guard of a profile in a line: "heard 12 s ago, on ws1 for 2h; 3 of 5 have an end" */
export function guardStatusText(guard: GuardStatus | undefined, name: string, now: number): string {
	const mine = guard?.profiles.get(name);
	if (guard === undefined || mine === undefined) return 'none here; rentty guard runs one';
	const counts =
		mine.ending === undefined ? [] : [`${mine.ending} of ${mine.instances ?? 0} have an end`];
	const trouble = mine.problem === undefined ? [] : [mine.problem];
	return [guardContactText(guard, mine, now), ...trouble, ...counts].join('; ');
}

type Leader = {
	readonly owner: string;
	readonly host: string;
	readonly pid: number;
	/** Counter that grows with every heartbeat. */
	readonly beat: number;
	readonly status: Readonly<Record<string, unknown>>;
};

type LeadershipOptions = {
	readonly file: string;
	/** Milliseconds on a clock that never jumps. */
	readonly steady: () => number;
	/**
	 * Host and process of this guard.
	 * @default this process
	 */
	readonly self?: Pick<Leader, 'host' | 'pid'>;
};

/** Silence after which a guard, or its machine, counts as dead. */
const SILENT_MS = 90_000;

/** Disk errors: a full disk must not keep due instances running. */
const ofDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);

export type Leadership = ReturnType<typeof openLeadership>;

/**
 * Leader election among guards that share a folder: one acts, the others wait until it is silent.
 */
export function openLeadership({
	file,
	steady,
	self = {host: hostname(), pid: process.pid},
}: LeadershipOptions) {
	const owner = randomUUID();
	let trouble: string | undefined;
	let observed: {readonly owner: string; readonly beat: number; readonly at: number} | undefined;

	function mayTake(leader: Leader): boolean {
		if (leader.host === self.host && !isAlive(leader.pid)) return true;
		const isNew = observed?.owner !== leader.owner || observed.beat !== leader.beat;
		if (isNew) observed = {owner: leader.owner, beat: leader.beat, at: steady()};
		return observed !== undefined && steady() - observed.at >= SILENT_MS;
	}

	async function write(status: Leader['status']): Promise<boolean> {
		const folder = dirname(file);
		await mkdir(folder, {recursive: true, mode: 0o700});
		// Files in this folder are evidence that can end instances.
		const problem = sharedProblem(folder);
		if (problem !== undefined) throw new Error(`No guard acts here: ${problem}`);
		return withLock(file, async () => {
			const leader = await readLeader(file);
			const isMine = leader?.owner === owner;
			if (leader !== undefined && !isMine && !mayTake(leader)) return false;
			const beat = (leader?.beat ?? 0) + 1;
			const merged = isMine ? {...leader.status, ...status} : status;
			await replaceFile(file, JSON.stringify({owner, ...self, beat, status: merged}));
			return true;
		});
	}

	/**
	 * Decides leadership without writes: then only a leader that runs here, or was heard, counts.
	 */
	async function leadUnwritten(): Promise<boolean> {
		const leader = await readLeader(file);
		if (leader === undefined || leader.owner === owner) return true;
		return leader.host === self.host ? !isAlive(leader.pid) : mayTake(leader);
	}

	return {
		/** Sends a heartbeat if this guard leads, or takes over; true if it leads from now on. */
		async lead(status: Leader['status'] = {}): Promise<boolean> {
			try {
				const leads = await write(status);
				trouble = undefined;
				return leads;
			} catch (error) {
				if (!ofDisk.has(codeOf(error) ?? '')) throw error;
				trouble = `${file} cannot be written (${fileTrouble(error)})`;
				return leadUnwritten();
			}
		},
		/**
		 * Reason why this guard's heartbeat is not visible; undefined if its file could be written.
		 */
		trouble: () => trouble,
		/** Lets the next guard lead at once. */
		async leave(): Promise<void> {
			await withLock(file, async () => {
				const leader = await readLeader(file);
				if (leader?.owner !== owner) return;
				await replaceFile(file, JSON.stringify({...leader, owner: '', pid: 0, host: ''}));
			});
		},
	};
}

/** The leading guard; undefined if none leads, or the file is unreadable. */
export async function readLeader(file: string): Promise<Leader | undefined> {
	return leaderAt(file);
}

function leaderAt(file: string): Leader | undefined {
	try {
		return leaderIn(readPlainFile(file));
	} catch (error) {
		if (isCode(error, 'ENOENT')) return undefined;
		throw error;
	}
}

function leaderIn(text: string): Leader | undefined {
	const read = parseJson(text);
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
}
