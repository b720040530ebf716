/** Networks of addresses, by which calls and places before a login are shared. */

/** An address of IPv4 that an entrance for both kinds shows as one of IPv6. */
const MAPPED = '::ffff:';

/** The network of an address: an address of IPv4, or the first 64 bits of IPv6, of which a person has all. */
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
