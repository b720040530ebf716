/** Networks of addresses, by which places before a login are shared. */
import {isIPv6} from 'node:net';

/** An address of IPv4 that an entrance for both kinds shows as one of IPv6. */
const MAPPED = '::ffff:';

/** What one person has of addresses: one of IPv4, and of IPv6 the 64 bits before those that hosts choose. */
export function networkOf(address = ''): string {
	const [plain = ''] = address.replace(MAPPED, '').split('%');
	if (!isIPv6(plain)) return plain;
	const [left, right] = plain.split('::').map(partsOf);
	const [before, after] = [left ?? [], right ?? []];
	const zeros = Array.from({length: 8 - before.length - after.length}, () => '0');
	const groups = [...before, ...zeros, ...after].slice(0, 4);
	return groups.map(group => Number.parseInt(group, 16)).join(':');
}

function partsOf(text: string): readonly string[] {
	return text.split(':').filter(part => part !== '');
}
