/** A world has no names but those of its machines. */
export async function lookup(name: string): Promise<never> {
	throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {code: 'ENOTFOUND'});
}

export const resolve4 = lookup;
