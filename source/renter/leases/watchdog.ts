/**
 * A watchdog inside of the instance: a script of POSIX sh that stops or destroys its own instance, with
 * the key that it finds there, and needs no rentty anywhere.
 *
 * It counts by the machine's uptime, so that no clock that is set ends anything early, and keeps what it
 * has counted in `~/.rentty` over restarts. In that folder it leaves a mark with the key of the lease
 * that it enforces; a file `n` that is put there changes it.
 */
import {leaseKey, usualBefore, type BusyKind, type Lease} from '../words/lease.ts';
import {program} from './watchdog-program.ts';

export type WatchdogOptions = {
	readonly lease: Lease;
	/** The service, as the instance reaches it; without a slash at the end. */
	readonly url: string;
	/** Seconds on the service's clock: what is left of the deadline is counted from here. */
	readonly now: number;
	/** Hourly price while it runs, with its disk; without it, no cost limit is enforced here. */
	readonly perHour?: number | undefined;
	/**
	 * Seconds between looks.
	 * @default 20
	 */
	readonly everySeconds?: number;
	/**
	 * The folder with `proc` and `sys`, where the kernel tells what the machine does.
	 *
	 * @default the machine's own
	 */
	readonly root?: string;
};

/** The most characters of the script, without the address of the service. */
export const LONGEST_WATCHDOG = 1500;

/** More seconds than anything lasts; shells count so far. */
const NEVER = 99_999_999;

/** The script; undefined where nothing in the lease is for it to end, or the address is a strange one. */
export function watchdogScript(options: WatchdogOptions): string | undefined {
	const {url, everySeconds = 20, root = ''} = options;
	const terms = watchdogTerms(options);
	if (terms === undefined || !/^https?:\/\/[\w.:[\]/-]+$/.test(url)) return undefined;
	const call = `a=${url}/api/v0/instances/$CONTAINER_ID/ j='{"state":"stopped"}'`;
	return program
		.replace('$TERMS', `${call} t=${everySeconds} ${terms}`)
		.replaceAll(/\/(?:proc|sys)\b/g, place => root + place);
}

/** Variables of the watchdog, by the names of `watchdog.sh`: at the start, and in the file by which it learns of changes. */
export function watchdogTerms({
	lease,
	now,
	perHour,
}: Pick<WatchdogOptions, 'lease' | 'now' | 'perHour'>): string | undefined {
	const limit = secondsLeft(lease, now, perHour);
	const idle = lease.isKept ? NEVER : (lease.idleSeconds ?? NEVER);
	if (limit === NEVER && idle === NEVER) return undefined;
	const {limitSeconds, graceSeconds} = lease.before ?? usualBefore;
	return [
		`L=${limit} I=${idle}`,
		`A=${lease.action === 'destroy' ? 'DELETE' : 'PUT'}`,
		`W=${limitSeconds} G=${graceSeconds}`,
		...busyTerms(lease.ignores),
		`K=${leaseKey(lease)}`,
	].join(' ');
}

/** Variables after a lease was removed. */
export const noTerms = `L=${NEVER} I=${NEVER} K=none`;

/** What counts as busy: a tenth of a processor and 17 kB a second, both together as one number. */
function busyTerms(ignores: readonly BusyKind[]): readonly string[] {
	const counts = (kind: BusyKind) => !ignores.includes(kind);
	// Neither is a text that the script has in its own arguments.
	const seen = [counts('ssh') ? '^sshd.*@' : '^-', ...(counts('disk') ? ['[)] D'] : [])];
	return [
		`M=${Number(counts('cpu'))}`,
		`N=${counts('network') ? 60 : 0}`,
		`S='${seen.join('\\|')}'`,
	];
}

/** Seconds that it may run: until its deadline, or as long as the money lasts. */
function secondsLeft(lease: Lease, now: number, perHour: number | undefined): number {
	const {endsAt, maxCost, isKept} = lease;
	const ends = [
		...(endsAt === undefined ? [] : [endsAt - now]),
		...(isKept || maxCost === undefined || perHour === undefined || perHour <= 0
			? []
			: [(maxCost / perHour) * 3600]),
	];
	return ends.length === 0 ? NEVER : Math.max(1, Math.ceil(Math.min(...ends, NEVER - 1)));
}
