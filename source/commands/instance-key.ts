/** An instance's own key, which the service says once: kept in a file where its renter wants that. */
import {messageOf} from '../contract/rules/thrown.ts';
import {homeFolder} from '../renter/files/folders.ts';
import {join} from 'node:path';
import {UsageError} from '../renter/text/usage-error.ts';
import {keepKeysIn} from '../renter/nouns/instance-keys.ts';
import {reserveFile} from '../renter/files/own-files.ts';
import type {Context, Option} from './command.ts';

/** No option shows it: what a command prints ends in logs. */
export const keyOption = {
	'keep-key': {value: 'FILE', about: "keep the instance's own key in a new file, for you alone"},
} as const satisfies Readonly<Record<string, Option>>;

export type KeyPlace = {
	/** Keeps the key of an instance, and answers in which file; undefined where it is not kept. */
	readonly keep: (id: number, key: string | undefined) => Promise<string | undefined>;
	/** Nothing was rented. */
	readonly drop: () => Promise<void>;
};

type Given = Pick<
	Context,
	'textOf' | 'settings' | 'folders' | 'service' | 'environment' | 'output'
>;

/**
 * Makes the file that is asked for before anything is rented.
 *
 * @throws UsageError where there cannot be such a file
 */
export async function openKeyPlace(context: Given): Promise<KeyPlace> {
	const {settings, folders, service, output} = context;
	const wanted = context.textOf('keep-key');
	if (wanted !== undefined) return openNamed(wanted, context);
	const keepKey = keepKeysIn(join(folders.state, 'instance-keys'), service().name);
	return {
		async keep(id, key) {
			if (key === undefined || !settings.keepInstanceKeys) return undefined;
			return keepKey(id, key).catch((error: unknown) => {
				output.say(`rentty: Its own key could not be kept: ${messageOf(error)}.`);
				return undefined;
			});
		},
		drop: async () => undefined,
	};
}

async function openNamed(wanted: string, {environment, output}: Given): Promise<KeyPlace> {
	const place = await reserveFile(wanted, environment['HOME'] ?? homeFolder()).catch(
		(error: unknown) => {
			throw new UsageError(`--keep-key: ${messageOf(error)} Nothing was sent.`, {cause: error});
		},
	);
	return {
		async keep(_, key) {
			if (key === undefined) {
				await place.remove();
				output.say(`rentty: No key of its own was told with it, so there is no ${place.file}.`);
				return undefined;
			}
			return place.write(key).then(
				() => place.file,
				(error: unknown) => {
					output.say(`rentty: Its own key could not be kept: ${messageOf(error)}.`);
					return undefined;
				},
			);
		},
		drop: place.remove,
	};
}
