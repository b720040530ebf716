import type {Report} from '../../contract/nouns/host-work.ts';
import type {HostMachine} from '../../contract/nouns/hosts.ts';
import {contract} from '../../contract/index.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

const {list, heartbeat, disconnect, takeWork, report, answer} = contract.hosts;

export type WorkQuery = {
	/** The revision of the last answer; 0 for all that there is. */
	readonly after: number;
	/**
	 * Seconds to wait for new work.
	 * @default 0
	 */
	readonly waitSeconds?: number;
	/**
	 * The machines whose work is taken.
	 *
	 * @default all of the account
	 */
	readonly machines?: readonly number[];
	/**
	 * Machines whose work others take.
	 *
	 * @default none
	 */
	readonly except?: readonly number[];
};

/** Calls that a host makes to the market. */
export function hostCalls(call: CallEndpoint) {
	return {
		/** The machines that were published with this account. */
		list: async (options?: CallOptions): Promise<HostMachine[]> =>
			(await call(list, {}, options)).machines,
		/** Shows that machines live. */
		heartbeat: async (machines: readonly number[], options?: CallOptions) =>
			call(heartbeat, {body: {machines: [...machines]}}, options),
		/** Says that machines go away. */
		async disconnect(machines: readonly number[], options?: CallOptions): Promise<void> {
			await call(disconnect, {body: {machines: [...machines]}}, options);
		},
		/** The work that changed since a revision. */
		async takeWork(query: WorkQuery, options?: CallOptions) {
			const {after, waitSeconds = 0, machines, except} = query;
			const asked = {
				after,
				wait: waitSeconds,
				...(machines !== undefined && {machines: [...machines]}),
				...(except !== undefined && {except: [...except]}),
			};
			return call(takeWork, {query: asked}, {waitMs: waitSeconds * 1000, ...options});
		},
		/** Reports what became of work, and answers the instances that are gone. */
		report: async (reports: readonly Report[], options?: CallOptions): Promise<number[]> =>
			(await call(report, {body: {reports: [...reports]}}, options)).gone,
		/** Answers a task. */
		async answer(taskId: number, text: string, options?: CallOptions): Promise<void> {
			await call(answer, {params: {id: taskId}, body: {text}}, options);
		},
	};
}
