/** Extensions of a service: calls that only some services have, found in its OpenAPI description. */
import {isRecord} from '../contract/json.ts';
import {removeLease} from '../contract/leases.ts';

/** A longer description is not read: memory is finite. */
const LONGEST_BYTES = 8 * 1024 * 1024;

const PATIENCE_MS = 15_000;

export type Extensions = {
	/** Leases that the service enforces; asked for once, and again where nobody answered. */
	readonly leases: (signal?: AbortSignal) => Promise<boolean>;
};

export function findExtensions(url: string): Extensions {
	let found: Promise<boolean> | undefined;
	return {
		async leases(signal) {
			found ??= describes(`${url}/openapi.json`, removeLease.path, signal);
			try {
				return await found;
			} catch {
				found = undefined;
				signal?.throwIfAborted();
				return false;
			}
		},
	};
}

/** A description is read without a key; answers true where it names a path. */
async function describes(address: string, path: string, stop?: AbortSignal): Promise<boolean> {
	const late = AbortSignal.timeout(PATIENCE_MS);
	const signal = stop === undefined ? late : AbortSignal.any([stop, late]);
	const response = await fetch(address, {signal, redirect: 'error'});
	if (response.status >= 500) throw new Error(`the service answered ${response.status}`);
	if (response.status !== 200 || response.body === null) {
		await response.body?.cancel();
		return false;
	}
	const chunks: Uint8Array[] = [];
	let length = 0;
	const body: AsyncIterable<Uint8Array> = response.body;
	for await (const chunk of body) {
		length += chunk.byteLength;
		if (length > LONGEST_BYTES) return false;
		chunks.push(chunk);
	}
	const paths = pathsIn(Buffer.concat(chunks).toString('utf8'));
	return paths !== undefined && Object.hasOwn(paths, path);
}

function pathsIn(text: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const description: unknown = JSON.parse(text);
		return isRecord(description) && isRecord(description['paths'])
			? description['paths']
			: undefined;
	} catch {
		return undefined;
	}
}
