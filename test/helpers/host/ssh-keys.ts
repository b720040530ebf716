import {Buffer} from 'node:buffer';

/** The data of an SSH key: each part is led by its length. */
export function sshBlob(...parts: ReadonlyArray<string | Buffer>): string {
	const written = parts.map(part => {
		const bytes = Buffer.from(part);
		const length = Buffer.alloc(4);
		length.writeUInt32BE(bytes.length);
		return Buffer.concat([length, bytes]);
	});
	return Buffer.concat(written).toString('base64');
}

/** A public key that nobody has the other half of; another number makes another. */
export function sshKeyText(number = 1, comment = ''): string {
	const blob = sshBlob('ssh-ed25519', Buffer.alloc(32, number));
	return `ssh-ed25519 ${blob}${comment === '' ? '' : ` ${comment}`}`;
}
