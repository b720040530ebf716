/** Paths of the programs that make rooms. */
import {existsSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';
import process from 'node:process';

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
