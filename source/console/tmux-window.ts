import type {Command} from './outside-program.ts';
import {printable} from '../renter/text/text-width.ts';

/** Runs a program in a window of tmux of its own, while rentty stays in place. */
export function tmuxWindow(name: string, {program, args, env = {}}: Command): Command {
	const variables = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
	// tmux looks for formats in a name, and one of them runs commands.
	const title = printable(name).replaceAll('#', '##');
	return {
		program: 'tmux',
		// With a single word tmux asks a shell to read it. With several it starts the program itself.
		args: ['new-window', ...variables, '-n', title, '--', 'env', '--', program, ...args],
	};
}
