/** The public half of an SSH key, as a line of an `authorized_keys` file. */

export type PublicKey = {
	/** The line with single spaces between its parts. */
	readonly text: string;
	readonly type: string;
	/** Key data without the comment: the same for the same key. */
	readonly blob: string;
	readonly comment: string;
};

export class PublicKeyError extends Error {
	override readonly name = 'PublicKeyError';
}

/** The longest line accepted, in characters. */
const LONGEST = 4096;

/** Reads a pasted key. Line breaks around it, and NULs that some clients add, are dropped. */
export function parsePublicKey(pasted: string): PublicKey {
	const line = pasted.replaceAll('\0', '').trim();
	refuseOthers(line);
	const [, type = '', blob = '', comment = ''] =
		/^(\S+)[ \t]+(\S+)(?:[ \t]+(.*))?$/.exec(line) ?? [];
	const isFit = forms.get(type);
	if (isFit === undefined) {
		throw new PublicKeyError(`A public SSH key starts with its type, such as ssh-ed25519.`);
	}
	const parts = readParts(blob);
	if (parts === undefined || parts[0] !== type || !isFit(parts.slice(1))) {
		throw new PublicKeyError(`This ${type} key is damaged or cut off.`);
	}
	return {text: [type, blob, comment].filter(part => part !== '').join(' '), type, blob, comment};
}

function refuseOthers(line: string): void {
	if (line === '') throw new PublicKeyError('No ssh key provided');
	if (/PRIVATE KEY|PuTTY-User-Key-File/.test(line)) {
		throw new PublicKeyError('This is a private key. Nobody else may see it: send its .pub file.');
	}
	if (line.length > LONGEST) {
		throw new PublicKeyError(`A public SSH key has at most ${LONGEST} characters.`);
	}
	if (/^[^\s]*\.pub$|^[~./\\]\S*$|^[A-Za-z]:\\\S*$/.test(line)) {
		throw new PublicKeyError('This is the name of a file. Send what is in it.');
	}
	if (!line.isWellFormed() || /[\p{Cc}--\t]/v.test(line)) {
		throw new PublicKeyError('A public SSH key is one line of text.');
	}
}

/** The strings in a key's data, each after its length; undefined for other data. */
function readParts(blob: string): readonly string[] | undefined {
	const bytes = decodeBase64(blob);
	if (bytes === undefined) return undefined;
	const parts: string[] = [];
	for (let at = 0; at < bytes.length;) {
		const from = at + 4;
		let length = 0;
		for (let i = at; i < from; i++) length = length * 256 + bytes.charCodeAt(i);
		at = from + length;
		if (!(at <= bytes.length)) return undefined;
		parts.push(bytes.slice(from, at));
	}
	return parts;
}

/** Bytes as characters; undefined for text that does not encode back to itself. */
function decodeBase64(text: string): string | undefined {
	try {
		const bytes = atob(text);
		return btoa(bytes) === text ? bytes : undefined;
	} catch {
		return undefined;
	}
}

type Form = (parts: readonly string[]) => boolean;

const ed25519: Form = ([key, ...rest]) => key?.length === 32 && rest.length === 0;

/** An exponent and a modulus of 1024 to 16384 bits, with a leading zero byte if the top bit is set. */
const rsa: Form = ([exponent = '', modulus = '', ...rest]) => {
	const bytes = modulus.replace(/^\0/, '').length;
	return exponent !== '' && bytes >= 128 && bytes <= 2048 && rest.length === 0;
};

/** A point of the curve, written in full. */
function ecdsa(curve: string, bytes: number): Form {
	return ([name, point = '', ...rest]) =>
		name === curve && point.length === bytes && point.startsWith('\u0004') && rest.length === 0;
}

/** A key in a hardware token, whose data also names its application. */
function onDevice(form: Form): Form {
	return parts => form(parts.slice(0, -1)) && parts.at(-1) !== '';
}

const forms: ReadonlyMap<string, Form> = new Map([
	['ssh-ed25519', ed25519],
	['ssh-rsa', rsa],
	['ecdsa-sha2-nistp256', ecdsa('nistp256', 65)],
	['ecdsa-sha2-nistp384', ecdsa('nistp384', 97)],
	['ecdsa-sha2-nistp521', ecdsa('nistp521', 133)],
	['sk-ssh-ed25519@openssh.com', onDevice(ed25519)],
	['sk-ecdsa-sha2-nistp256@openssh.com', onDevice(ecdsa('nistp256', 65))],
]);
