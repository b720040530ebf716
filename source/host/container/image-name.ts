/** Names of images, and who may pull them. */

export type ImageName = {
	/** What an engine calls it where it is there. */
	readonly full: string;
	readonly repository: string;
	/** A tag, or a digest. */
	readonly tag: string;
};

const NAME = /^[a-z\d](?:[\w.:@/-]*[\w])?$/i;

/** Reads a name such as `ubuntu:24.04` or `ghcr.io/one/two@sha256:…`; undefined for what is none. */
export function readImageName(text: string): ImageName | undefined {
	const name = text.trim().replace(/^docker:\/\//, '');
	if (!NAME.test(name) || name.includes('..') || name.includes('//')) return undefined;
	const digest = name.indexOf('@');
	if (digest > 0) {
		return {full: name, repository: name.slice(0, digest), tag: name.slice(digest + 1)};
	}
	// What is behind a colon before a slash is the port of a registry.
	const colon = name.lastIndexOf(':');
	if (colon > name.lastIndexOf('/')) {
		return {full: name, repository: name.slice(0, colon), tag: name.slice(colon + 1)};
	}
	return {full: `${name}:latest`, repository: name, tag: 'latest'};
}

/** The header that shows a registry who asks, of `-u USER -p TOKEN REGISTRY`; undefined of nothing. */
export function registryAuth(login: string): string | undefined {
	const words = login.split(/\s+/).filter(word => word !== '');
	const after = (...flags: readonly string[]) => {
		const found = words.findIndex(word => flags.includes(word));
		return found < 0 ? undefined : words[found + 1];
	};
	const username = after('-u', '--username');
	const password = after('-p', '--password');
	if (username === undefined || password === undefined) return undefined;
	const flagged = new Set(['-u', '--username', '-p', '--password']);
	const serveraddress = words.find(
		(word, index) => !flagged.has(word) && !flagged.has(words[index - 1] ?? ''),
	);
	const said = {username, password, ...(serveraddress !== undefined && {serveraddress})};
	// The letters of addresses, and filled up at the end: engines read no other.
	const text = Buffer.from(JSON.stringify(said)).toString('base64');
	return text.replaceAll('+', '-').replaceAll('/', '_');
}
