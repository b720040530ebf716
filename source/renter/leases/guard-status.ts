/** The state of the guard of this machine's folder, as its file tells it to others. */
import {join} from 'node:path';
import {isRecord} from '../../contract/grammar/json.ts';
import {duration} from '../text/format.ts';
import {readLeader} from './leadership.ts';

/** A guard's part for one profile. */
export type Guarded = {
	/** Time of the service's last answer, in milliseconds since 1970 on the guard's clock. */
	readonly heardAt: number | undefined;
	readonly instances: number | undefined;
	readonly ending: number | undefined;
	/** Why it decides nothing at present. */
	readonly problem: string | undefined;
	/** Keys of the leases that it enforces, by instance. */
	readonly leases: Readonly<Record<string, unknown>>;
	/** Instances whose idleness it has not measured; none where an older guard does not say. */
	readonly unmeasured: readonly unknown[];
};

export type GuardStatus = {
	readonly host: string;
	readonly pid: number;
	/** Start of the guard, in milliseconds since 1970 on its clock. */
	readonly since: number | undefined;
	readonly rssMb: number | undefined;
	readonly profiles: ReadonlyMap<string, Guarded>;
};

/** Undefined where no guard acts in this folder. */
export async function readGuard(state: string): Promise<GuardStatus | undefined> {
	const leader = await readLeader(join(state, 'guard.json'));
	if (leader === undefined) return undefined;
	const {host, pid, status} = leader;
	const profiles = Object.entries(recordIn(status, 'profiles')).flatMap(([name, profile]) =>
		isRecord(profile) ? [[name, guardedIn(profile)] as const] : [],
	);
	const [since, rssMb] = [numberIn(status, 'since'), numberIn(status, 'rssMb')];
	return {host, pid, since, rssMb, profiles: new Map(profiles)};
}

function guardedIn(profile: Readonly<Record<string, unknown>>): Guarded {
	const {problem, unmeasured} = profile;
	return {
		heardAt: numberIn(profile, 'heardAt'),
		instances: numberIn(profile, 'instances'),
		ending: numberIn(profile, 'ending'),
		problem: typeof problem === 'string' ? problem : undefined,
		leases: recordIn(profile, 'leases'),
		unmeasured: Array.isArray(unmeasured) ? unmeasured : [],
	};
}

type Json = Readonly<Record<string, unknown>>;

function recordIn(json: Json, name: string): Json {
	const value = json[name];
	return isRecord(value) ? value : {};
}

function numberIn(json: Json, name: string): number | undefined {
	const value = json[name];
	return typeof value === 'number' ? value : undefined;
}

/** A guard is silent for no longer, as long as it runs. */
const SILENT_SECONDS = 120;

export function isSilent({heardAt}: Guarded, now: number): boolean {
	return heardAt === undefined || now - heardAt > SILENT_SECONDS * 1000;
}

/** "heard 12 s ago, on ws1 for 2h" */
export function heardWords({host, since}: GuardStatus, {heardAt}: Guarded, now: number): string {
	const ago = (at: number) => Math.max(0, Math.round((now - at) / 1000));
	const heard = heardAt === undefined ? 'not heard yet' : `heard ${ago(heardAt)} s ago`;
	return since === undefined ? heard : `${heard}, on ${host} for ${duration(ago(since))}`;
}

/** The guard of a profile in a line: "heard 12 s ago, on ws1 for 2h; 3 of 5 have an end" */
export function guardWords(guard: GuardStatus | undefined, name: string, now: number): string {
	const mine = guard?.profiles.get(name);
	if (guard === undefined || mine === undefined) return 'none here; rentty guard runs one';
	const counts =
		mine.ending === undefined ? [] : [`${mine.ending} of ${mine.instances ?? 0} have an end`];
	const trouble = mine.problem === undefined ? [] : [mine.problem];
	return [heardWords(guard, mine, now), ...trouble, ...counts].join('; ');
}
