/** The single executable of this platform, made once for all tests of one build. */
import {existsSync, mkdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {platforms} from '../../../build/release/platforms.ts';
import {openSigner} from '../../../build/release/sign.ts';
import {makeSingle} from '../../../build/release/single.ts';
import {skipFor} from '../missing.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, '.cache', 'single');

const platform = platforms.find(({os, cpu}) => os === process.platform && cpu === process.arch);

const installed = (name: string) => existsSync(join(root, 'node_modules', name));

/** Why there is none here; undefined where there is. */
export const noSingle = skipFor(
	platform !== undefined && installed(platform.node) && installed(platform.pty)
		? undefined
		: 'the packages of this platform are not installed',
);

/** The key of tests, which makes itself. */
export function testSigner() {
	mkdirSync(folder, {recursive: true});
	return openSigner(join(folder, 'key.pem'));
}

/** The executable, which upgrades by the key of tests. */
export async function singleFile(): Promise<string> {
	if (platform === undefined) throw new Error(noSingle);
	const file = join(folder, 'rentty');
	const {publicKey} = testSigner();
	const sources = ['dist/cli.js', 'build/release/start.ts', 'build/release/single.ts'];
	const isFresh =
		existsSync(file) &&
		sources.every(name => statSync(join(root, name)).mtimeMs < statSync(file).mtimeMs);
	if (!isFresh) await makeSingle(file, platform, {publicKey, from: undefined});
	return file;
}
