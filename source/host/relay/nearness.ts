/** Keeps a market from making its agents connect to their own private network. */
import {lookup as lookUp} from 'node:dns/promises';
import {isIP, type LookupFunction} from 'node:net';
import {isPublicAddress} from '../../contract/rules/public-address.ts';

/** Error for a relay that the agent must not connect to. */
class RelayNotCalled extends Error {
	override readonly name = 'RelayNotCalled';
}

/** Resolves all addresses of a host, or returns an address itself. */
async function addressesOf(host: string) {
	const plain = host.replace(/^\[(.*)\]$/, '$1');
	const family = isIP(plain);
	if (family !== 0) return [{address: plain, family}];
	return lookUp(plain, {all: true});
}

const allPublic = (found: Awaited<ReturnType<typeof addressesOf>>) =>
	found.every(({address}) => isPublicAddress(address));

/**
 * Lets an agent connect only to relays at public addresses, unless its market is at a private one,
 * and only with TLS, unless its market has none.
 */
export function createNearness(market: string) {
	const {hostname, protocol} = new URL(market);
	let near: Promise<boolean> | undefined;

	async function isNear(): Promise<boolean> {
		near ??= addressesOf(hostname).then(found => !allPublic(found));
		return near.catch(() => {
			near = undefined;
			return false;
		});
	}

	return {
		/**
		 * Resolves a permitted URL. @throws Error for a relay that the agent must not connect to
		 */
		async lookupFor(url: string): Promise<LookupFunction | undefined> {
			const relay = new URL(url);
			if (protocol === 'https:' && relay.protocol !== 'https:') {
				throw new RelayNotCalled(`The relay at ${relay.host} has no TLS, and is not called`);
			}
			if (await isNear()) return undefined;
			const found = await addressesOf(relay.hostname);
			if (!allPublic(found)) {
				throw new RelayNotCalled(
					`The relay at ${relay.host} is in a network of its own, and is not called`,
				);
			}
			// Connect to the address that was checked, not to a second lookup.
			return (_name, {all}, done) => {
				const [first] = found;
				if (all === true) done(null, found);
				else done(null, first?.address ?? '', first?.family);
			};
		},
	};
}
