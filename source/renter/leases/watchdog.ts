/**
 * A watchdog inside of the instance: a script of POSIX sh that stops or destroys its own instance, with
 * the key that it finds there, and needs no rentty anywhere.
 *
 * The script counts by the machine's uptime, so that no clock that is set ends anything early, and keeps
 * its count in `~/.rentty` over restarts. A mark in that folder has the key of the lease that it
 * enforces; a file `n` there changes the lease.
 */
import {gunzipSync, gzipSync} from 'node:zlib';
import {leaseKey, usualBefore, type BusyKind, type Lease} from '../words/lease.ts';
import {program} from './watchdog-program.ts';
import {LONGEST_COMMANDS, LONGEST_ONSTART} from '../../contract/nouns/creation-request.ts';
import {countCharacters} from '../../contract/grammar/harmless-text.ts';

type WatchdogOptions = {
	readonly lease: Lease;
	/** The service, as the instance reaches it; without a slash at the end. */
	readonly url: string;
	/** Seconds on the service's clock, from which the rest of the deadline counts. */
	readonly now: number;
	/** Hourly price while it runs, with its disk; without it, no cost limit is enforced here. */
	readonly perHour?: number | undefined;
	/**
	 * Seconds between polls.
	 * @default 20
	 */
	readonly everySeconds?: number;
	/**
	 * Folder with `proc` and `sys`, the kernel's figures.
	 *
	 * @default the machine's own
	 */
	readonly root?: string;
};

/** Infinity: more seconds than any lease, and within the range of shells. */
const NEVER = 99_999_999;

/** The script; undefined for a lease without an end that it can enforce, or an unusual address. */
export function watchdogScript(options: WatchdogOptions): string | undefined {
	const {url, everySeconds = 20, root = ''} = options;
	const terms = watchdogTerms(options);
	if (terms === undefined || !/^https?:\/\/[\w.:[\]/-]+$/.test(url)) return undefined;
	const call = `a=${url}/api/v0/instances/$CONTAINER_ID/ j='{"state":"stopped"}'`;
	return program
		.replace('$TERMS', `${call} t=${everySeconds} ${terms}`)
		.replaceAll(/\/(?:proc|sys)\b/g, path => root + path);
}

/**
 * Variables of the watchdog, by the names of `watchdog.sh`: at the start, and in the file that changes
 * them.
 */
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

/** Terms for busy: a tenth of a processor and 17 kB a second, both together as one number. */
function busyTerms(ignores: readonly BusyKind[]): readonly string[] {
	const counts = (kind: BusyKind) => !ignores.includes(kind);
	// The patterns do not match the script's own arguments.
	const counted = [counts('ssh') ? '^sshd.*@' : '^-', ...(counts('disk') ? ['[)] D'] : [])];
	return [
		`M=${Number(counts('cpu'))}`,
		`N=${counts('network') ? 60 : 0}`,
		`S='${counted.join('\\|')}'`,
	];
}

/** Seconds until the deadline, or for which the money lasts. */
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

type Composed = {
	readonly onstart: string;
	/** The user's script is compressed. */
	readonly isCompressed: boolean;
};

type Parts = {
	readonly watchdog: string;
	/** The user's own script, or the template's, which our script runs. */
	readonly onstart: string;
	/** Length of the image's arguments: both together are limited. */
	readonly argumentsLength?: number;
};

/**
 * A start script with the watchdog first and detached; undefined if both do not fit even when
 * compressed.
 */
export function composeOnstart({
	watchdog,
	onstart,
	argumentsLength = 0,
}: Parts): Composed | undefined {
	const most = Math.min(LONGEST_ONSTART, LONGEST_COMMANDS - argumentsLength);
	const [line, rest] = interpreterOf(onstart);
	const plain = `${line}${watchdog}${rest}`;
	const isShell = line === '' ? !onstart.startsWith('#!') : true;
	if (isShell && countCharacters(plain) <= most) return {onstart: plain, isCompressed: false};
	const compressed = `${line}${watchdog}${unpacking(onstart, isShell)}`;
	return countCharacters(compressed) <= most
		? {onstart: compressed, isCompressed: true}
		: undefined;
}

/** The first and the last words of the sent `watchdog.sh`, and of version 0.1.0's. */
const WATCHDOG = /\(\(cd "\$\{HOME:-\/root\}"[;\n]mkdir -p \.rentty[;\n]cd \.rentty\|\|exit[;\n]/;
const WATCHDOG_END = /sleep \$t[;\n]done\)&\)\n/;

export function hasWatchdog(onstart: string): boolean {
	return WATCHDOG.test(onstart);
}

/** A packed script, in either of its two forms. */
const PACKED =
	/^(?:eval "\$\(|f=\$\(mktemp\);)echo ([A-Za-z0-9+/=]{1,5000})\|base64 -d\|gzip -d(?:\)"|>\$f;chmod \+x \$f;exec \$f)\n$/;

/**
 * The user's own script, without the watchdog of the instance: another instance has a lease of its
 * own.
 */
export function ownOnstart(onstart: string): string {
	const start = WATCHDOG.exec(onstart)?.index ?? onstart.length;
	const end = WATCHDOG_END.exec(onstart.slice(start));
	if (end === null) return onstart;
	const rest = onstart.slice(start + end.index + end[0].length);
	const packed = PACKED.exec(rest)?.[1];
	if (packed !== undefined) return unpacked(packed) ?? '';
	return onstart.slice(0, start) + rest;
}

/** Most bytes of an unpacked script: a longer one is an attack. */
const LONGEST_UNPACKED = 65_536;

function unpacked(text: string): string | undefined {
	try {
		const bytes = gunzipSync(Buffer.from(text, 'base64'), {maxOutputLength: LONGEST_UNPACKED});
		return bytes.toString('utf8');
	} catch {
		return undefined;
	}
}

const SHELL = /^#![^\n]*\b(?:sh|bash|dash|ash|ksh|zsh)\b[^\n]*(?:\n|$)/;

/** The first line of a script, if it names a shell, and the rest. */
function interpreterOf(script: string): readonly [line: string, rest: string] {
	const line = SHELL.exec(script)?.[0] ?? '';
	return [line === '' || line.endsWith('\n') ? line : `${line}\n`, script.slice(line.length)];
}

/** Runs a packed script in the same shell, or by the interpreter that its first line names. */
function unpacking(script: string, isShell: boolean): string {
	const packed = gzipSync(script, {level: 9}).toString('base64');
	const unpack = `echo ${packed}|base64 -d|gzip -d`;
	if (isShell) return `eval "$(${unpack})"\n`;
	return `f=$(mktemp);${unpack}>$f;chmod +x $f;exec $f\n`;
}
