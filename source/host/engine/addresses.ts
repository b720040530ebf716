/** Addresses that belong to a provider's machine and network, and not to everybody's. */
import {BlockList, isIP, isIPv4} from 'node:net';

/** Address ranges that are only reached within a network, or that name no single machine. */
export const PRIVATE_IPV4 = [
	'0.0.0.0/8',
	'10.0.0.0/8',
	'100.64.0.0/10',
	'127.0.0.0/8',
	'169.254.0.0/16',
	'172.16.0.0/12',
	'192.0.0.0/24',
	'192.168.0.0/16',
	'198.18.0.0/15',
	'224.0.0.0/3',
] as const;

/** Addresses of IPv4 that are written as such of IPv6 are looked up as what they are. */
const PRIVATE_IPV6 = [
	'::/96',
	'64:ff9b::/96',
	'64:ff9b:1::/48',
	'2002::/16',
	'fc00::/7',
	'fe80::/10',
	'ff00::/8',
] as const;

const privates = new BlockList();
for (const [kind, ranges] of [
	['ipv4', PRIVATE_IPV4],
	['ipv6', PRIVATE_IPV6],
] as const) {
	for (const range of ranges) {
		const [address = '', bits] = range.split('/');
		privates.addSubnet(address, Number(bits), kind);
	}
}

/** True for a public address. */
export function isPublic(address: string): boolean {
	if (isIP(address) === 0) return false;
	return !privates.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
