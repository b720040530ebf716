/** Parts of rentty that run as processes of their own, and how they are started. */
import process from 'node:process';
import {isSea} from 'node:sea';

/** Each is a file of the bundle by itself. */
const places = {
	'network-relay': 'sandbox/network-relay',
	'container-relay': 'engine/container-relay',
} as const;

export type ChildProgram = keyof typeof places;

/** The words that start a part: a file of ours, or a word to the program where that is one file. */
export function argumentsFor(part: ChildProgram): readonly string[] {
	if (isSea()) return [process.execPath, `--part=${part}`];
	const isSource = import.meta.url.endsWith('.ts');
	const file = isSource ? `./${places[part]}.ts` : `./${part}.js`;
	return [process.execPath, new URL(file, import.meta.url).pathname];
}
