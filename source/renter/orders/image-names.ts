/** Names of images: several can mean one image. */

type ImageName = {
	/** Registry and repository; without the registry where it is the usual one. */
	readonly name: string;
	readonly tag: string | undefined;
	readonly digest: string | undefined;
};

/** Names of the registry that is used where an image names none. */
const usualRegistries = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io']);

/** Two names can mean one image unless they contradict each other: a missing tag or digest does not. */
export function isSameImage(one: string, other: string): boolean {
	const [first, second] = [readImage(one), readImage(other)];
	if (first === undefined || second === undefined) return true;
	if (first.name !== second.name) return false;
	const {digest} = first;
	// A tag may have been moved since; a digest cannot be.
	if (digest !== undefined && second.digest !== undefined) return digest === second.digest;
	return first.tag === undefined || second.tag === undefined || first.tag === second.tag;
}

/** Undefined for a text without a repository, such as the bare id of an image. */
function readImage(text: string): ImageName | undefined {
	const [named = '', digest] = text.trim().split('@', 2);
	if (named === '' || /^(?:sha256:)?[\da-f]{64}$/i.test(named)) return undefined;
	const at = named.indexOf(':', named.lastIndexOf('/') + 1);
	const tag = at < 0 ? '' : named.slice(at + 1);
	return {
		name: plainRepository(at < 0 ? named : named.slice(0, at)),
		// An image that is pinned by its digest does not have the tag `latest` for that.
		tag: tag || (digest === undefined ? 'latest' : undefined),
		digest: digest?.toLowerCase(),
	};
}

/** Names of repositories have no capitals; some services write them with some. */
function plainRepository(text: string): string {
	const [first = '', ...rest] = text.toLowerCase().split('/');
	const path = usualRegistries.has(first) ? rest : [first, ...rest];
	return (path.length === 2 && path[0] === 'library' ? path.slice(1) : path).join('/');
}
