/** Names of images, as engines take them: a repository, with its registry, tag or digest. */

const NAME = /^[a-z\d](?:[\w.:@/-]*\w)?$/i;

/** The name without the prefix and the blanks around it; undefined for what is none. */
export function plainImageName(text: string): string | undefined {
	const name = text.trim().replace(/^docker:\/\//, '');
	return NAME.test(name) && !/\.\.|\/\//.test(name) ? name : undefined;
}
