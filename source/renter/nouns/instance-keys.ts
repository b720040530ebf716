/**
 * The instances' own keys, if the renter wants them stored: a file each, readable only by its user.
 */
import {join} from 'node:path';
import {replaceFile} from '../../client/files/files.ts';
import {messageOf} from '../../contract/rules/thrown.ts';
import {createStore, type Store} from '../state/store.ts';

export type KeepKey = (instanceId: number, key: string) => Promise<string>;

/** Stores keys in a folder per service: services may have the same instance ids. */
export function keepKeysIn(folder: string, service: string): KeepKey {
	return async (instanceId, key) => {
		const file = join(folder, service.replaceAll(/[^\w.-]+/g, '-'), String(instanceId));
		await replaceFile(file, `${key}\n`, {isDurable: true});
		return file;
	};
}

/** Keys of instances, which the service shows only once: in memory, until the program ends. */
export type OwnKeys = Store<ReadonlyMap<number, string>>;

export const noOwnKeys = (): OwnKeys => createStore<ReadonlyMap<number, string>>(new Map());

type Handing = {
	readonly settings: {readonly get: () => {readonly keepInstanceKeys: boolean}};
	readonly renting: {readonly keepKey: KeepKey; readonly ownKeys: OwnKeys};
};

/**
 * Stores an instance's own key for its page, or in a file if the settings want that. Returns
 * further remarks.
 */
export async function storeInstanceKey(
	{settings, renting: {keepKey, ownKeys}}: Handing,
	id: number,
	key: string,
): Promise<string> {
	const remember = () => ownKeys.set(new Map([...ownKeys.get(), [id, key]]));
	if (!settings.get().keepInstanceKeys) {
		remember();
		return '';
	}
	try {
		return ` Its own key is kept in ${await keepKey(id, key)}.`;
	} catch (error) {
		remember();
		return ` Its own key could not be kept (${messageOf(error)}): it is on its page until rentty ends.`;
	}
}
