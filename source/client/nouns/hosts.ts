import type {CopyDoor} from '../../contract/nouns/copies.ts';
import type {Report} from '../../contract/nouns/host-work.ts';
import type {HostMachine, Publication} from '../../contract/nouns/hosts.ts';
import {contract} from '../../contract/index.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

const {publish, list, withdraw, heartbeat, disconnect, takeWork, report, answer} = contract.hosts;
const {reportCopy, reportCopyDoor} = contract.hosts;

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
		/** Publishes a machine, or changes what was published under its name. */
		publish: async (machine: Publication, options?: CallOptions): Promise<HostMachine> =>
			call(publish, {body: machine}, options),
		/** The machines that were published with this account. */
		list: async (options?: CallOptions): Promise<HostMachine[]> =>
			(await call(list, {}, options)).machines,
		/** Offers a machine no longer. */
		async withdraw(id: number, options?: CallOptions): Promise<void> {
			await call(withdraw, {params: {id}}, options);
		},
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
		/** Reports how far a copy is. */
		async reportCopy(
			copyId: number,
			told: {
				readonly message: string;
				readonly ended: boolean;
				readonly failed?: boolean | undefined;
				readonly fault?: 'machine' | undefined;
				readonly public_key?: string | undefined;
			},
			options?: CallOptions,
		): Promise<void> {
			await call(reportCopy, {params: {id: copyId}, body: told}, options);
		},
		/** Reports the door to the source of a copy, or why there is none. */
		async reportCopyDoor(
			copyId: number,
			told: {
				readonly public_key: string;
				readonly door?: CopyDoor | undefined;
				readonly problem?: string | undefined;
			},
			options?: CallOptions,
		): Promise<void> {
			await call(reportCopyDoor, {params: {id: copyId}, body: told}, options);
		},
		/** Answers a task. */
		async answer(taskId: number, text: string, options?: CallOptions): Promise<void> {
			await call(answer, {params: {id: taskId}, body: {text}}, options);
		},
	};
}
