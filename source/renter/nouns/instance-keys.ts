/** The instances' own keys, where the renter wants them kept: a file each, for its user alone. */
import {join} from 'node:path';
import {replaceFile} from '../../client/files/files.ts';
import {messageOf} from '../../contract/rules/thrown.ts';

/** Writes the key of an instance, and returns its file. */
export type KeepKey = (instanceId: number, key: string) => Promise<string>;

/** A folder a service, as services may have the same instance ids. */
export function keepKeysIn(folder: string, service: string): KeepKey {
	return async (instanceId, key) => {
		const file = join(folder, service.replaceAll(/[^\w.-]+/g, '-'), String(instanceId));
		await replaceFile(file, `${key}\n`, {isDurable: true});
		return file;
	};
}

type Handing = {
	readonly settings: {readonly get: () => {readonly keepInstanceKeys: boolean}};
	readonly renting: {readonly keepKey: KeepKey};
	readonly terminal: {readonly secrets: {readonly show: (key: ShownKey) => void}};
};

type ShownKey = {
	readonly title: string;
	readonly secret: string;
	readonly lines: readonly string[];
	readonly fileName: string;
};

/**
 * Keeps an instance's own key for its page, or in a file where the settings want that. Answers what
 * else is to be said.
 */
export async function tellKey(
	{settings, renting: {keepKey}, terminal: {secrets}}: Handing,
	id: number,
	key: string,
): Promise<string> {
	const show = (...lines: readonly string[]) =>
		secrets.show({
			title: `KEY OF INSTANCE ${id}`,
			secret: key,
			lines: [
				...lines,
				'With it programs can start, stop and destroy this instance, and nothing else.',
				'The instance itself has it, too. The service never says it again.',
			],
			fileName: `instance-${id}`,
		});
	if (!settings.get().keepInstanceKeys) {
		show();
		return '';
	}
	try {
		return ` Its own key is kept in ${await keepKey(id, key)}.`;
	} catch (error) {
		show(`It could not be kept as the settings want it (${messageOf(error)}).`);
		return '';
	}
}
