/**
 * A watchdog inside of the instance: a script of POSIX sh that stops or destroys its own instance, with
 * the key that it finds there, and needs no rentty anywhere.
 *
 * It counts by the machine's uptime, so that no clock that is set ends anything early, and keeps what it
 * has counted in `~/.rentty` over restarts. In that folder it leaves a mark with the key of the lease
 * that it enforces; a file `n` that is put there changes it.
 */
import {BEFORE_VARIABLE, leaseKey, usualBefore, type BusyKind, type Lease} from './lease.ts';

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

/** Beginning of the watchdog's line in the instance's log, before the key of its lease. */
export const WATCHDOG_MARK = 'rentty-watchdog';

/** The script; undefined where nothing in the lease is for it to end, or the address is a strange one. */
export function watchdogScript(options: WatchdogOptions): string | undefined {
	const {url, everySeconds = 20, root = ''} = options;
	const terms = watchdogTerms(options);
	if (terms === undefined || !/^https?:\/\/[\w.:[\]/-]+$/.test(url)) return undefined;
	const call = `a=${url}/api/v0/instances/$CONTAINER_ID/ j='{"state":"stopped"}'`;
	return script
		.replace('$TERMS', `${call} t=${everySeconds} ${terms}`)
		.replaceAll(/\/(?:proc|sys)\b/g, place => root + place);
}

/** Variables of the watchdog: at the start, and in the file by which it learns of changes. */
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

/** Its load has the disk's part too: what waits for a disk counts. */
function busyTerms(ignores: readonly BusyKind[]): readonly string[] {
	const ignored = (kind: BusyKind) => ignores.includes(kind);
	return [
		`M=${ignored('cpu') && ignored('disk') ? NEVER : 1}`,
		`N=${ignored('network') ? NEVER : 17_000}`,
		`S=${ignored('ssh') ? '^x^' : '^sshd.*@'}`,
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

/**
 * Variables: a the address of its instance, t seconds between looks, L and I seconds until the end and of idling,
 * A what is called, W and G the limit and the grace of the command before, M load and N bytes a second
 * that count as busy, S what a session of SSH is called, K the key of the lease; e what has passed, p
 * the uptime at the last look, x what passed since, z for how long it idles.
 */
const script = String.raw`((cd "${'${HOME:-/root}'}";mkdir -p .rentty;cd .rentty||exit;rm -rf b?
$TERMS
[ -f t ]&&. ./t;e=0 p=0 z=0 m=0 C=;[ -f s ]&&. ./s
{ type curl||type python3||wget --help|grep -e--meth;}>o 2>&1||C='no client'
k(){ echo "${WATCHDOG_MARK} $K $C";}
k;exec >o 2>&1;k>m
h(){ echo "$1Authorization: Bearer $CONTAINER_API_KEY
$1Content-Type: application/json";}
q(){ h|curl -sH@- -m60 -X$A -d$j $a||(umask 77;h header=>w;WGETRC=w wget -qO- --method=$A --body-data=$j $a)||h|python3 -c "from urllib.request import*;urlopen(Request('$a',b'$j',dict(l[:-1].split(': ')for l in open(0)),method='$A'))";}
i(){ for g in $(nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader,nounits||rocm-smi --showuse|grep -o '[0-9]*$');do [ $g -lt 5 ]||return;done
n=0;for g in $(cat /sys/class/net/[!l]*/*/?x_bytes);do n=$((n+g));done
r=$((n-m)) m=$n;read l _ </proc/loadavg;[ ${'${l%.*}'} -lt $M ]&&[ $r -lt $((n?x*N:0)) ]&&! grep -qs $S /proc/*/cmdline;}
b(){ mkdir b$1&&{ (cd ..;$(command -v timeout&&echo $W) sh -c "$${BEFORE_VARIABLE}");echo $?>b$1/r;}||[ -f b$1/r ]||sleep $W;grep ^0 b$1/r;}
while :;do read u _ </proc/uptime;u=${'${u%.*}'} x=$((p&&u>p?u-p:0));e=$((e+x)) p=$u
[ -f n ]&&{ mv n t;. ./t;e=0 z=0;k>m;}
i&&[ $x -lt 91 ]&&z=$((z+x))||z=0
echo e=$e p=$p>s.;mv s. s
[ $e -lt $L ]&&[ $z -lt $I ]||{ b 1||{ sleep $G;[ -f n ]||b 2;};until [ -f n ];do q;sleep $t;done;};sleep $t;done)&)
`;
