/** The SSH keys with which this machine can enter an instance, as the form says them. */
import {basename} from 'node:path';
import type {SshKey} from '../../../contract/ssh-keys.ts';
import {privateFile} from '../../../renter/connect/local-keys.ts';
import type {LocalKey} from '../../../renter/connect/local-keys.ts';
import {blobOf} from '../../../renter/connect/registered-keys.ts';
import {fingerprint, typeWords} from '../keys/public-words.ts';

/** A key of this machine as people know it: "laptop ed25519 ..kQ7m". */
export function describeKey({comment, file, type, blob}: LocalKey): string {
	const name = comment === '' ? basename(privateFile({file})) : comment;
	return `${name} ${typeWords(type, blob)} ${endOf(blob)}`.trim();
}

/** The end of a registered key's fingerprint, by which people tell two of them apart. */
export function endOfRegistered(key: SshKey): string {
	return endOf(blobOf(key) ?? '');
}

function endOf(blob: string): string {
	return blob === '' ? 'unreadable' : `..${fingerprint(blob).slice(-4)}`;
}
