import {contract} from '../../contract/index.ts';
import type {JobChange, JobOrder} from '../../contract/nouns/scheduled-jobs.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

const calls = contract.scheduledJobs;

/** Calls about instances that the service makes at set times. */
export function scheduledJobCalls(call: CallEndpoint) {
	return {
		list: async (options?: CallOptions) => call(calls.list, {}, options),
		/** Schedules a call, and answers the number of the job. */
		create: async (order: JobOrder, options?: CallOptions) =>
			(await call(calls.create, {body: order}, options)).id,
		async change(id: number, change: JobChange, options?: CallOptions): Promise<void> {
			await call(calls.change, {params: {id}, body: change}, options);
		},
		async delete(id: number, options?: CallOptions): Promise<void> {
			await call(calls.delete, {params: {id}}, options);
		},
	};
}
