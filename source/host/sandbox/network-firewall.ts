/** Routes that the network of an instance lacks. */
import {isIPv4} from 'node:net';
import {networkInterfaces} from 'node:os';
import {PRIVATE_IPV4} from '../../contract/rules/public-address.ts';

/** The way out that slirp4netns makes, and where it answers for names. */
export const DEVICE = 'tap0';
export const RESOLVER = '10.0.2.3';

/** Networks of slirp4netns itself: a route to it by the device stands beside these. */
const GATEWAY = ['10.0.2.0/25', '10.0.2.128/25'] as const;

/** A table of routes for questions about names alone. */
const TABLE = 53;

function awayFrom(own: readonly string[]): readonly string[] {
	return [...new Set([...PRIVATE_IPV4, ...GATEWAY, ...own.map(address => `${address}/32`)])];
}

/** Input of `ip -batch`. @param own Addresses of this machine, in any of its networks. */
export function routeLines(own: readonly string[]): string {
	const names = ['udp', 'tcp'].map(
		protocol => `rule add to ${RESOLVER}/32 ipproto ${protocol} dport 53 lookup ${TABLE}`,
	);
	return [
		...awayFrom(own).map(range => `route add blackhole ${range}`),
		`route add ${RESOLVER}/32 dev ${DEVICE} table ${TABLE}`,
		...names,
		'',
	].join('\n');
}

/**
 * The words for either of the programs that filter what goes out, a list for each call: a socket that
 * is bound to the device goes by no route, and slirp4netns would lead it to this machine itself.
 */
export const filters = {
	nft: (own: readonly string[]): ReadonlyArray<readonly string[]> => {
		const rules = [
			'type filter hook output priority 0',
			`oifname != "${DEVICE}" accept`,
			`ip daddr ${RESOLVER} udp dport 53 accept`,
			`ip daddr ${RESOLVER} tcp dport 53 accept`,
			...awayFrom(own).map(range => `ip daddr ${range} drop`),
			'meta nfproto ipv6 drop',
		];
		return [[`table inet rentty { chain out { ${rules.join('; ')}; }; }`]];
	},
	iptables: (own: readonly string[]): ReadonlyArray<readonly string[]> =>
		[
			`! -o ${DEVICE} -j ACCEPT`,
			`-d ${RESOLVER} -p udp --dport 53 -j ACCEPT`,
			`-d ${RESOLVER} -p tcp --dport 53 -j ACCEPT`,
			...awayFrom(own).map(range => `-d ${range} -j DROP`),
		].map(rule => ['-A', 'OUTPUT', ...rule.split(' ')]),
} as const;

/** The addresses of this machine, in the older of the two protocols: the other leads nowhere. */
export function ownAddresses(address: string): readonly string[] {
	const all = Object.values(networkInterfaces()).flatMap(each => each ?? []);
	const found = [...all.map(one => one.address), address];
	return [...new Set(found.filter(one => isIPv4(one) && !one.startsWith('127.')))];
}
