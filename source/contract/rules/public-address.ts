/** Public addresses, the only ones that webhooks and programs of renters may reach. */
import {BlockList, isIPv4, isIPv6} from 'node:net';

/** Address ranges that are only reachable within a network, or that name no single machine. */
export const PRIVATE_IPV4 = [
	'0.0.0.0/8',
	'10.0.0.0/8',
	'100.64.0.0/10',
	'127.0.0.0/8',
	'169.254.0.0/16',
	'172.16.0.0/12',
	'192.0.0.0/24',
	'192.0.2.0/24',
	'192.88.99.0/24',
	'192.168.0.0/16',
	'198.18.0.0/15',
	'198.51.100.0/24',
	'203.0.113.0/24',
	'224.0.0.0/4',
	'240.0.0.0/4',
] as const;

/** Ranges from which public addresses are assigned; wrapped IPv4 addresses are outside of them. */
const GLOBAL_IPV6 = ['2000::/3'];
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const special4 = listOf(PRIVATE_IPV4, 'ipv4');
const global6 = listOf(GLOBAL_IPV6, 'ipv6');
const special6 = listOf(SPECIAL_IPV6, 'ipv6');

function listOf(ranges: readonly string[], kind: 'ipv4' | 'ipv6'): BlockList {
	const list = new BlockList();
	for (const range of ranges) {
		const [address = '', bits] = range.split('/');
		list.addSubnet(address, Number(bits), kind);
	}
	return list;
}

/** True for a public address; false also for text that is no address. */
export function isPublicAddress(address: string): boolean {
	if (isIPv4(address)) return !special4.check(address, 'ipv4');
	return isIPv6(address) && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}
