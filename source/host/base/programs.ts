/** Programs started as child processes: parts of rentty, and tools of the machine. */
import process from 'node:process';
import {isSea} from 'node:sea';
import {existsSync} from 'node:fs';
import {dirname, isAbsolute, join} from 'node:path';

/** Parts of rentty, each a file of the bundle. */
const paths = {
	'network-relay': 'sandbox/network-relay',
	'container-relay': 'engine/container-relay',
} as const;

type ChildProgram = keyof typeof paths;

/** Arguments that start a part: its file, or a subcommand if the program is a single file. */
export function argumentsFor(part: ChildProgram): readonly string[] {
	if (isSea()) return [process.execPath, `--part=${part}`];
	const isSource = import.meta.url.endsWith('.ts');
	const file = isSource ? `../${paths[part]}.ts` : `./${part}.js`;
	return [process.execPath, new URL(file, import.meta.url).pathname];
}

/** Search path for programs, after the host's own. */
export const SEARCHED = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The absolute path of a program, from the host's search path and then from the usual one. */
export function findProgram(name: string): string | undefined {
	const folders = [process.env['PATH'] ?? '', SEARCHED].join(':').split(':');
	return folders
		.filter(folder => isAbsolute(folder))
		.map(folder => join(folder, name))
		.find(file => existsSync(file));
}

/**
 * Command that starts this rentty: the single executable, the file of a package, or its program and
 * file.
 */
export function ownProgram(): readonly string[] {
	const file = process.argv[1] ?? '';
	if (isSea()) return [process.execPath];
	const launcher = join(dirname(file), '..', 'bin', 'rentty');
	return existsSync(launcher) ? [launcher] : [process.execPath, file];
}
