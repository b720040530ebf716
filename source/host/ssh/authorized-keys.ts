/** Who may enter an instance: the public keys of its account, and those attached to it. */
import {timingSafeEqual} from 'node:crypto';
import ssh2 from 'ssh2';
import type {ParsedKey, PublicKeyAuthContext} from 'ssh2';

/** The only one there is inside of an instance. */
export const USER = 'root';

/** Reads public keys, one line each; what is none opens nothing. */
export function readKeys(lines: readonly string[]): readonly ParsedKey[] {
	return lines.flatMap(line => {
		const parsed = ssh2.utils.parseKey(line.trim());
		return parsed instanceof Error ? [] : [parsed];
	});
}

/** Whether somebody has one of the keys: a client first asks, and then proves it with a signature. */
export function isAuthorized(
	{username, key: {algo, data}, signature, blob, hashAlgo}: PublicKeyAuthContext,
	keys: readonly ParsedKey[],
): boolean {
	if (username !== USER || isOfSha1(algo, hashAlgo)) return false;
	const known = keys.find(key => areEqual(key.getPublicSSH(), data));
	if (known === undefined || (known.type !== algo && !algo.startsWith('rsa-sha2'))) return false;
	if (signature === undefined || blob === undefined) return true;
	return known.verify(blob, signature, hashAlgo);
}

/** The library names the hash of RSA's newer signatures apart, and none of the oldest. */
function isOfSha1(algo: string, hashAlgo: string | undefined): boolean {
	return algo === 'ssh-dss' || (algo === 'ssh-rsa' && hashAlgo === undefined);
}

function areEqual(one: Buffer, other: Buffer): boolean {
	return one.length === other.length && timingSafeEqual(one, other);
}
