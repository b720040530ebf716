/** The signature of a release: ed25519, in the two forms that tools of others read. */
import {
	createHash,
	createPrivateKey,
	createPublicKey,
	generateKeyPairSync,
	sign as signBytes,
} from 'node:crypto';
import type {KeyObject} from 'node:crypto';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

/** What a signature of ours may be used for, and nothing else that this key signs. */
export const NAMESPACE = 'rentty-release';

/** What a signed release says of itself, so that an older one is known. */
export type Named = {readonly version: string; readonly date: string};

export type Signer = {
	/** The public key, as OpenSSL and Node read it: DER in base64. */
	readonly publicKey: string;
	/** The same, as OpenSSH reads it. */
	readonly sshKey: string;
	/** The signature alone, for OpenSSL and Node. */
	readonly sign: (data: Buffer) => Buffer;
	/** The same in the form of `ssh-keygen -Y verify`. */
	readonly signForSsh: (data: Buffer) => string;
};

/** Reads the key of whoever releases; one that is not there is made, for its owner alone. */
export function openSigner(file: string): Signer {
	if (!existsSync(file)) {
		const {privateKey} = generateKeyPairSync('ed25519');
		writeFileSync(file, privateKey.export({type: 'pkcs8', format: 'pem'}), {
			mode: 0o600,
			flag: 'wx',
		});
	}
	return signerOf(createPrivateKey(readFileSync(file)));
}

function signerOf(key: KeyObject): Signer {
	const der = createPublicKey(key).export({type: 'spki', format: 'der'});
	// The key itself comes last.
	const blob = Buffer.concat([field('ssh-ed25519'), field(der.subarray(-32))]);
	const sign = (data: Buffer) => signBytes(null, data, key);
	return {
		publicKey: der.toString('base64'),
		sshKey: `ssh-ed25519 ${blob.toString('base64')}`,
		sign,
		signForSsh(data) {
			const head = [field(NAMESPACE), field(''), field('sha512')];
			const hash = createHash('sha512').update(data).digest();
			const signed = sign(Buffer.concat([Buffer.from('SSHSIG'), ...head, field(hash)]));
			const signature = Buffer.concat([field('ssh-ed25519'), field(signed)]);
			const parts = [Buffer.from('SSHSIG\0\0\0\u0001'), field(blob), ...head, field(signature)];
			const text =
				Buffer.concat(parts)
					.toString('base64')
					.match(/.{1,70}/g) ?? [];
			return ['-----BEGIN SSH SIGNATURE-----', ...text, '-----END SSH SIGNATURE-----', ''].join(
				'\n',
			);
		},
	};
}

/** Bytes after their length, as all of SSH writes them. */
function field(value: string | Buffer): Buffer {
	const bytes = Buffer.from(value);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(bytes.length);
	return Buffer.concat([length, bytes]);
}

/** The script that installs what this key signs. */
export async function installerOf(
	{publicKey, sshKey}: Signer,
	{release, from}: {readonly release: Named; readonly from: string | undefined},
): Promise<string> {
	const file = join(import.meta.dirname, '..', '..', 'packaging', 'install.sh');
	if (from?.includes("'") === true) throw new Error('RENTTY_RELEASE_URL is no URL');
	const script = await readFile(file, 'utf8');
	return script
		.replace('@PUBLIC_KEY@', publicKey)
		.replace('@SSH_KEY@', sshKey)
		.replace('@RELEASE@', nameOf(release))
		.replace('@FROM@', () => from ?? '');
}

function nameOf({version, date}: Named): string {
	return `${version} ${date}`;
}

/** Writes the hashes of files of a folder and what they are, signed, beside them. */
export async function writeSums(
	folder: string,
	names: readonly string[],
	{signer, release}: {readonly signer: Signer; readonly release: Named},
): Promise<string> {
	const sums = await Promise.all(
		names.toSorted().map(async name => {
			const hash = createHash('sha256').update(await readFile(join(folder, name)));
			return `${hash.digest('hex')}  ${name}\n`;
		}),
	);
	const text = Buffer.from(`# rentty ${nameOf(release)}\n${sums.join('')}`);
	await writeFile(join(folder, 'SHA256SUMS'), text);
	await writeFile(join(folder, 'SHA256SUMS.sig'), signer.sign(text));
	await writeFile(join(folder, 'SHA256SUMS.sshsig'), signer.signForSsh(text));
	return text.toString();
}
