import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openPty} from '../console/pty.ts';
import type {PtyOptions} from '../console/pty.ts';
import {removeFolder} from '../remove-folder.ts';

/** The built program, as people start it. */
export const rentty = join(import.meta.dirname, '..', '..', '..', 'bin', 'rentty');

/** A user's home of its own, in which nothing has happened yet. */
export function openHome() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-home-'));
	const env = {
		HOME: folder,
		XDG_DATA_HOME: join(folder, 'data'),
		XDG_CONFIG_HOME: join(folder, 'config'),
		XDG_STATE_HOME: join(folder, 'state'),
		XDG_CACHE_HOME: join(folder, 'cache'),
	};
	return {
		folder,
		env,
		/** Where rentty looks for what the user sets. */
		config: join(folder, 'config', 'rentty'),
		/** Starts rentty in a terminal. */
		open: (
			args: readonly string[] = [],
			{program = rentty, ...options}: PtyOptions & {readonly program?: string} = {},
		) => openPty(program, args, {...options, env: {...env, ...options.env}}),
		[Symbol.dispose]: () => removeFolder(folder),
	};
}
