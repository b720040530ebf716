/**
 * Steps of a run from TensorBoard's event files in an instance, over SSH and in pieces; nothing is
 * installed.
 */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {quoted, type RunInside} from '../leases/inside.ts';
import {bytesIn, readEvents, type ScalarEvent} from './event-file.ts';
import {fieldOfTag, type TimedLine} from './step-line.ts';

type ReadPosition = {
	readonly file: string;
	readonly offset: number;
	/** Time at which it was found, or last grew. */
	readonly grewAt: number;
	readonly isDamaged: boolean;
};

const USUAL = '/workspace /root "$HOME" /data /output /outputs';
/** Search depth, and the time without anything new after which the search is repeated. */
const DEPTH = 6;
const SEARCH_MS = 60_000;
/** Bytes of a piece, longer than any message that is read, and the most pieces of a read. */
const PIECE = 65_536;
const MOST_PIECES = 8;
const PATIENCE_MS = 20_000;

/** @param folders the user's own folders; without any, the usual ones */
export function openEventReader(
	inside: RunInside,
	folders: readonly string[],
): (instance: Instance, now: number) => Promise<readonly TimedLine[]> {
	let position: ReadPosition | undefined;
	let searchedAt = Number.NEGATIVE_INFINITY;

	/** Script of the next piece; undefined if there is nothing to read now. */
	function next(now: number): string | undefined {
		const isOld = position === undefined || now - position.grewAt >= SEARCH_MS;
		if (isOld && now - searchedAt >= SEARCH_MS) {
			searchedAt = now;
			return script({folders, position: position, isSearch: true});
		}
		return position === undefined || position.isDamaged
			? undefined
			: script({folders, position: position});
	}

	/** True if more is already available. */
	function take(output: string, now: number, all: ScalarEvent[]): boolean {
		const found = readAnswer(output);
		const before = position?.file === found?.file ? position : undefined;
		if (found === undefined || found.from !== (before?.offset ?? 0)) return false;
		const {scalars, used, isDamaged} = readEvents(found.bytes);
		const grewAt = used > 0 || before === undefined ? now : before.grewAt;
		position = {file: found.file, offset: found.from + used, grewAt, isDamaged};
		all.push(...scalars);
		return used > 0 && !isDamaged && found.bytes.length >= PIECE;
	}

	return async (instance, now) => {
		const all: ScalarEvent[] = [];
		for (let count = 0; count < MOST_PIECES; count++) {
			const wanted = next(now);
			if (wanted === undefined) break;
			// oxlint-disable-next-line no-await-in-loop -- a piece after the other
			const output = await inside(instance, wanted, PATIENCE_MS);
			if (!take(output ?? '', now, all)) break;
		}
		return linesOf(all);
	};
}

type Wanted = {
	readonly folders: readonly string[];
	/** The previously read file. */
	readonly position: ReadPosition | undefined;
	/** Searches for the newest file, to replace the previous one. */
	readonly isSearch?: boolean;
};

/** Prints the file, the offset, and the bytes from there; a known file continues at its offset. */
function script({folders, position, isSearch = false}: Wanted): string {
	const where = folders.length === 0 ? USUAL : folders.map(quoted).join(' ');
	const search = `find ${where} -maxdepth ${DEPTH} -type f -name '*tfevents*' -exec ls -t {} + 2>/dev/null|head -n1`;
	const known = quoted(position?.file ?? '');
	return `f=${isSearch ? `$(${search})` : known}
o=0;[ "$f" = ${known} ]&&o=${position?.offset ?? 0}
[ -f "$f" ]||exit 0
e=64;command -v base64>/dev/null||e=hex
echo "file=$f";echo "from=$o";echo "as=$e"
tail -c +$((o+1)) "$f"|head -c ${PIECE}|if [ $e = 64 ];then base64;else od -An -v -tx1;fi
`;
}

/** File name to be sent back, quoted, to the shell of its own machine. */
const answer = /^file=(\/[^\p{Cc}]{1,1000})\nfrom=(\d{1,15})\nas=(64|hex)\n/u;

function readAnswer(output: string) {
	const [head, file, from, encoding] = answer.exec(output) ?? [];
	if (head === undefined || file === undefined) return undefined;
	const bytes = bytesIn(output.slice(head.length), encoding === 'hex' ? 'hex' : '64');
	return bytes && {file, from: Number(from), bytes};
}

/** Scalars as lines of facts: those of one step form one line. */
function linesOf(scalars: readonly ScalarEvent[]): readonly TimedLine[] {
	const lines: Array<{-readonly [Name in keyof TimedLine]: TimedLine[Name]}> = [];
	for (const {tag, step, value, at} of scalars) {
		const field = fieldOfTag(tag);
		if (field === undefined) continue;
		let last = lines.at(-1);
		if (last?.step !== step) lines.push((last = {step, at}));
		last[field] = Number.isFinite(value) ? value : NaN;
	}
	return lines;
}
