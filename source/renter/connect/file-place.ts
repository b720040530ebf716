/** A file's place in words: `7:/workspace/x`, `train:/x`, `V.12:/data`, or a path of this machine. */
import {UsageError} from '../text/usage-error.ts';

export type FilePlace =
	| {readonly kind: 'here'; readonly path: string}
	/** Number or label of an instance. */
	| {readonly kind: 'instance'; readonly name: string; readonly path: string}
	| {readonly kind: 'volume'; readonly id: number; readonly path: string};

/**
 * Reads a word as the public service's own client does. As for scp, a colon before the first slash
 * parts an instance from a path.
 *
 * @throws UsageError
 */
export function readFilePlace(word: string): FilePlace {
	if (/^(?:[CV]\.)?\d+$/.test(word)) {
		throw new UsageError(
			`${word} needs a path: ${word}:/workspace is in the instance, ./${word} is a file here.`,
		);
	}
	const found = /^([^/:]*):(.*)$/s.exec(word);
	if (found === null || word === '') return {kind: 'here', path: readPath(word, word)};
	const [, name = '', rest = ''] = found;
	const path = readPath(rest, word);
	if (name === 'local') return {kind: 'here', path};
	if (/^(?:s3|gs|gcs|hf|b2|r2|drive|dropbox)(?:\.\d+)?$/i.test(name)) {
		throw new UsageError(
			`${word}: rentty copies from and to no cloud; use rclone in the instance.`,
		);
	}
	const volume = /^V\.(\d{1,15})$/.exec(name)?.[1];
	if (volume !== undefined) return {kind: 'volume', id: Number(volume), path};
	const instance = name.replace(/^C\.(?=\d{1,15}$)/, '');
	if (instance === '') throw new UsageError(`${word} names no instance before its colon.`);
	return {kind: 'instance', name: instance, path};
}

function readPath(path: string, word: string): string {
	if (path !== '' && !path.includes('\0')) return path;
	throw new UsageError(`"${word}" needs a path behind its name.`);
}
