/** Machine records, for the hosts that published them. */
import type {HostMachine} from '../../contract/nouns/hosts.ts';
import {readGpuIds} from '../base/gpu-mask.ts';
import type {MachineRow} from '../database/instance-tables.ts';
import type {OfferRow} from '../database/schema.ts';

type AskRow = Pick<OfferRow, 'id' | 'machine_id' | 'gpu_ids'>;

type Machine = Pick<MachineRow, 'id' | 'name' | 'num_gpus'>;

export function machineRecord({id, name, num_gpus}: Machine, asks: readonly AskRow[]): HostMachine {
	return {
		id,
		name,
		num_gpus,
		asks: asks.map(ask => ({id: ask.id, gpu_ids: readGpuIds(ask.gpu_ids)})),
	};
}

export function machineRecords(
	machines: readonly Machine[],
	asks: readonly AskRow[],
): HostMachine[] {
	const byMachine = Map.groupBy(asks, ask => ask.machine_id);
	return machines.map(machine => machineRecord(machine, byMachine.get(machine.id) ?? []));
}
