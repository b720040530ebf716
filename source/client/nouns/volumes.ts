import {contract} from '../../contract/index.ts';
import {anyVolumeOffers} from '../../contract/volume-search.ts';
import type {VolumeSearch} from '../../contract/volume-search.ts';
import type {Volume, VolumeOffer} from '../../contract/volumes.ts';
import type {CallEndpoint, CallOptions} from '../call.ts';

const {search, list, create, delete: remove} = contract.volumes;

/** A volume that is to be made. */
export type NewVolume = {
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
};

export function volumeCalls(call: CallEndpoint) {
	return {
		/** The machines that have room for a volume, in the order of the search. */
		async search(
			wanted: Partial<VolumeSearch> = {},
			options?: CallOptions,
		): Promise<VolumeOffer[]> {
			const body = {...anyVolumeOffers, ...wanted};
			return (await call(search, {body}, options)).offers;
		},
		/** The volumes of the account. */
		list: async (options?: CallOptions): Promise<Volume[]> =>
			(await call(list, {query: {type: 'all_volume'}}, options)).volumes,
		/** Makes a volume; it answers its name, such as `V.12`. */
		async create({offerId, sizeGb, name}: NewVolume, options?: CallOptions): Promise<string> {
			const body = {id: offerId, size: sizeGb, name};
			return (await call(create, {body}, options)).volume_name;
		},
		/** Deletes a volume that no instance has, and what is on it. */
		async delete(id: number, options?: CallOptions): Promise<void> {
			await call(remove, {query: {id}, body: {}}, options);
		},
	};
}
