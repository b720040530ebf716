import {contract} from '../../contract/index.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

const {acceptPriceIncrease, rejectPriceIncrease} = contract.instances;

/** Price increases that wait for an answer: nothing costs more without one. */
export function priceIncreaseCalls(call: CallEndpoint) {
	return {
		/** Pays more from the present end of a rental on, and keeps it for longer. */
		async acceptPriceIncrease(id: number, options?: CallOptions): Promise<void> {
			await call(acceptPriceIncrease, {body: {pending_price_increase_id: id}}, options);
		},
		/** Lets a rental end at its present end. */
		async rejectPriceIncrease(id: number, options?: CallOptions): Promise<void> {
			await call(rejectPriceIncrease, {body: {pending_price_increase_id: id}}, options);
		},
	};
}
