import {expect, test} from 'vitest';
import {parsePublicKey, PublicKeyError} from '../../../source/contract/rules/public-key.ts';
import {sshBlob, sshKeyText} from '../../helpers/host/ssh-keys.ts';

const exponent = Buffer.from([1, 0, 1]);
const bits = (count: number) => Buffer.alloc(count / 8, 0xc3);
const point = (bytes: number) => Buffer.concat([Buffer.from([4]), Buffer.alloc(bytes - 1, 7)]);

const keys: ReadonlyArray<readonly [type: string, blob: string]> = [
	['ssh-ed25519', sshBlob('ssh-ed25519', Buffer.alloc(32, 1))],
	['ssh-rsa', sshBlob('ssh-rsa', exponent, Buffer.concat([Buffer.from([0]), bits(2048)]))],
	['ssh-rsa', sshBlob('ssh-rsa', exponent, bits(16_384))],
	['ecdsa-sha2-nistp256', sshBlob('ecdsa-sha2-nistp256', 'nistp256', point(65))],
	['ecdsa-sha2-nistp384', sshBlob('ecdsa-sha2-nistp384', 'nistp384', point(97))],
	['ecdsa-sha2-nistp521', sshBlob('ecdsa-sha2-nistp521', 'nistp521', point(133))],
	[
		'sk-ssh-ed25519@openssh.com',
		sshBlob('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 1), 'ssh:'),
	],
	[
		'sk-ecdsa-sha2-nistp256@openssh.com',
		sshBlob('sk-ecdsa-sha2-nistp256@openssh.com', 'nistp256', point(65), 'ssh:'),
	],
];

test.each(keys)('a key of type %s is read, with its comment', (type, blob) => {
	const text = `${type} ${blob} ann@laptop, the old one`;
	const comment = 'ann@laptop, the old one';
	expect(parsePublicKey(text)).toEqual({text, type, blob, comment});
	expect(parsePublicKey(`${type} ${blob}`).comment).toBe('');
});

test('what is around a key is dropped, and what parts it is one space', () => {
	const text = sshKeyText(1, 'ann');
	expect(parsePublicKey(` \n${text}\0\r\n`).text).toBe(text);
	expect(parsePublicKey(text.replaceAll(' ', ' \t ')).text).toBe(text);
});

const [, ed25519 = ''] = sshKeyText().split(' ');
const rsa = (size: number) => `ssh-rsa ${sshBlob('ssh-rsa', exponent, bits(size))}`;

test.each<readonly [name: string, text: string, says: RegExp]>([
	['nothing', ' \0\n', /^No ssh key provided$/],
	['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\n', /^This is a private key/],
	['a PuTTY key', 'PuTTY-User-Key-File-3: ssh-ed25519', /^This is a private key/],
	['the name of a file', '~/.ssh/id_ed25519.pub', /^This is the name of a file/],
	['a short name of a file', 'id_rsa.pub', /^This is the name of a file/],
	['a path', '/home/ann/.ssh/id_ed25519', /^This is the name of a file/],
	['a path of Windows', 'C:\\Users\\ann\\key', /^This is the name of a file/],
	['a sentence', 'my key please', /^A public SSH key starts with its type/],
	['a type alone', 'ssh-ed25519', /^A public SSH key starts with its type/],
	['a retired type', `ssh-dss ${sshBlob('ssh-dss', 'x')}`, /starts with its type/],
	['options before it', `no-pty ${sshKeyText()}`, /starts with its type/],
	['data that is no base64', 'ssh-ed25519 !!!!', /is damaged or cut off/],
	['data that is cut off', `ssh-ed25519 ${ed25519.slice(0, 40)}`, /is damaged or cut off/],
	[
		'data with more behind',
		`ssh-ed25519 ${sshBlob('ssh-ed25519', Buffer.alloc(32), 'x')}`,
		/damaged/,
	],
	['data cut in a length', `ssh-ed25519 ${btoa('\0\0\0')}`, /damaged/],
	['data of another type', `ssh-rsa ${ed25519}`, /^This ssh-rsa key is damaged or cut off/],
	[
		'data of a type of its own',
		`ssh-ed25519 ${sshBlob('ssh-ed25518', Buffer.alloc(32))}`,
		/damaged/,
	],
	['data without its filling', rsa(2048).replace(/=+$/, ''), /damaged/],
	['a short key', `ssh-ed25519 ${sshBlob('ssh-ed25519', Buffer.alloc(31))}`, /damaged/],
	['a weak RSA key', rsa(512), /damaged/],
	[
		'another curve',
		`ecdsa-sha2-nistp256 ${sshBlob('ecdsa-sha2-nistp256', 'nistp384', point(97))}`,
		/damaged/,
	],
	[
		'a point in short',
		`ecdsa-sha2-nistp256 ${sshBlob('ecdsa-sha2-nistp256', 'nistp256', Buffer.alloc(65, 2))}`,
		/damaged/,
	],
	[
		'a key without a device',
		`sk-ssh-ed25519@openssh.com ${sshBlob('sk-ssh-ed25519@openssh.com', Buffer.alloc(32), '')}`,
		/damaged/,
	],
	['two keys', `${sshKeyText(1)}\n${sshKeyText(2)}`, /is one line of text/],
	['control characters', sshKeyText(1, 'a\u001B[2Jb'), /is one line of text/],
	['half a character', sshKeyText(1, '\uD800'), /is one line of text/],
	['too long a line', sshKeyText(1, 'x'.repeat(4096)), /at most 4096 characters/],
])('%s is refused', (_, text, says) => {
	expect(() => parsePublicKey(text)).toThrow(PublicKeyError);
	expect(() => parsePublicKey(text)).toThrow(says);
});
