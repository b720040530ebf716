/** Looks at the files of an instance and removes some, as it is asked from outside. */
import {ownFiles} from '../ssh/own-files.ts';
import {NotOwn} from '../ssh/walk.ts';
import {startChild} from './child.ts';
import type {Room} from './room.ts';
import {quoted} from './workload.ts';

const programs = new Set(['ls', 'rm', 'du']);

const LONGEST_MS = 15_000;
const LONGEST_ANSWER = 512 * 1024;

/** Output of a program, errors included. The line is split at blanks. */
export async function runFileCommand(room: Room, line: string): Promise<string> {
	const [program = '', ...words] = line.split(/\s+/).filter(word => word !== '');
	if (!programs.has(program)) return `${program}: command not found\n`;
	const foreign = await firstForeign(room, words);
	if (foreign !== undefined) {
		return `${program}: '${foreign}' is not a file of this instance, which has no walls around it\n`;
	}
	return output(room, [program, ...words].map(quoted).join(' '));
}

/** Without walls, what is asked for must be the instance's own. */
async function firstForeign(room: Room, words: readonly string[]): Promise<string | undefined> {
	if (room.isolation !== 'none') return undefined;
	const files = ownFiles(room);
	for (const path of words.filter(word => !word.startsWith('-'))) {
		try {
			await files.stat(path);
		} catch (error) {
			if (error instanceof NotOwn) return path;
		}
	}
	return undefined;
}

async function output(room: Room, command: string): Promise<string> {
	const child = startChild(room.launch(command));
	const parts: Buffer[] = [];
	let bytes = 0;
	const take = (part: Buffer) => {
		bytes += part.length;
		if (bytes <= LONGEST_ANSWER) parts.push(part);
		else child.kill('SIGKILL');
	};
	child.output.on('data', take);
	child.complaint?.on('data', take);
	child.end();
	let isLate = false;
	const late = setTimeout(() => {
		isLate = true;
		child.kill('SIGKILL');
	}, LONGEST_MS);
	await child.ended;
	clearTimeout(late);
	const said = Buffer.concat(parts).toString('utf8');
	return isLate
		? `${said}It took longer than ${LONGEST_MS / 1000} seconds, and was ended.\n`
		: said;
}
