import {contract} from '../../contract/index.ts';
import type {JobOrder} from '../../contract/nouns/scheduled-jobs.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

const calls = contract.scheduledJobs;

/** Calls about instances that the service makes at set times. */
export function scheduledJobCalls(call: CallEndpoint) {
	return {
		/** Schedules a call, and answers the number of the job. */
		create: async (order: JobOrder, options?: CallOptions) =>
			(await call(calls.create, {body: order}, options)).id,
	};
}
