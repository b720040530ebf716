/** Programs that are started as processes of their own: parts of rentty, and tools of the machine. */
import process from 'node:process';
import {isSea} from 'node:sea';
import {existsSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';

/** Parts of rentty: each is a file of the bundle by itself. */
const places = {
	'network-relay': 'sandbox/network-relay',
	'container-relay': 'engine/container-relay',
} as const;

type ChildProgram = keyof typeof places;

/** The words that start a part: a file of ours, or a word to the program where that is one file. */
export function argumentsFor(part: ChildProgram): readonly string[] {
	if (isSea()) return [process.execPath, `--part=${part}`];
	const isSource = import.meta.url.endsWith('.ts');
	const file = isSource ? `./${places[part]}.ts` : `./${part}.js`;
	return [process.execPath, new URL(file, import.meta.url).pathname];
}

/** Search path for programs, whatever the starter of the host has set. */
export const SEARCHED = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The absolute path of a program, in the path of whoever started the host and then in the usual one. */
export function findProgram(name: string): string | undefined {
	const folders = [process.env['PATH'] ?? '', SEARCHED].join(':').split(':');
	return folders
		.filter(folder => isAbsolute(folder))
		.map(folder => join(folder, name))
		.find(file => existsSync(file));
}
