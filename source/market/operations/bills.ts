/** Bills of instances and volumes that keep their state until a moment. */
import type {BillLimits} from '../rules/contact.ts';
import {metersOf, type InstanceState} from '../rules/lifecycle.ts';
import {amountMicros, usageOf, type Meters, type Rates, type Usage} from '../rules/metering.ts';
import type {Bill, ChargedSource} from '../store/charge-prices.ts';
import {chargeBills} from '../store/charges.ts';
import type {Database} from '../store/database.ts';
import type {InstanceRow, MachineRow, VolumeRow} from '../store/instance-tables.ts';

type BilledInstance = Pick<
	InstanceRow,
	| 'id'
	| 'account_id'
	| 'billed_until'
	| 'gpu_micros'
	| 'storage_micros'
	| 'disk_gb'
	| 'actual'
	| 'current'
	| 'contact'
>;

export function sourceOf({id, account_id}: Pick<InstanceRow, 'id' | 'account_id'>): ChargedSource {
	return {accountId: account_id, source: 'instance', sourceId: id};
}

/**
 * Bill of an instance in its present state until a moment.
 *
 * @param limits Undefined where its machine is not known.
 */
export function instanceBill(
	row: BilledInstance,
	limits: BillLimits | undefined,
	until: number,
): Bill {
	const meters = metersOf(partOfState(row));
	return billOf(sourceOf(row), limitedUsage({...row, meters, rates: ratesOf(row)}, limits, until));
}

type Metered = {
	readonly billed_until: number;
	readonly meters: Meters;
	readonly rates: Rates;
};

/** Billable usage until a moment. */
function limitedUsage(
	{billed_until: since, meters: {compute, disk}, rates}: Metered,
	limits: BillLimits | undefined,
	until: number,
): readonly Usage[] {
	const computeUntil = Math.min(until, limits?.compute_until ?? until);
	const diskUntil = Math.min(until, limits?.disk_until ?? until);
	return [
		...usageOf(since, computeUntil, {compute, disk: false}, rates),
		...usageOf(since, diskUntil, {compute: false, disk}, rates),
	];
}

function ratesOf({gpu_micros, storage_micros, disk_gb}: BilledInstance): Rates {
	return {gpuMicros: gpu_micros, storageMicros: storage_micros, diskGb: disk_gb};
}

function partOfState({actual, current, contact}: BilledInstance) {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing but the lifecycle writes it
	return {actual, current: current as InstanceState['current'], contact};
}

type BilledVolume = Pick<
	VolumeRow,
	'id' | 'account_id' | 'billed_until' | 'storage_micros' | 'size_gb'
>;

/** Bill of a volume until a moment, for as long as its machine was in this state. */
export function volumeBill(volume: BilledVolume, machine: VolumesMachine, until: number): Bill {
	const rates = {gpuMicros: 0, storageMicros: volume.storage_micros, diskGb: volume.size_gb};
	const meters = {compute: false, disk: machine.contact !== 'lost'};
	const source = {accountId: volume.account_id, source: 'volume', sourceId: volume.id} as const;
	return billOf(source, limitedUsage({...volume, meters, rates}, machine, until));
}

/** Facts of a machine that its volumes' bills depend on. */
export type VolumesMachine = BillLimits & Pick<MachineRow, 'contact'>;

/** Charges for what was used. Call it in a transaction. */
export async function charge(
	database: Database,
	source: ChargedSource,
	usages: readonly Usage[],
): Promise<void> {
	await chargeBills(database, [billOf(source, usages)]);
}

function billOf(source: ChargedSource, usages: readonly Usage[]): Bill {
	return {
		...source,
		usages: usages.map(usage => ({
			...usage,
			priceOf: quantity => amountMicros(usage.item, quantity, usage.rateMicros),
		})),
	};
}
