import {homedir, userInfo} from 'node:os';
import {join} from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Folders of rentty's files, by the conventions of the system. */
export type Folders = {
	/** Files that the user writes: settings. */
	readonly settings: string;
	/** Files that must not be lost: the practice market. */
	readonly data: string;
	/** Files that help in trouble: logs. */
	readonly state: string;
	/** Files that can be made again. */
	readonly cache: string;
};

/**
 * The user's home: HOME if it is an absolute path, else as the system knows it; in a container
 * whose user has none, the root, like systemd.
 */
export function homeFolder(): string {
	for (const find of [homedir, () => userInfo().homedir]) {
		try {
			const folder = find();
			if (folder.startsWith('/')) return folder;
		} catch {
			// The system has no such user.
		}
	}
	return '/';
}

export function foldersOf(environment: Environment): Folders {
	const folder = (variable: string, ...usual: readonly string[]) => {
		const given = environment[variable];
		// A relative path would depend on the working directory.
		return given?.startsWith('/') === true ? given : join(homeFolder(), ...usual);
	};
	return {
		settings: join(folder('XDG_CONFIG_HOME', '.config'), 'rentty'),
		data: join(folder('XDG_DATA_HOME', '.local', 'share'), 'rentty'),
		state: join(folder('XDG_STATE_HOME', '.local', 'state'), 'rentty'),
		cache: join(folder('XDG_CACHE_HOME', '.cache'), 'rentty'),
	};
}
