/**
 * Upgrade of the single executable: finds a release, downloads it, checks its signature, starts
 * it, installs it.
 */
import {execFile} from 'node:child_process';
import {createHash, createPublicKey, verify} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {chmod, link, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import {setGlobalProxyFromEnv} from 'node:http';
import {join} from 'node:path';
import process from 'node:process';
import {promisify} from 'node:util';
import {gunzip} from 'node:zlib';
import {fileTrouble, readingTrouble, messageOf} from '../../contract/rules/thrown.ts';
import {type Context, getConsent} from '../base/command.ts';
import {readOrigin} from '../base/bundled-files.ts';
import {CommandError, exitCodes} from '../base/failure.ts';

/** Larger than any release, and small enough to be kept in memory. */
const MOST_BYTES = 300_000_000;
const PATIENCE_MS = 10 * 60_000;

const failed = (message: string) => new CommandError(exitCodes.failed, message);

export async function upgradeSingle(context: Context): Promise<number> {
	const origin = readOrigin();
	if (origin === undefined) throw failed(otherWay());
	const own = process.execPath;
	if (isOfPackage(own)) {
		throw failed(
			`${own} belongs to a package: apt install ./rentty_VERSION_ARCH.deb replaces it by a newer one.`,
		);
	}
	const from = context.textOf('from') ?? origin.from;
	if (from === undefined) throw failed('This rentty knows no place of releases: --from names one.');
	const read = await openRelease(from, context.signal);
	const release = readRelease(await read('SHA256SUMS'), await read('SHA256SUMS.sig'), {
		from,
		publicKey: origin.publicKey,
	});
	const isOlder = isOlderThan(release, {version: context.version, date: origin.date});
	if (isOlder ? !context.isGiven('older') : release.version === context.version) {
		const has = `${from} has ${release.version} of ${dayOf(release)}`;
		const back = isOlder ? ', and --older goes back to it' : '';
		context.output.say(`rentty: ${context.version} is the newest: ${has}${back}.`);
		return exitCodes.fine;
	}
	await getConsent(context, {
		lines: [
			`${own}: ${context.version}`,
			`${from}: ${release.version} of ${dayOf(release)}, signed${isOlder ? ', and older' : ''}`,
		],
		question: `Replace it by ${release.version}?`,
	});
	const packed = await read(release.file);
	if (createHash('sha256').update(packed).digest('hex') !== release.hash) {
		throw failed(`${release.file} is not what was signed. Nothing was changed.`);
	}
	await replace(own, await promisify(gunzip)(packed, {maxOutputLength: MOST_BYTES}), release);
	context.output.line(`rentty ${release.version}`);
	return exitCodes.fine;
}

/** The command that upgrades any other kind of installation. */
function otherWay(): string {
	const isCheckout = existsSync(new URL('../.git', import.meta.url));
	if (isCheckout)
		return 'This rentty is a checkout: git pull && npm install && npm run build makes it newer.';
	const name = import.meta.url.includes('/rentty-with-node/') ? 'rentty-with-node' : 'rentty';
	return `This rentty was installed by npm: npm install -g ${name}@latest makes it newer.`;
}

/** True if a package manager owns the file, and so should upgrade it. */
function isOfPackage(file: string): boolean {
	const list = '/var/lib/dpkg/info/rentty.list';
	return existsSync(list) && readFileSync(list, 'utf8').split('\n').includes(file);
}

type Read = (name: string) => Promise<Buffer>;

/** Reads files of a release: from a folder, or over HTTP, through the proxy of the environment. */
async function openRelease(from: string, ended: AbortSignal): Promise<Read> {
	if (!/^https?:/.test(from)) {
		const folder = from.replace(/^file:\/\//, '');
		return async name =>
			readFile(join(folder, name)).catch((error: unknown) => {
				throw failed(`${join(folder, name)} cannot be read (${readingTrouble(error)}).`);
			});
	}
	setGlobalProxyFromEnv();
	const signal = AbortSignal.any([ended, AbortSignal.timeout(PATIENCE_MS)]);
	return async name => {
		const url = `${from.endsWith('/') ? from : `${from}/`}${name}`;
		try {
			const response = await fetch(url, {signal});
			if (!response.ok) throw new Error(`it answers ${response.status}`);
			return await readBody(response);
		} catch (error) {
			ended.throwIfAborted();
			const {cause} = error instanceof Error ? error : {};
			throw failed(`${url} cannot be read: ${messageOf(cause ?? error)}.`);
		}
	};
}

async function readBody(response: Response): Promise<Buffer> {
	const parts: Uint8Array[] = [];
	let length = 0;
	const body: AsyncIterable<Uint8Array> | null = response.body;
	for await (const part of body ?? []) {
		length += part.length;
		if (length > MOST_BYTES) throw new Error('it is too large');
		parts.push(part);
	}
	return Buffer.concat(parts);
}

type Release = {
	readonly version: string;
	/** Moment of the build, in ISO 8601. */
	readonly date: string;
	readonly file: string;
	readonly hash: string;
};

type Signer = {readonly from: string; readonly publicKey: string};

const head = /^# rentty (?<version>\d+\.\d+\.\d+) (?<date>\d{4}-\d\d-\d\dT[\d:]{8}Z)\n/;

/**
 * Reads a release's files for this machine.
 *
 * @throws CommandError if it is no release, is not signed by the key, or has none for it
 */
function readRelease(sums: Buffer, signature: Buffer, {from, publicKey}: Signer): Release {
	const text = sums.toString();
	const {version, date} = head.exec(text)?.groups ?? {};
	if (version === undefined || date === undefined) {
		throw failed(
			`${from} has no release of rentty: what came is another page, as proxies and sign-in pages send it.`,
		);
	}
	const key = createPublicKey({
		key: Buffer.from(publicKey, 'base64'),
		format: 'der',
		type: 'spki',
	});
	if (signature.length !== 64 || !verify(null, sums, key, signature)) {
		throw failed(
			`${from} is not signed by the key that this rentty came with. Nothing was changed.`,
		);
	}
	const wanted = `${process.platform}-${process.arch}`;
	const file = `rentty-${version}-${wanted}.gz`;
	const line = text.split('\n').find(one => one.endsWith(`  ${file}`));
	if (line === undefined) throw failed(`${from} has nothing for ${wanted}.`);
	return {hash: line.slice(0, -`  ${file}`.length), file, version, date};
}

type KnownRelease = {readonly version: string; readonly date: string | undefined};

/**
 * True if a release is older than a known one: an attacker without the key can still offer old releases,
 * with known faults.
 */
export function isOlderThan(
	{version, date}: Omit<Release, 'file' | 'hash'>,
	known: KnownRelease,
): boolean {
	if (compareVersions(version, known.version) < 0) return true;
	return known.date !== undefined && date < known.date;
}

function dayOf({date}: Release): string {
	return date.slice(0, 10);
}

export function compareVersions(one: string, other: string): number {
	const [left, right] = [one, other].map(version => version.split('.').map(Number));
	const at = left?.findIndex((part, index) => part !== right?.[index]) ?? -1;
	return at < 0 ? 0 : (left?.[at] ?? 0) - (right?.[at] ?? 0);
}

/** Replaces the program, and restores the old one if the new one does not start. */
async function replace(own: string, program: Buffer, {version}: Release): Promise<void> {
	const [made, before] = [`${own}.new`, `${own}.before`];
	try {
		await rm(made, {force: true});
		await writeFile(made, program, {mode: 0o700, flag: 'wx', flush: true});
		// Root, with an umask of its own, may upgrade the program of all users.
		await chmod(made, (await stat(own)).mode & 0o777);
		await checkStart(made, version);
		await rm(before, {force: true});
		await link(own, before);
		await rename(made, own);
		try {
			await checkStart(own, version);
		} catch (error) {
			await rename(before, own);
			throw error;
		}
		await rm(before);
	} catch (error) {
		await rm(made, {force: true}).catch(() => undefined);
		if (error instanceof CommandError) throw error;
		throw failed(`${own} cannot be replaced (${fileTrouble(error)}). It is as it was.`);
	}
}

async function checkStart(file: string, version: string): Promise<void> {
	const output = await promisify(execFile)(file, ['--version'], {timeout: 60_000}).catch(
		(error: unknown) => ({stdout: messageOf(error)}),
	);
	if (output.stdout.trim() === `rentty ${version}`) return;
	const [why = ''] = output.stdout.trim().split('\n');
	throw failed(`The new rentty does not start here (${why}), so the old one stays.`);
}
