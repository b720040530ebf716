/** Simulated machines that fall silent or disconnect, and come back. */
import type {Report} from '../../contract/nouns/host-work.ts';
import {addReport} from '../agent/outbox.ts';
import type {Illness, SendReport} from '../base/runtime.ts';
import type {Cancel, Scheduler} from '../base/scheduler.ts';

export type Machines = {
	readonly unwell: () => ReadonlyMap<number, Illness>;
	/** Silences a machine for so many seconds, unless it is silent already. */
	readonly fallIll: (machineId: number, illness: Illness, seconds: number) => void;
	/** Sends a report of an instance, or keeps it while its machine is silent. */
	readonly report: (machineId: number, report: Report) => void;
	readonly close: () => void;
};

export function createMachines(tell: SendReport, scheduler: Scheduler): Machines {
	const unwell = new Map<number, Illness>();
	const kept = new Map<number, Map<number, readonly Report[]>>();
	const returns = new Set<Cancel>();

	function comeBack(machineId: number): void {
		unwell.delete(machineId);
		const reports = kept.get(machineId) ?? new Map<number, readonly Report[]>();
		kept.delete(machineId);
		for (const report of [...reports.values()].flat()) tell(report);
	}

	return {
		unwell: () => unwell,
		fallIll(machineId, illness, seconds) {
			if (unwell.has(machineId)) return;
			unwell.set(machineId, illness);
			kept.set(machineId, new Map());
			const cancel = scheduler.after(seconds, () => {
				returns.delete(cancel);
				comeBack(machineId);
			});
			returns.add(cancel);
		},
		report(machineId, report) {
			const reports = kept.get(machineId);
			if (reports === undefined) return tell(report);
			const {instance_id: id} = report;
			reports.set(id, addReport(reports.get(id) ?? [], report));
		},
		close() {
			for (const cancel of returns) cancel();
		},
	};
}
