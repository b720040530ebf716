/**
 * Names of images in the form that engines accept: a repository, with its registry, tag or digest.
 */

const NAME = /^[a-z\d](?:[\w.:@/-]*\w)?$/i;

/** The name without its prefix and blanks around it; undefined for an invalid name. */
export function plainImageName(text: string): string | undefined {
	const name = text.trim().replace(/^docker:\/\//, '');
	return NAME.test(name) && !/\.\.|\/\//.test(name) ? name : undefined;
}

export const MOST_REGISTRIES = 16;

/** True for an image registry, such as `ghcr.io` or `registry.example.org:5000`. */
export function isRegistry(text: string): boolean {
	return text.length <= 255 && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/.test(text);
}
