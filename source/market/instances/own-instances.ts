/** The market's own instances on providers' machines, which are free and earn nothing. */
import {printSettings, type InstanceSettings} from '../lifecycle/instance-rules.ts';
import type {InstanceState} from '../lifecycle/rules.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow, MachineRow} from '../database/instance-tables.ts';
import {insertInstance} from '../lifecycle/instances-store.ts';
import type {OfferRow} from '../database/schema.ts';
import {nextRevision} from '../database/numbering.ts';

type OwnInstance = {
	readonly offer: Pick<OfferRow, 'id' | 'disk_space'>;
	readonly gpuMask: number;
	readonly image: string;
	readonly settings: InstanceSettings;
	readonly label: string;
	/** The most GB of its disk. */
	readonly diskGb: number;
	readonly endDate: number;
	readonly state: InstanceState;
	readonly isDefaultJob: boolean;
	readonly now: number;
};

/** Makes an instance with a bid of zero, which any renter outbids. Call it in a transaction. */
export async function insertOwnInstance(
	database: Database,
	{id: machineId, account_id: accountId}: Pick<MachineRow, 'id' | 'account_id'>,
	{offer, gpuMask, image, settings, label, diskGb, endDate, state, isDefaultJob, now}: OwnInstance,
): Promise<InstanceRow> {
	const free = {gpu_micros: 0, storage_micros: 0, up_micros: 0, down_micros: 0};
	return insertInstance(database, {
		...free,
		account_id: accountId,
		ask_id: offer.id,
		machine_id: machineId,
		host_account_id: accountId,
		label,
		created_at: now,
		end_date: endDate,
		destroyed_at: null,
		settings: printSettings(settings),
		image,
		template_id: null,
		template_hash: null,
		template_name: null,
		is_bid: 1,
		gpu_mask: gpuMask,
		disk_gb: Math.min(diskGb, offer.disk_space ?? diskGb),
		...state,
		waiting_since: state.current !== state.next ? now : null,
		running_since: null,
		billed_until: now,
		revision: await nextRevision(database, accountId),
		handover: null,
		access: null,
		usage: null,
		default_job: isDefaultJob ? 1 : 0,
	});
}
