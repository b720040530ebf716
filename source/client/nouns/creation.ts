import {contract} from '../../contract/index.ts';
import {anyOffers, type OfferSearch} from '../../contract/offer-search.ts';
import type {Created} from '../../contract/creation.ts';
import type {InstanceOrder} from '../../contract/creation-request.ts';
import type {CallEndpoint, CallOptions} from '../call.ts';

const {create, createMany, launch} = contract.instances;

export function creationCalls(call: CallEndpoint) {
	return {
		/** Rents an offer. It is sent once: an answer that is lost says nothing about whether it was. */
		create: async (askId: number, order: InstanceOrder, options?: CallOptions): Promise<Created> =>
			call(create, {params: {id: askId}, body: order}, options),
		/** Rents several offers, each by itself: what became of each is in `results`. */
		createMany: async (askIds: readonly number[], order: InstanceOrder, options?: CallOptions) =>
			call(createMany, {body: {askIds, order}}, options),
		/** Rents the first offer of a search that can be had. */
		launch: async (
			wanted: Partial<OfferSearch>,
			order: InstanceOrder,
			options?: CallOptions,
		): Promise<Created> =>
			call(launch, {body: {search: {...anyOffers, ...wanted}, order}}, options),
	};
}
