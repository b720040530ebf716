/**
 * Volumes in requests: the search for volume space, in the grammar of offers, and the volumes of an
 * instance.
 */
import {printFilter, type Filter, readBoolean, readNumber} from '../grammar/filter.ts';
import type {Order} from '../grammar/filter-match.ts';
import {machineAliases, machineFields} from './machine-fields.ts';
import {readSearchBody, takeAmounts, type Searchable} from '../grammar/search.ts';
import type {Env} from '../rules/env.ts';
import {countCharacters} from '../grammar/harmless-text.ts';

export const searchableVolumes = {
	fields: machineFields,
	aliases: machineAliases,
	orderFields: machineFields,
	order: [['score', 'desc']],
	page: {usual: 64},
} as const satisfies Searchable<typeof machineFields>;

export type VolumeField = keyof typeof machineFields;

export type VolumeSearch = {
	readonly filter: Filter<VolumeField>;
	readonly order: Order<VolumeField>;
	readonly limit: number;
	/**
	 * The requested size: prices are computed for it, and fuller machines left out. Without it,
	 * prices are for `DEFAULT_VOLUME_GB`.
	 */
	readonly sizeGb: number | undefined;
};

export const DEFAULT_VOLUME_GB = 15;

export const anyVolumeOffers: VolumeSearch = {
	filter: [],
	order: searchableVolumes.order,
	limit: searchableVolumes.page.usual,
	sizeGb: undefined,
};

/** Keys that clients send beside the filter, which a search ignores. */
const ignoredKeys: ReadonlySet<string> = new Set([
	'client_id',
	'owner',
	'chunked',
	'select_cols',
	'type',
]);

type Body = Readonly<Record<string, unknown>>;

/** Reads the body of a search: filter fields, and a few keys beside them. */
export function parseVolumeSearch(body: Body): VolumeSearch {
	const {amounts, fields} = takeAmounts(['allocated_storage'], body);
	return {
		...readSearchBody(searchableVolumes, fields, ignoredKeys),
		sizeGb: amounts.allocated_storage,
	};
}

/** Writes a search for the wire. Reading it again yields the same search. */
export function printVolumeSearch(search: VolumeSearch): Record<string, unknown> {
	const {filter, order, limit, sizeGb} = search;
	return {
		...printFilter(filter),
		order,
		limit,
		...(sizeGb !== undefined && {allocated_storage: sizeGb}),
	};
}

/** Mount of a volume: the path, and a volume of the renter or an offer for a new one. */
export type VolumeOrder = {readonly path: string} & (
	| {readonly volumeId: number}
	| {readonly offerId: number; readonly sizeGb: number; readonly name: string | undefined}
);

export class VolumeError extends Error {
	override readonly name = 'VolumeError';
}

export const volumeNamePattern = /^\w{1,64}$/;
export const volumeNameRule = 'a name has 1 to 64 letters, digits and _';

type Info = Readonly<Record<string, unknown>>;

/**
 * Reads `volume_info` and the flags of an environment such as `-v V.12:/data`.
 *
 * @throws VolumeError
 */
export function readVolumeOrders(info: Info | undefined, env: Env): readonly VolumeOrder[] {
	const orders = [...readInfo(info ?? {}), ...env.flatMap(([key]) => readFlag(key))];
	refuseTwice(
		orders.map(({path}) => path),
		path => `two volumes cannot both be at ${path}`,
	);
	refuseTwice(
		orders.flatMap(order => ('volumeId' in order ? [order.volumeId] : [])),
		id => `volume ${id} cannot be mounted twice`,
	);
	return orders;
}

/** Reads `volume_info`; no volume if all its fields are null. */
function readInfo(info: Info): readonly VolumeOrder[] {
	const {create_new: createNew, volume_id: id, size, mount_path: path, name} = info;
	if ([createNew, id, size, path, name].every(value => value === undefined || value === null)) {
		return [];
	}
	const isNew = readBoolean(createNew ?? false);
	if (isNew === undefined) throw new VolumeError('volume_info.create_new must be true or false');
	const volumeId = readNumber(id);
	if (volumeId === undefined || !Number.isSafeInteger(volumeId) || volumeId < 0) {
		throw new VolumeError('volume_info.volume_id must be a whole number');
	}
	if (typeof path !== 'string') throw new VolumeError('volume_info.mount_path must be text');
	const place = {path: readPath(path)};
	if (!isNew) return [{...place, volumeId}];
	return [{...place, offerId: volumeId, sizeGb: readSize(size), name: readName(name)}];
}

/** Reads a flag `-v V.<id>:<path>`. Other `-v` flags name folders of the machine. */
function readFlag(key: string): readonly VolumeOrder[] {
	if (!key.startsWith('-v V.')) return [];
	const [, id, path] = /^-v V\.(\d{1,15}):(.*)$/s.exec(key) ?? [];
	if (id === undefined || path === undefined) {
		throw new VolumeError(`${key} must be written as -v V.<id>:<path>`);
	}
	return [{path: readPath(path), volumeId: Number(id)}];
}

const LONGEST_PATH = 1024;

function readPath(path: string): string {
	const parts = path.split('/').filter(part => part !== '' && part !== '.');
	if (!path.startsWith('/') || parts.length === 0) {
		throw new VolumeError('mount_path must be absolute, and more than /');
	}
	if (parts.includes('..')) throw new VolumeError('mount_path must not have .. in it');
	// Mounts written as one word end their path at a colon.
	if (!path.isWellFormed() || /[\p{Cc}:]/u.test(path)) {
		throw new VolumeError('mount_path must not have colons or control characters in it');
	}
	if (countCharacters(path) > LONGEST_PATH) {
		throw new VolumeError(`mount_path has at most ${LONGEST_PATH} characters`);
	}
	if (isSystemPath(path)) {
		throw new VolumeError(
			`mount_path must not be in /${parts[0]}, which belongs to the system: take a path such as /data`,
		);
	}
	return `/${parts.join('/')}`;
}

/** Folders that the kernel, the engine and the image need: a mount there breaks or hides them. */
const SYSTEM = /^(?:bin|boot|dev|etc|lib\w*|proc|run|sbin|sys|usr)$/;

/** True if a path is a system folder, or lies in one. */
export function isSystemPath(path: string): boolean {
	const first = path.split('/').find(part => part !== '' && part !== '.');
	return first === undefined || SYSTEM.test(first) || path.split('/').includes('..');
}

function readSize(size: unknown): number {
	const sizeGb = size === undefined || size === null ? DEFAULT_VOLUME_GB : readNumber(size);
	if (sizeGb !== undefined && Number.isSafeInteger(sizeGb) && sizeGb >= 1) return sizeGb;
	throw new VolumeError('volume_info.size must be a whole number of at least 1 (GB)');
}

function readName(name: unknown): string | undefined {
	if (name === undefined || name === null) return undefined;
	if (typeof name === 'string' && volumeNamePattern.test(name)) return name;
	throw new VolumeError(`volume_info.name: ${volumeNameRule}`);
}

function refuseTwice<Value>(values: readonly Value[], why: (value: Value) => string): void {
	const seen = new Set<Value>();
	for (const value of values) {
		if (seen.has(value)) throw new VolumeError(why(value));
		seen.add(value);
	}
}
