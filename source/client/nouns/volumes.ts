import {randomUUID} from 'node:crypto';
import {contract} from '../../contract/index.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';
import {anyVolumeOffers, type VolumeSearch} from '../../contract/nouns/volume-search.ts';
import type {Volume, VolumeOffer} from '../../contract/nouns/volumes.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';
import {MarketError} from '../exchange/errors.ts';

const {copies} = contract;
const {search, list, create, copy, delete: remove} = contract.volumes;

type NewVolume = {
	/** An offer that a search of volumes found. */
	readonly offerId: number;
	/**
	 * In GB.
	 *
	 * @default 15
	 */
	readonly sizeGb?: number | undefined;
	/** Letters, digits and `_`, 64 at most. */
	readonly name?: string | undefined;
	/** Highest price, in dollars per GB and month: the one shown. */
	readonly mostPerGb?: number | undefined;
};

type NewClone = {
	readonly sourceId: number;
	/** An offer that a search of volumes found. */
	readonly offerId: number;
	/**
	 * In GB, not less than the source has.
	 *
	 * @default as large as the source
	 */
	readonly sizeGb?: number | undefined;
	/** Highest price, in dollars per GB and month: the one shown. */
	readonly mostPerGb?: number | undefined;
};

export type FoundVolumeOffers = {
	readonly offers: readonly VolumeOffer[];
	readonly unreadable: Unreadable;
};

type Volumes = {readonly volumes: readonly Volume[]; readonly unreadable: Unreadable};

export function volumeCalls(call: CallEndpoint) {
	return {
		/** Machines with volume space, in the order of the search. */
		async search(
			wanted: Partial<VolumeSearch> = {},
			options?: CallOptions,
		): Promise<FoundVolumeOffers> {
			const body = {...anyVolumeOffers, ...wanted};
			const {offers, unreadable} = await call(search, {body}, options);
			return {offers, unreadable};
		},
		async list(options?: CallOptions): Promise<Volumes> {
			const {volumes, unreadable} = await call(list, {query: {type: 'all_volume'}}, options);
			return {volumes, unreadable};
		},
		/** Creates a volume, and returns its name, such as `V.12`. */
		async create(volume: NewVolume, options?: CallOptions): Promise<string> {
			const {offerId, sizeGb, name, mostPerGb} = volume;
			const body = {id: offerId, size: sizeGb, name, most_storage_cost: mostPerGb};
			return (await call(create, {body}, options)).volume_name;
		},
		/**
		 * Clones a volume that no instance uses, once: after a lost reply the clone is searched for
		 * among the volumes, and nothing is sent twice. Returns the number of the clone, which may
		 * still be incomplete.
		 */
		async copy(clone: NewClone, options?: CallOptions): Promise<number> {
			const {sourceId, offerId, sizeGb, mostPerGb} = clone;
			const wish = randomUUID();
			const target = {src_id: sourceId, dst_id: offerId, size: sizeGb};
			const body = {...target, most_storage_cost: mostPerGb, wish};
			try {
				return (await call(copy, {body}, options)).volume_id;
			} catch (error) {
				if (!(error instanceof MarketError && error.mayHaveActed)) throw error;
				const query = {type: 'all_volume'} as const;
				const made = await call(list, {query}, options).catch(() => undefined);
				const found = made?.volumes.find(volume => volume.wish === wish);
				if (found === undefined) throw error;
				return found.id;
			}
		},
		/** Deletes a volume that no instance uses, with its content. */
		async delete(id: number, options?: CallOptions): Promise<void> {
			await call(remove, {query: {id}, body: {}}, options);
		},
	};
}

type CopyEnd = {readonly kind: 'instance' | 'volume'; readonly id: number};

export type CopyPath = CopyEnd & {readonly path: string};

function wordOf({kind, id}: CopyEnd): string {
	return kind === 'volume' ? `V.${id}` : `C.${id}`;
}

export function copyCalls(call: CallEndpoint) {
	return {
		/** Starts a copy: the host of the target copies files of the source. */
		async start(source: CopyPath, target: CopyPath, options?: CallOptions): Promise<void> {
			const body = {
				src_id: wordOf(source),
				src_path: source.path,
				dst_id: wordOf(target),
				dst_path: target.path,
			};
			await call(copies.start, {body}, options);
		},
		/** Ends the copies into an instance or a volume. */
		async cancel(target: CopyEnd, options?: CallOptions): Promise<void> {
			await call(copies.cancel, {body: {dst_id: wordOf(target)}}, options);
		},
	};
}
