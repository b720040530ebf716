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

/**
 * Variables: a the address of its instance, t seconds between looks, L and I seconds until the end and of idling,
 * A what is called, W and G the limit and the grace of the command before, M and N what processor time
 * and bytes count for, S what in `/proc` is a session of SSH or a wait for a disk, K the key of the
 * lease; e what has passed, p the uptime at the last look, x what passed since, z for how long it idles.
 *
 * Processor time is that of the instance's own control group, of version 2 or 1, else of the processes
 * that it sees, in tenths of a microsecond. File s keeps what has passed, and the key; file r is as old
 * as the last answer of the service.
 */
const script = String.raw`((cd "${'${HOME:-/root}'}";mkdir -p .rentty;cd .rentty||exit;rm -rf b?
$TERMS
e= p= m=;>>s>>t;. ./t;. ./s;exec>o 2>&1
h(){ echo "$1Authorization: Bearer $CONTAINER_API_KEY
$1Content-Type: application/json";}
q(){ h|curl -sH@- -m60 -X$A -d$j $a||(umask 77;h header=>w;WGETRC=w wget -nv -O- -t1 --method=$A --body-data=$j $a)||h|python3 -c "from urllib.request import*;print('{',urlopen(Request('$a',b'$j',dict(l[:-1].split(':')for l in open(0)),method='$A'),None,60))";}
b(){ mkdir b$1&&{ (cd ..;$(command -v timeout&&echo $W) sh -c "$${BEFORE_VARIABLE}");echo $?>b$1/r;}||[ -f b$1/r ]||sleep $W;grep ^0 b$1/r;}
while :;do IFS=. read u _</proc/uptime;x=$((p&&u>p?u-p:0)) e=$((e+x)) p=$u
[ -f n ]&&mv n t&&. ./t&&e=0 z=0 m=
n=$(echo $((1+N*($(sed -n '/ lo/d;s/.*:/+/p' /proc/net/dev|tr -s ' \n' +)0)+M*($(cd /sys/fs/c*;sed 's/.* //;q' cpu.stat||sed s/...$// cpua*/*ge||sed 's/.*)//' /proc/[0-9]*/stat|cut -d\  -f13-16|sed 's/ \|$/00000+/g')0))))
[ $((x<91&m>0&n>=m&n-m<=x<<20)) = 1 ]&&! grep -qs "$S" /proc/*/cmdline /proc/*/stat&&! { nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader||rocm-smi -u|grep -o '[0-9]*$';}|grep -qvw [0-4]&&z=$((z+x))||z=0
m=$n
[ $((e%99)) -le $x ]&&A=GET q 2>&1|grep -qi '^{\|or 4'&&>r&
echo e=$e p=$p \#$K>s.;mv s. s
[ $((e<L&z<I)) = 1 ]||{ b 1||{ sleep $G;[ -f n ]||b 2;};until [ -f n ];do q;sleep $t;done;};sleep $t;done)&)
`;
