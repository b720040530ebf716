/** A public key in a few words. */
import {createHash} from 'node:crypto';

const types: Readonly<Record<string, string>> = {
	'ssh-ed25519': 'ed25519',
	'ecdsa-sha2-nistp256': 'ecdsa 256',
	'ecdsa-sha2-nistp384': 'ecdsa 384',
	'ecdsa-sha2-nistp521': 'ecdsa 521',
	'sk-ssh-ed25519@openssh.com': 'ed25519-sk',
	'sk-ecdsa-sha2-nistp256@openssh.com': 'ecdsa-sk',
};

/** Type of a key: ed25519, rsa 4096. Unknown types stay as they were sent. */
export function typeWords(type: string, blob: string): string {
	if (type !== 'ssh-rsa') return types[type] ?? type;
	const bits = rsaBits(Buffer.from(blob, 'base64'));
	return bits === undefined ? 'rsa' : `rsa ${bits}`;
}

/** The size of the modulus, which is the last of three parts that are each led by their length. */
function rsaBits(bytes: Buffer): number | undefined {
	let at = 0;
	for (let part = 0; part < 2; part++) {
		if (at + 4 > bytes.length) return undefined;
		at += 4 + bytes.readUInt32BE(at);
	}
	if (at + 4 > bytes.length) return undefined;
	const modulus = bytes.subarray(at + 4);
	return (modulus[0] === 0 ? modulus.length - 1 : modulus.length) * 8;
}

/** The fingerprint that ssh itself shows: `SHA256:…`. */
export function fingerprint(blob: string): string {
	const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64');
	return `SHA256:${digest.replace(/(?<!=)=+$/, '')}`;
}
