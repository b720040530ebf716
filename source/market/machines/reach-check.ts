/**
 * The market's own check that a machine is reachable: a connection to the one address and port that
 * its host has published, which sends nothing and reads one word.
 */
import {timingSafeEqual} from 'node:crypto';
import {connect, isIP} from 'node:net';
import {isPublicAddress} from '../../contract/rules/public-address.ts';
import type {TestPort} from './reach-rules.ts';

export type KnockOptions = {
	/** `any` allows private addresses and this machine's own: for a market in their network. */
	readonly targets: 'public' | 'any';
	/** @default 5000 */
	readonly patienceMs?: number | undefined;
};

const PATIENCE_MS = 5000;

/** True if the machine that knows the word answers at its test port. */
export async function answersAt(
	{address, port, word}: TestPort,
	{targets, patienceMs = PATIENCE_MS}: KnockOptions,
): Promise<boolean> {
	const family = isIP(address);
	if (family === 0 || (targets === 'public' && !isPublicAddress(address))) return false;
	const wanted = Buffer.from(`${word}\n`);
	const {promise, resolve} = Promise.withResolvers<boolean>();
	const socket = connect({host: address, port, family});
	const late = setTimeout(() => socket.destroy(), patienceMs);
	let heard = Buffer.alloc(0);
	socket.on('data', (bytes: Buffer) => {
		heard = Buffer.concat([heard, bytes.subarray(0, wanted.length + 1)]);
		if (heard.length >= wanted.length) socket.destroy();
	});
	socket.on('error', () => undefined);
	socket.once('end', () => socket.destroy());
	socket.once('close', () => {
		clearTimeout(late);
		resolve(heard.length === wanted.length && timingSafeEqual(heard, wanted));
	});
	return promise;
}
