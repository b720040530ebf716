/** `ls`, `rm` and `du` inside an instance, for callers from outside. */
import {startChild, type LocalInside} from '../inside/inside.ts';
import {ownFiles} from '../inside/own-files.ts';
import {runTreeCommand, treeOf} from '../inside/tree-commands.ts';
import {quoted} from './workload.ts';

const programs = new Set(['ls', 'rm', 'du']);

const LONGEST_MS = 15_000;
const LONGEST_ANSWER = 512 * 1024;

/**
 * Output of a program, errors included. Refused without a sandbox: its flags, and links on the way,
 * could lead it to files of this machine's user.
 */
export async function runFileCommand(inside: LocalInside, line: string): Promise<string> {
	if (inside.isolation === 'none') {
		return (await runTreeCommand(treeOf(ownFiles(inside)), line)).slice(0, LONGEST_ANSWER);
	}
	const [program = '', ...words] = line.split(/\s+/).filter(word => word !== '');
	if (!programs.has(program)) return `${program}: command not found\n`;
	return output(inside, [program, ...words].map(quoted).join(' '));
}

async function output(inside: LocalInside, command: string): Promise<string> {
	const child = startChild(inside.launch(command));
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
	const text = Buffer.concat(parts).toString('utf8');
	return isLate
		? `${text}It took longer than ${LONGEST_MS / 1000} seconds, and was ended.\n`
		: text;
}
