/** Address of a caller, as far as it can be believed. */
import {isIP} from 'node:net';

type Call = {
	/** The address at the other end of the socket; undefined where there is no socket. */
	readonly socket: string | undefined;
	/** `X-Forwarded-For` header. Anybody can send it. */
	readonly forwarded: string | undefined;
};

/** Address that a call comes from. What a header says counts only where a proxy that is trusted has sent it. */
export function callerAddress(
	{socket, forwarded}: Call,
	trustedProxies: readonly string[],
): string {
	const trusted = new Set(trustedProxies.map(plainAddress));
	const near = plainAddress(socket ?? '');
	if (near === undefined) return 'nowhere';
	if (!trusted.has(near)) return near;
	// Each proxy adds whom it heard: the last that is no proxy of ours is who called.
	const path = (forwarded ?? '').split(',').map(part => plainAddress(part.trim()));
	const caller = path.findLast(address => address === undefined || !trusted.has(address));
	return caller ?? near;
}

/** An address in the one form in which it is compared; undefined where it is none. */
export function plainAddress(text: string): string | undefined {
	const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(text)?.[1];
	const [address = ''] = (mapped ?? text).split('%');
	if (isIP(address) === 4) return address;
	return isIP(address) === 6 ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : undefined;
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** Network that a call comes from, by which those without a key are counted. */
export function callerNetwork(call: Call, trustedProxies: readonly string[]): string {
	return networkOf(callerAddress(call, trustedProxies));
}

/** Network of an address: itself, or the /64 of an IPv6 one, for whoever has one of those has all of it. */
export function networkOf(address: string): string {
	if (isIP(address) !== 6) return address;
	const [head = [], tail = []] = address
		.split('::')
		.map(half => half.split(':').filter(group => group !== ''));
	const zeros = Array.from({length: Math.max(0, GROUPS - head.length - tail.length)}, () => '0');
	return [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':');
}
