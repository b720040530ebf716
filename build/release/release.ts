/**
 * Makes all that is released, for all platforms, into release/: `npm run release`. RENTTY_RELEASE_KEY
 * names the file of the key that signs it, which is made where it is not there; RENTTY_RELEASE_URL is
 * where it will be found.
 */
import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import process from 'node:process';
import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import {debianPackage, nameOfDebian} from './debian.ts';
import {makePackages} from './npm.ts';
import {releasedVersion} from '../version.ts';
import {platforms} from './platforms.ts';
import {installerOf, openSigner, writeSums} from './sign.ts';
import {licencesOfAll, makeSingle} from './single.ts';

const root = join(import.meta.dirname, '..', '..');
const MOST_BYTES = 60_000_000;

const {RENTTY_RELEASE_KEY: keyFile, RENTTY_RELEASE_URL: from} = process.env;
if (keyFile === undefined) {
	throw new Error('RENTTY_RELEASE_KEY names the file of the key that signs the release');
}

const signer = openSigner(keyFile);
const version = releasedVersion();
const date = `${new Date().toISOString().slice(0, 19)}Z`;
const folder = join(root, 'release');
await rm(folder, {recursive: true, force: true});
await mkdir(folder);
const names: string[] = [];

async function keep(name: string, content: Buffer | string): Promise<void> {
	await writeFile(join(folder, name), content);
	names.push(name);
}

for (const platform of platforms) {
	const file = join(folder, 'rentty');
	await makeSingle(file, platform, {publicKey: signer.publicKey, from, date});
	const program = await readFile(file);
	await rm(file);
	const packed = await promisify(gzip)(program);
	if (packed.length > MOST_BYTES) throw new Error(`${platform.name} has ${packed.length} bytes`);
	await keep(`rentty-${version}-${platform.name}.gz`, packed);
	if (platform.os === 'linux') {
		const contents = {version, cpu: platform.cpu, program, licences: await licencesOfAll(platform)};
		await keep(nameOfDebian(contents), await debianPackage(contents));
	}
}
names.push(...(await makePackages(folder)));
await keep('Containerfile', await readFile(join(root, 'packaging', 'Containerfile')));
await keep('install.sh', await installerOf(signer, {release: {version, date}, from}));

process.stdout.write(await writeSums(folder, names, {signer, release: {version, date}}));
