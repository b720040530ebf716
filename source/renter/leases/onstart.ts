/** Start script of an instance: the watchdog first and detached, then the user's script. */
import {gunzipSync, gzipSync} from 'node:zlib';
import {LONGEST_COMMANDS, LONGEST_ONSTART} from '../../contract/nouns/creation-request.ts';
import {lengthOf} from '../../contract/grammar/text-length.ts';

export type Composed = {
	readonly onstart: string;
	/** The user's script is compressed. */
	readonly isCompressed: boolean;
};

export type Parts = {
	readonly watchdog: string;
	/** The user's own script, or its template's: ours takes its place. */
	readonly onstart: string;
	/** Length of the image's arguments: both together are limited. */
	readonly argumentsLength?: number;
};

/** Puts both together; undefined where they do not fit, though compressed. */
export function composeOnstart({
	watchdog,
	onstart,
	argumentsLength = 0,
}: Parts): Composed | undefined {
	const most = Math.min(LONGEST_ONSTART, LONGEST_COMMANDS - argumentsLength);
	const [line, rest] = interpreterOf(onstart);
	const plain = `${line}${watchdog}${rest}`;
	const isShell = line === '' ? !onstart.startsWith('#!') : true;
	if (isShell && lengthOf(plain) <= most) return {onstart: plain, isCompressed: false};
	const compressed = `${line}${watchdog}${unpacking(onstart, isShell)}`;
	return lengthOf(compressed) <= most ? {onstart: compressed, isCompressed: true} : undefined;
}

/** The first and the last words of `watchdog.sh` as it is sent, and as version 0.1.0 sent it. */
const WATCHDOG = /\(\(cd "\$\{HOME:-\/root\}"[;\n]mkdir -p \.rentty[;\n]cd \.rentty\|\|exit[;\n]/;
const WATCHDOG_END = /sleep \$t[;\n]done\)&\)\n/;

/** True if an instance was made with a watchdog. */
export function hasWatchdog(onstart: string): boolean {
	return WATCHDOG.test(onstart);
}

/** A packed script, in either of the forms in which it is unpacked. */
const PACKED =
	/^(?:eval "\$\(|f=\$\(mktemp\);)echo ([A-Za-z0-9+/=]{1,5000})\|base64 -d\|gzip -d(?:\)"|>\$f;chmod \+x \$f;exec \$f)\n$/;

/** The user's own script, without the watchdog of an instance that was made with it: another instance has a lease of its own. */
export function ownOnstart(onstart: string): string {
	const start = WATCHDOG.exec(onstart)?.index ?? onstart.length;
	const end = WATCHDOG_END.exec(onstart.slice(start));
	if (end === null) return onstart;
	const rest = onstart.slice(start + end.index + end[0].length);
	const packed = PACKED.exec(rest)?.[1];
	if (packed !== undefined) return unpacked(packed) ?? '';
	return onstart.slice(0, start) + rest;
}

/** A script of a service is short; what is made to grow is no script. */
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

/** The first line that names a shell, which stays the first; and all that is below it. */
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
