/** Users who run the installer of a release in homes of their own. */
import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {basename, delimiter, join} from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {openFolder} from '../folder.ts';
import {skipFor} from '../missing.ts';

const missing = ['curl', 'ssh-keygen'].filter(
	name => spawnSync(name, ['--version']).error !== undefined,
);
/** Whether tests of the installer are skipped. */
export const isSkipped =
	skipFor(missing.length > 0 ? `${missing.join(', ')}: not installed` : undefined) !== undefined;

export type Run = {
	readonly env?: Readonly<Record<string, string>>;
	/** Programs that are found before all others: a name, and what it prints. */
	readonly programs?: Readonly<Record<string, string>>;
	/** What somebody else does first, as the same process. */
	readonly before?: string;
	/** @default sh */
	readonly shell?: readonly string[];
};

/** A user who installs what is released in a folder. */
export function openUser() {
	const folder = openFolder();
	const release = join(folder.path, 'release');
	const home = join(folder.path, 'my home');
	mkdirSync(home);
	return {
		release,
		home,
		program: join(home, '.local', 'bin', 'rentty'),
		installed: () =>
			existsSync(home) ? readdirSync(home, {recursive: true}).map(String).filter(isFile) : [],
		folders: () => readdirSync(home, {recursive: true}).map(name => basename(String(name))),
		async install(
			args: readonly string[],
			{env = {}, programs = {}, before = ':', shell = ['sh']}: Run = {},
		) {
			const bin = join(folder.path, 'bin');
			mkdirSync(bin, {recursive: true});
			for (const [name, says] of Object.entries(programs)) {
				writeFileSync(join(bin, name), `#!/bin/sh\n${says}\n`, {mode: 0o755});
			}
			const path = [bin, process.env['PATH']].join(delimiter);
			const words = [...shell, join(release, 'install.sh'), ...args];
			const child = spawn('sh', ['-c', `${before}\nexec "$@"`, 'sh', ...words], {
				env: {HOME: home, PATH: path, ...env},
			});
			const code = new Promise<number | null>(done => child.on('close', done));
			const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
			return {out, err, code: await code};
		},
		[Symbol.dispose]: () => folder[Symbol.dispose](),
	};

	function isFile(name: string): boolean {
		return readdirSync(join(home, name, '..'), {withFileTypes: true}).some(
			entry => entry.isFile() && name.endsWith(entry.name),
		);
	}
}
