import {contract} from '../../contract/index.ts';
import type {MachineTerms} from '../../contract/machine-terms.ts';
import type {CallEndpoint, CallOptions} from '../call.ts';

const {list, show, offer, unlist, setFloor} = contract.machines;

/** Calls about a provider's own machines. */
export function machineCalls(call: CallEndpoint) {
	return {
		/** Machines of the account, and how many of the answer could not be read. */
		list: async (options?: CallOptions) => call(list, {}, options),
		/** A machine of the account. */
		show: async (id: number, options?: CallOptions) =>
			(await call(show, {params: {id}}, options)).machines[0],
		/** Lists a machine, or changes its terms; answers how many rentals go on for longer. */
		offer: async (terms: MachineTerms, options?: CallOptions): Promise<number> =>
			(await call(offer, {body: terms}, options)).extended,
		/** Offers a machine no longer. */
		async unlist(id: number, options?: CallOptions): Promise<void> {
			await call(unlist, {params: {id}}, options);
		},
		/** Sets the least bid per GPU and hour. */
		async setFloor(id: number, price: number, options?: CallOptions): Promise<void> {
			await call(setFloor, {params: {id}, body: {price}}, options);
		},
	};
}
