/** Trustworthy address of a caller. */
import {isIP} from 'node:net';
import {networkOf} from '../../contract/rules/network.ts';

type Call = {
	/** Remote address of the socket; undefined without a socket. */
	readonly socket: string | undefined;
	/** `X-Forwarded-For` header, which anybody can send. */
	readonly forwarded: string | undefined;
};

/** Address of a caller. The header counts only from a trusted proxy. */
export function callerAddress(
	{socket, forwarded}: Call,
	trustedProxies: readonly string[],
): string {
	const trusted = new Set(trustedProxies.map(plainAddress));
	const near = plainAddress(socket ?? '');
	if (near === undefined) return 'nowhere';
	if (!trusted.has(near)) return near;
	// Each proxy appends its peer, so the last address that is no trusted proxy is the caller's.
	const path = (forwarded ?? '').split(',').map(part => plainAddress(part.trim()));
	const caller = path.findLast(address => address === undefined || !trusted.has(address));
	return caller ?? near;
}

/** An address in its compared form; undefined for an invalid one. */
export function plainAddress(text: string): string | undefined {
	const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(text)?.[1];
	const [address = ''] = (mapped ?? text).split('%');
	if (isIP(address) === 4) return address;
	return isIP(address) === 6 ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : undefined;
}

/** Network of a caller, by which calls without a key are counted. */
export function callerNetwork(call: Call, trustedProxies: readonly string[]): string {
	return networkOf(callerAddress(call, trustedProxies));
}
