/**
 * Actions of renters on their instances. Call them in a transaction, and signal the hosts
 * afterwards.
 */
import {isReachable, type ContactTimeouts} from './contact-rules.ts';
import {isCovered} from '../ledger/cover.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {findMachine} from './machines-store.ts';
import {changeInstance} from './change.ts';
import {gpuClaimOf, settleMachine, takeGpus} from './claims.ts';

export type StartOutcome = 'runs' | 'queued' | 'unpaid' | 'ended';

type Moment = {readonly patience: ContactTimeouts; readonly now: number};

/** Starts an instance, or lets it wait for its GPUs, unless it runs. */
export async function startInstance(
	database: Database,
	row: InstanceRow,
	{patience, now}: Moment,
): Promise<StartOutcome> {
	if (row.current === 'running') return 'runs';
	const obstacle = await obstacleOf(database, row, now);
	if (obstacle !== undefined) return obstacle;
	const machine = await findMachine(database, row.machine_id);
	const hasGpus =
		machine !== undefined &&
		isReachable(machine, patience, now) &&
		(await takeGpus(database, gpuClaimOf(row), now));
	await changeInstance(database, row, {kind: 'start', hasGpus}, now);
	if (hasGpus) await settleMachine(database, row.machine_id, now);
	return hasGpus ? 'runs' : 'queued';
}

/** Reason against starting an instance, regardless of free GPUs. */
async function obstacleOf(
	database: Database,
	{account_id: accountId, host_account_id: provider, ...row}: InstanceRow,
	now: number,
): Promise<'unpaid' | 'ended' | undefined> {
	if (row.end_date <= now) return 'ended';
	if (accountId === provider || row.deposit_micros > 0) return undefined;
	const addedMicros = row.intended === 'running' ? 0 : row.gpu_micros;
	return (await isCovered(database, {accountId, addedMicros, now})) ? undefined : 'unpaid';
}

/** Stops instances, also waiting ones. */
export async function stopInstances(
	database: Database,
	rows: readonly InstanceRow[],
	now: number,
): Promise<void> {
	for (const row of rows) await changeInstance(database, row, {kind: 'stop'}, now);
	await settleMachinesOf(database, rows, now);
}

/**
 * Settles the machines of some instances, after all instances have changed: an instance about to be
 * stopped must not get the GPUs of one stopped before it.
 */
export async function settleMachinesOf(
	database: Database,
	rows: readonly InstanceRow[],
	now: number,
): Promise<void> {
	const machineIds = new Set(rows.map(({machine_id}) => machine_id));
	for (const id of machineIds) await settleMachine(database, id, now);
}
