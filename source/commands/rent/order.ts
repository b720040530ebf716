/** The options of `rentty rent` as an order, and the file for the instance's own key. */
import {join} from 'node:path';
import type {Client} from '../../client/client.ts';
import type {Settings} from '../../renter/settings/default-settings.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {readOrder, type InstanceOrder} from '../../contract/nouns/creation-request.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {mergeCreation, type Creation} from '../../contract/nouns/merge.ts';
import {completeTemplate, readTemplate} from '../../contract/nouns/template-content.ts';
import type {Template} from '../../contract/nouns/templates.ts';
import type {Machine} from '../../contract/nouns/machines.ts';
import {agreedDiskGb} from '../../renter/orders/agreed-order.ts';
import {orderRows} from '../../renter/orders/order-table.ts';
import type {ParsedOptions, Option, Context} from '../base/command.ts';
import {CommandError, exitCodes} from '../base/failure.ts';
import {refuseMissing} from '../base/output.ts';
import {recentOwnMachines, type RecentAsking} from '../base/recent-facts.ts';
import {messageOf} from '../../contract/rules/thrown.ts';
import {homeFolder} from '../../renter/files/folders.ts';
import {keepKeysIn} from '../../renter/nouns/instance-keys.ts';
import {reserveFile} from '../../renter/files/own-files.ts';

const orderFields = orderRows.flatMap(([key, {option}]) =>
	option === undefined ? [] : [{key, ...option}],
);

export const orderOptions: Readonly<Record<string, Option>> = {
	...Object.fromEntries(orderFields.map(field => [field.name, field])),
	also: {value: 'JSON', about: 'other fields of the API: \'{"python_utf8":true}\''},
};

export type RentOrder = {
	readonly order: InstanceOrder;
	/** Creation, merged from the order and the template as the market does it. */
	readonly creation: Creation;
	readonly template: Template | undefined;
	/** Machines of the account, which it may rent for free. */
	readonly own: readonly Machine[];
};

/** @throws UsageError, OrderError */
export async function readRentOrder(
	options: ParsedOptions & RecentAsking,
	{client, settings}: {readonly client: Client; readonly settings: Settings},
): Promise<RentOrder> {
	const {signal} = options;
	const named = options.textOf('template');
	const hash = options.isGiven('image') ? undefined : (settings.templateHash ?? undefined);
	const wanted = named ?? hash;
	const template = wanted === undefined ? undefined : await findTemplate(client, wanted, signal);
	if (template === undefined && !options.isGiven('image')) {
		throw new UsageError('rentty rent needs --image or --template.');
	}
	const body = {
		// Without a template, the disk is the one that prices are shown for.
		...(template === undefined && {disk: settings.diskGb}),
		...Object.fromEntries(orderFields.flatMap(field => readField(options, field))),
		...readAlso(options.textOf('also')),
		...(template !== undefined && {template_hash_id: template.hash_id}),
	};
	const order = readOrder(body);
	const own = await recentOwnMachines(options, client);
	const content = template && completeTemplate(readTemplate(template));
	const creation = mergeCreation(order, content);
	const disk = {...creation.disk, value: agreedDiskGb(creation)};
	return {order, template, own, creation: {...creation, disk}};
}

function readField(
	options: ParsedOptions,
	{key, name, value, read}: (typeof orderFields)[number],
): ReadonlyArray<readonly [string, unknown]> {
	// A template is found by its name first.
	if (name === 'template' || !options.isGiven(name)) return [];
	const text = options.textOf(name) ?? '';
	if (name === 'bid' && !/^\d{1,6}(\.\d{1,9})?$/.test(text)) {
		throw new UsageError(`--bid takes dollars an hour, and not ${text}.`);
	}
	if (read !== undefined) return [[key, read(text)]];
	return [[key, value === undefined ? true : text]];
}

function readAlso(text: string | undefined): Readonly<Record<string, unknown>> {
	if (text === undefined) return {};
	try {
		const json: unknown = JSON.parse(text);
		if (isRecord(json)) return json;
	} catch {
		// Refused below, with JSON that is no object.
	}
	throw new UsageError('--also takes a JSON object.');
}

/** A template by its hash, or by its name if no other has it. */
async function findTemplate(
	client: Client,
	wanted: string,
	signal: AbortSignal,
): Promise<Template> {
	const {templates, unreadable} = await client.templates.search({}, {signal});
	const byHash = templates.find(({hash_id: hash}) => hash === wanted);
	if (byHash !== undefined && wanted !== '') return byHash;
	const [template, ...others] = templates.filter(({name}) => name === wanted);
	if (template === undefined) {
		const where = {unreadable, noun: 'templates', command: 'templates'};
		return refuseMissing(`There is no template ${wanted}`, where);
	}
	if (others.length === 0 && template.hash_id === '') {
		const why = `The service names no hash of the template ${wanted}: nothing can be rented with it.`;
		throw new CommandError(exitCodes.failed, why);
	}
	if (others.length === 0) return template;
	const hashes = [template, ...others].map(({hash_id: hash}) => hash || 'no hash').join(', ');
	throw new UsageError(`Several templates are called ${wanted}: say which of ${hashes}.`);
}

/** No option prints the key, since printed text ends up in logs. */
export const keyOption = {
	'keep-key': {value: 'FILE', about: "keep the instance's own key in a new file, for you alone"},
} as const satisfies Readonly<Record<string, Option>>;

type KeyFile = {
	/** Writes the key of an instance, and returns its file; undefined if it is not kept. */
	readonly keep: (id: number, key: string | undefined) => Promise<string | undefined>;
	/** Removes the file again where no instance was rented. */
	readonly drop: () => Promise<void>;
};

type Keeping = Pick<
	Context,
	'textOf' | 'settings' | 'folders' | 'service' | 'environment' | 'output'
>;

/**
 * Makes the wanted file before anything is rented.
 *
 * @throws UsageError if there cannot be such a file
 */
export async function openKeyFile(context: Keeping): Promise<KeyFile> {
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

async function openNamed(wanted: string, {environment, output}: Keeping): Promise<KeyFile> {
	const reserved = await reserveFile(wanted, environment['HOME'] ?? homeFolder()).catch(
		(error: unknown) => {
			throw new UsageError(`--keep-key: ${messageOf(error)} Nothing was sent.`, {cause: error});
		},
	);
	return {
		async keep(_, key) {
			if (key === undefined) {
				await reserved.remove();
				output.say(`rentty: No key of its own was told with it, so there is no ${reserved.file}.`);
				return undefined;
			}
			return reserved.write(key).then(
				() => reserved.file,
				(error: unknown) => {
					output.say(`rentty: Its own key could not be kept: ${messageOf(error)}.`);
					return undefined;
				},
			);
		},
		drop: reserved.remove,
	};
}
