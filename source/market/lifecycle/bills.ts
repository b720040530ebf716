/** Bills of instances and volumes that keep their state until a moment. */
import type {BillLimits} from './contact-rules.ts';
import {metersOf, type InstanceState} from './rules.ts';
import {
	amountMicros,
	toMs,
	meterUsage,
	type Meters,
	type ChargeRates,
	type MeteredUsage,
} from '../ledger/metering-rules.ts';
import {discounted} from '../../contract/nouns/offer-cost.ts';
import type {Bill, ChargedSource, ChargedUsage} from '../ledger/charge-prices-store.ts';
import {chargeBills} from '../ledger/charges-store.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow, MachineRow, VolumeRow} from '../database/instance-tables.ts';

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
	| 'deposit_micros'
	| 'deposit_rate'
	| 'default_job'
>;

export function chargedSourceOf({
	id,
	account_id,
}: Pick<InstanceRow, 'id' | 'account_id'>): ChargedSource {
	return {accountId: account_id, source: 'instance', sourceId: id};
}

/**
 * Bill of an instance in its present state until a moment.
 *
 * @param limits Undefined for an unknown machine.
 */
export function instanceBill(
	row: BilledInstance,
	limits: BillLimits | undefined,
	until: number,
): Bill {
	const {gpu_micros: gpuMicros, storage_micros: storageMicros, disk_gb: diskGb} = row;
	const rates = {gpuMicros, storageMicros, diskGb};
	const metered = {...row, meters: metersOf(partOfState(row)), rates};
	if (row.default_job === 1) return billOf(chargedSourceOf(row), []);
	if (row.deposit_micros > 0) return prepaidBill(row, metered, limits, until);
	return billOf(chargedSourceOf(row), limitedUsage(metered, limits, until));
}

/** Bill of an instance with a deposit, at its discount while the deposit lasts. */
function prepaidBill(
	row: BilledInstance,
	metered: Metered,
	limits: BillLimits | undefined,
	until: number,
): Bill {
	const {gpuMicros, storageMicros, ...rates} = metered.rates;
	const cheaper = {
		...metered,
		rates: {
			...rates,
			gpuMicros: discounted(gpuMicros, row.deposit_rate),
			storageMicros: discounted(storageMicros, row.deposit_rate),
		},
	};
	const fullRates = {gpu: gpuMicros, disk: storageMicros};
	const cheaperUntil = (moment: number) =>
		limitedUsage(cheaper, limits, moment).map((usage): ChargedUsage => {
			const {item} = usage;
			const full = item === 'gpu' || item === 'disk' ? fullRates[item] : usage.rateMicros;
			return {...priced(usage), fullPriceOf: quantity => amountMicros(item, quantity, full)};
		});
	return {
		...chargedSourceOf(row),
		usages: cheaperUntil(until),
		deposit: {
			micros: row.deposit_micros,
			fromMs: toMs(row.billed_until),
			untilMs: toMs(until),
			usagesAt: ms => ({
				before: cheaperUntil(ms / 1000),
				after: limitedUsage({...metered, billed_until: ms / 1000}, limits, until).map(priced),
			}),
		},
	};
}

type Metered = {
	readonly billed_until: number;
	readonly meters: Meters;
	readonly rates: ChargeRates;
};

function limitedUsage(
	{billed_until: since, meters: {compute, disk}, rates}: Metered,
	limits: BillLimits | undefined,
	until: number,
): readonly MeteredUsage[] {
	const computeUntil = Math.min(until, limits?.compute_until ?? until);
	const diskUntil = Math.min(until, limits?.disk_until ?? until);
	return [
		...meterUsage(since, computeUntil, {compute, disk: false}, rates),
		...meterUsage(since, diskUntil, {compute: false, disk}, rates),
	];
}

function partOfState({actual, current, contact}: BilledInstance) {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing but the lifecycle writes it
	return {actual, current: current as InstanceState['current'], contact};
}

type BilledVolume = Pick<
	VolumeRow,
	'id' | 'account_id' | 'billed_until' | 'storage_micros' | 'size_gb'
>;

/** Bill of a volume until a moment, with its machine in this state. */
export function volumeBill(volume: BilledVolume, machine: VolumesMachine, until: number): Bill {
	const rates = {gpuMicros: 0, storageMicros: volume.storage_micros, diskGb: volume.size_gb};
	const meters = {compute: false, disk: machine.contact !== 'lost'};
	const source = {accountId: volume.account_id, source: 'volume', sourceId: volume.id} as const;
	return billOf(source, limitedUsage({...volume, meters, rates}, machine, until));
}

export type VolumesMachine = BillLimits & Pick<MachineRow, 'contact'>;

/** Charges usage, from a deposit first. Call it in a transaction. */
export async function charge(
	database: Database,
	source: ChargedSource,
	usages: readonly MeteredUsage[],
	depositMicros = 0,
): Promise<void> {
	const bill = billOf(source, usages);
	const usagesAt = () => ({before: bill.usages, after: []});
	const deposit = {micros: depositMicros, fromMs: 0, untilMs: 0, usagesAt};
	await chargeBills(database, [depositMicros > 0 ? {...bill, deposit} : bill]);
}

function billOf(source: ChargedSource, usages: readonly MeteredUsage[]): Bill {
	return {...source, usages: usages.map(priced)};
}

function priced(usage: MeteredUsage): ChargedUsage {
	const {item, rateMicros} = usage;
	return {...usage, priceOf: quantity => amountMicros(item, quantity, rateMicros)};
}
