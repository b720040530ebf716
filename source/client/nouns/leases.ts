import {contract} from '../../contract/index.ts';
import type {LeaseOrder, LeaseRecord} from '../../contract/leases.ts';
import type {CallEndpoint, CallOptions} from '../call.ts';

const {setLease, removeLease} = contract.instances;

/** Leases that the service enforces: `extensions.leases` says whether it does. */
export function leaseCalls(call: CallEndpoint) {
	return {
		/** Has the service end an instance; the lease as it is kept there. */
		async setLease(id: number, lease: LeaseOrder, options?: CallOptions): Promise<LeaseRecord> {
			const reply = await call(setLease, {params: {id}, body: lease}, options);
			return reply.lease;
		},
		/** Lets an instance go on without an end. */
		async removeLease(id: number, options?: CallOptions): Promise<void> {
			await call(removeLease, {params: {id}}, options);
		},
	};
}
