import {plainImageName} from '../../contract/rules/image-name.ts';

export type ImageName = {
	/** Full name under which an engine has the image. */
	readonly full: string;
	/** Host of the registry, with its port if named. */
	readonly registry: string;
	readonly repository: string;
	/** A tag, or a digest. */
	readonly tag: string;
};

/** Registry of images whose names include none. */
const HUB = 'docker.io';

/**
 * Reads a name such as `ubuntu:24.04` or `ghcr.io/one/two@sha256:…`; undefined for an invalid one.
 * The result is a full name, because engines resolve short names to their own images.
 */
export function readImageName(text: string): ImageName | undefined {
	const name = plainImageName(text);
	if (name === undefined) return undefined;
	const {registry, path} = partsOf(name);
	const digest = path.indexOf('@');
	// A colon before the last slash separates a registry's port, not a tag.
	const colon = path.lastIndexOf(':');
	const isTagged = colon > path.lastIndexOf('/');
	const end = digest > 0 ? digest : isTagged ? colon : path.length;
	const tag = end === path.length ? 'latest' : path.slice(end + 1);
	const repository = `${registry}/${path.slice(0, end)}`;
	return {full: `${repository}${digest > 0 ? '@' : ':'}${tag}`, registry, repository, tag};
}

/** Splits off the registry: a first part that looks like a host name. */
function partsOf(name: string) {
	const slash = name.indexOf('/');
	const first = name.slice(0, Math.max(0, slash));
	if (!/[.:]/.test(first) && first !== 'localhost') {
		return {registry: HUB, path: slash < 0 ? `library/${name}` : name};
	}
	const path = name.slice(slash + 1);
	if (first !== HUB && first !== 'index.docker.io') return {registry: first, path};
	return {registry: HUB, path: path.includes('/') ? path : `library/${path}`};
}

/** Auth header for a registry from `-u USER -p TOKEN REGISTRY`; undefined for an empty login. */
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
	return writeAuth({username, password, ...(serveraddress !== undefined && {serveraddress})});
}

type Credentials = {
	readonly username?: string;
	readonly password?: string;
	readonly serveraddress?: string;
};

export function writeAuth(credentials: Credentials): string {
	// base64url, padded: the only form that Docker and Podman accept.
	const text = Buffer.from(JSON.stringify(credentials)).toString('base64');
	return text.replaceAll('+', '-').replaceAll('/', '_');
}
