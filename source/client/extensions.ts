/** Extensions of a service: calls that only some services have, found in its OpenAPI description. */
import {isRecord} from '../contract/json.ts';
import {removeLease} from '../contract/leases.ts';
import type {Read} from './layers/reading.ts';

/** A longer description is not read: memory is finite. */
const LONGEST_BYTES = 8 * 1024 * 1024;

const PATIENCE_MS = 15_000;

export type Extensions = {
	/** Leases that the service enforces; asked for once, and again where nobody answered. */
	readonly leases: (signal?: AbortSignal) => Promise<boolean>;
};

/** @param service the address of the service, without a slash at the end */
export function findExtensions(service: string, read: Read): Extensions {
	const address = new URL(`${service}/openapi.json`);
	let found: Promise<boolean> | undefined;
	return {
		async leases(signal) {
			found ??= describes(removeLease.path, async () =>
				read(address, {signal: patient(signal), longestBytes: LONGEST_BYTES}),
			);
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

function patient(signal: AbortSignal | undefined): AbortSignal {
	const late = AbortSignal.timeout(PATIENCE_MS);
	return signal === undefined ? late : AbortSignal.any([signal, late]);
}

/** A description is read without a key; answers true where it names a path. */
async function describes(path: string, read: () => ReturnType<Read>): Promise<boolean> {
	const {status, text} = await read();
	if (status >= 500) throw new Error(`the service answered ${status}`);
	const paths = status === 200 ? pathsIn(text) : undefined;
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
