import {contract} from '../../contract/index.ts';
import type {MachineTerms} from '../../contract/nouns/machines.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';
import type {Report} from '../../contract/nouns/host-work.ts';
import type {HostMachine} from '../../contract/nouns/hosts.ts';

export function machineCalls(call: CallEndpoint) {
	return {
		show: async (id: number, options?: CallOptions) =>
			(await call(contract.machines.show, {params: {id}}, options)).machines[0],
		/** Lists a machine, or changes its terms; returns the number of extended rentals. */
		offer: async (terms: MachineTerms, options?: CallOptions): Promise<number> =>
			(await call(contract.machines.offer, {body: terms}, options)).extended,
		async announceMaintenance(
			id: number,
			{start, hours, reason}: Maintenance,
			options?: CallOptions,
		): Promise<void> {
			const body = {sdate: start, duration: hours, maintenance_reason: reason};
			await call(contract.machines.announceMaintenance, {params: {id}, body}, options);
		},
		/** Cancels announced maintenance, and returns the market's sentence about it. */
		cancelMaintenance: async (id: number, options?: CallOptions): Promise<string | undefined> =>
			(await call(contract.machines.cancelMaintenance, {params: {id}}, options)).msg,
		/** Begins a test of a machine, unless one is in progress, and returns its number. */
		test: async (id: number, options?: CallOptions): Promise<number> =>
			(await call(contract.machines.test, {params: {id}}, options)).test_id,
		/** The last tests of a machine, the newest first. */
		tests: async (id: number, options?: CallOptions) =>
			(await call(contract.machines.tests, {params: {id}}, options)).tests,
		/** Earnings of the last days, including today. */
		earnings: async (days: number, options?: CallOptions) =>
			call(
				contract.machines.earnings,
				{params: {user_id: 'me'}, query: {last_days: days}},
				options,
			),
	};
}

type Maintenance = {
	/** Seconds since 1970. */
	readonly start: number;
	readonly hours: number;
	readonly reason: string | undefined;
};

export type WorkQuery = {
	/** The revision of the last reply; 0 for all work. */
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

export function hostCalls(call: CallEndpoint) {
	return {
		list: async (options?: CallOptions): Promise<HostMachine[]> =>
			(await call(contract.hosts.list, {}, options)).machines,
		heartbeat: async (machines: readonly number[], options?: CallOptions) =>
			call(contract.hosts.heartbeat, {body: {machines: [...machines]}}, options),
		async disconnect(machines: readonly number[], options?: CallOptions): Promise<void> {
			await call(contract.hosts.disconnect, {body: {machines: [...machines]}}, options);
		},
		/** Work that changed since a revision. */
		async takeWork(query: WorkQuery, options?: CallOptions) {
			const {after, waitSeconds = 0, machines, except} = query;
			const asked = {
				after,
				wait: waitSeconds,
				...(machines !== undefined && {machines: [...machines]}),
				...(except !== undefined && {except: [...except]}),
			};
			return call(
				contract.hosts.takeWork,
				{query: asked},
				{waitMs: waitSeconds * 1000, ...options},
			);
		},
		/** Reports the outcome of work, and returns the instances that are gone. */
		report: async (reports: readonly Report[], options?: CallOptions): Promise<number[]> =>
			(await call(contract.hosts.report, {body: {reports: [...reports]}}, options)).gone,
		async answer(taskId: number, text: string, options?: CallOptions): Promise<void> {
			await call(contract.hosts.answer, {params: {id: taskId}, body: {text}}, options);
		},
	};
}
