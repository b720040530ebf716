/** The keys of instances, where their renter wants them kept: a file each, for its user alone. */
import {join} from 'node:path';
import {replaceFile} from '../client/files.ts';

/** Keeps the key of an instance, and answers in which file. */
export type KeepKey = (instanceId: number, key: string) => Promise<string>;

/** Keys of services with the same numbers of instances lie in folders of their own. */
export function keepKeysIn(folder: string, service: string): KeepKey {
	return async (instanceId, key) => {
		const file = join(folder, service.replaceAll(/[^\w.-]+/g, '-'), String(instanceId));
		await replaceFile(file, `${key}\n`, {isDurable: true});
		return file;
	};
}
