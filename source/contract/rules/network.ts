/** Networks of addresses, which share limits before a login. */

/** Prefix of an IPv4 address on a dual-stack listener. */
const MAPPED = '::ffff:';

/**
 * The network of an address: an IPv4 address, or the first 64 bits of IPv6, because one person has
 * all of the rest.
 */
export function networkOf(address = ''): string {
	const [plain = ''] = address.replace(MAPPED, '').split('%');
	if (!plain.includes(':')) return plain;
	const [left, right] = plain.split('::').map(partsOf);
	const [before, after] = [left ?? [], right ?? []];
	const zeros = Array.from({length: 8 - before.length - after.length}, () => '0');
	const groups = [...before, ...zeros, ...after].slice(0, 4);
	return groups.map(group => Number.parseInt(group, 16).toString(16)).join(':');
}

function partsOf(text: string): readonly string[] {
	return text.split(':').filter(part => part !== '');
}
