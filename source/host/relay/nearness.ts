/** Keeps a market elsewhere from having its agents call what is in their own network. */
import {lookup as lookUp} from 'node:dns/promises';
import {isIP, type LookupFunction} from 'node:net';
import {isPublicAddress} from '../../contract/rules/public-address.ts';

/** Refusal of a relay that the agent does not call. */
class RelayNotCalled extends Error {
	override readonly name = 'RelayNotCalled';
}

/** Looks up all addresses of a host, or of an address itself. */
async function addressesOf(host: string) {
	const plain = host.replace(/^\[(.*)\]$/, '$1');
	const family = isIP(plain);
	if (family !== 0) return [{address: plain, family}];
	return lookUp(plain, {all: true});
}

const allPublic = (found: Awaited<ReturnType<typeof addressesOf>>) =>
	found.every(({address}) => isPublicAddress(address));

/**
 * Lets an agent call relays at public addresses alone, unless its market is at a private one, and none
 * without TLS, unless its market has none.
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
		/** Looks up what may be called. @throws Error for a relay that may not be */
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
			// The checked address is the one that is dialled.
			return (_name, {all}, done) => {
				const [first] = found;
				if (all === true) done(null, found);
				else done(null, first?.address ?? '', first?.family);
			};
		},
	};
}
