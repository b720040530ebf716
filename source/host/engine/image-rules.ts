/** Images that strangers may use: those of public registries. */
import {lookup} from 'node:dns/promises';
import type {ImageName} from './image-name.ts';
import {isPublicAddress} from '../../contract/public-address.ts';
import {CannotStart} from '../retry.ts';

/** The addresses that a name leads to. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const resolveHost: Resolve = async host =>
	(await lookup(host, {all: true})).map(({address}) => address);

/** True for an image id, which an engine finds whoever the image belongs to. */
function isImageId(name: string): boolean {
	const digits = name.replace(/^sha256[:@]/i, '');
	return digits.length >= 12 && digits.length <= 64 && /^[a-f\d]+$/i.test(digits);
}

/**
 * Refuses the provider's own images, and registries that only the machine or its network reaches.
 *
 * @throws CannotStart
 */
export async function refuseLocalImage(
	text: string,
	{registry}: ImageName,
	resolve: Resolve = resolveHost,
): Promise<void> {
	if (isImageId(text.trim())) {
		throw new CannotStart(
			`"${text}" is the number of an image, by which none is pulled. Give its name in a registry, such as ubuntu:24.04 or ghcr.io/one/two@sha256:….`,
		);
	}
	const host = registry.replace(/:\d*$/, '');
	const isLocal = !isHostName(host) || !(await leadsOut(host, resolve));
	if (!isLocal) return;
	throw new CannotStart(
		`The registry ${registry} is on this machine or in its network: nothing is pulled from there. Push the image to a registry that everybody reaches, or ask the provider to allow local images.`,
	);
}

/** Numbers are addresses, however they are written, and a single word is known in one network alone. */
function isHostName(host: string): boolean {
	const last = host.split('.').at(-1) ?? '';
	if (/^(?:localhost|local|internal|lan|home|corp|intranet|localdomain)$/i.test(last)) return false;
	return host.includes('.') && /^[a-z][a-z\d-]*$/i.test(last);
}

/**
 * True if a host's addresses are public. A name without an address is left to the engine, which
 * asks its provider's name server.
 */
async function leadsOut(host: string, resolve: Resolve): Promise<boolean> {
	const addresses = await resolve(host).catch(() => []);
	return addresses.every(isPublicAddress);
}
