import {contract} from '../../contract/index.ts';
import type {MachineTerms} from '../../contract/nouns/machine-terms.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

const calls = contract.machines;

/** Calls about a provider's own machines. */
export function machineCalls(call: CallEndpoint) {
	return {
		/** A machine of the account. */
		show: async (id: number, options?: CallOptions) =>
			(await call(calls.show, {params: {id}}, options)).machines[0],
		/** Lists a machine, or changes its terms; answers how many rentals go on for longer. */
		offer: async (terms: MachineTerms, options?: CallOptions): Promise<number> =>
			(await call(calls.offer, {body: terms}, options)).extended,
		/** Sets the least bid per GPU and hour. */
		async setFloor(id: number, price: number, options?: CallOptions): Promise<void> {
			await call(calls.setFloor, {params: {id}, body: {price}}, options);
		},
		/** Announces maintenance to whoever rents of a machine. */
		async announceMaintenance(
			id: number,
			{start, hours, reason}: Maintenance,
			options?: CallOptions,
		): Promise<void> {
			const body = {sdate: start, duration: hours, maintenance_reason: reason};
			await call(calls.announceMaintenance, {params: {id}, body}, options);
		},
		/** Cancels what was announced, and says how much that was. */
		cancelMaintenance: async (id: number, options?: CallOptions): Promise<string | undefined> =>
			(await call(calls.cancelMaintenance, {params: {id}}, options)).msg,
		/** Deletes rentals that ended more than two days ago; answers how many. */
		cleanUp: async (id: number, options?: CallOptions): Promise<number> =>
			(await call(calls.cleanUp, {params: {id}}, options)).num_deleted,
		/** Moves what was never started to GPUs that are free. */
		defragment: async (ids: readonly number[], options?: CallOptions) =>
			(await call(calls.defragment, {body: {machine_ids: [...ids]}}, options)).machines,
		/** Reports a machine that is rented, or was. */
		async report(
			id: number,
			problem: string,
			message: string,
			options?: CallOptions,
		): Promise<void> {
			await call(calls.report, {params: {id}, body: {problem, message}}, options);
		},
		/** Begins a test of a machine, unless one goes on, and answers its number. */
		test: async (id: number, options?: CallOptions): Promise<number> =>
			(await call(calls.test, {params: {id}}, options)).test_id,
		/** The last tests of a machine, the newest first. */
		tests: async (id: number, options?: CallOptions) =>
			(await call(calls.tests, {params: {id}}, options)).tests,
		/** Earnings of the last days, today among them. */
		earnings: async (days: number, options?: CallOptions) =>
			call(calls.earnings, {params: {user_id: 'me'}, query: {last_days: days}}, options),
	};
}

export type Maintenance = {
	/** Seconds since 1970. */
	readonly start: number;
	readonly hours: number;
	readonly reason: string | undefined;
};
