import {contract} from '../../contract/index.ts';
import {anyOffers, type OfferSearch} from '../../contract/offer-search.ts';
import type {Offer} from '../../contract/offers.ts';
import type {Unreadable} from '../../contract/unreadable.ts';
import type {CallEndpoint, CallOptions} from '../call.ts';

const {search, gpuNames} = contract.offers;

export type FoundOffers = {readonly offers: readonly Offer[]; readonly unreadable: Unreadable};

export type GpuNames = {readonly names: readonly string[]; readonly unreadable: Unreadable};

export function offerCalls(call: CallEndpoint) {
	return {
		/** The offers that fit a search, in its order. */
		async search(wanted: Partial<OfferSearch> = {}, options?: CallOptions): Promise<FoundOffers> {
			const body = {...anyOffers, ...wanted};
			const {offers, unreadable} = await call(search, {body}, options);
			return {offers, unreadable};
		},
		/** The names of the GPUs that are offered. */
		async gpuNames(options?: CallOptions): Promise<GpuNames> {
			const {gpu_names: names, unreadable} = await call(gpuNames, {}, options);
			return {names, unreadable};
		},
	};
}
