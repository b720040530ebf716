/** Destroying instances: final charges, and release of GPUs, volumes and keys. */
import {
	printSettings,
	readInstanceSettings,
	type InstanceSettings,
} from '../lifecycle/instance-rules.ts';
import {copiesFrom, copiesInto} from '../copies/store.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {forgetMoment} from '../database/moments.ts';
import {momentsOf} from '../notifications/rules.ts';
import {updateInstance} from '../lifecycle/instances-store.ts';
import {deleteKeysOf} from '../ssh-keys/store.ts';
import {deleteInstanceKey} from '../api-keys/store.ts';
import {endIncreasesOf} from '../price-increases/store.ts';
import {deleteJobsOf} from '../scheduled-jobs/store.ts';
import {deleteOpenTasks} from '../tasks/store.ts';
import {deleteMounts} from '../volumes/store.ts';
import {abandonCopies} from '../copies/copies.ts';
import {endCopies} from '../copies/copy-orders.ts';
import {settleMachinesOf} from '../lifecycle/act.ts';
import {changeInstance} from '../lifecycle/change.ts';
import {returnDeposit} from './deposits.ts';

/** Destroys instances. Call it in a transaction, and signal their hosts afterwards. */
export async function destroyInstances(
	database: Database,
	rows: readonly InstanceRow[],
	now: number,
): Promise<void> {
	for (const row of rows) await destroyInstance(database, row, now);
	await settleMachinesOf(database, rows, now);
}

/** Destroys an instance, keeping its charges and the host's order to remove it. */
async function destroyInstance(database: Database, row: InstanceRow, now: number): Promise<void> {
	const ended = await changeInstance(database, row, {kind: 'destroy'}, now);
	await returnDeposit(database, ended, now);
	await updateInstance(database, row.id, {
		destroyed_at: now,
		settings: printSettings(withoutSecrets(readInstanceSettings(row.settings))),
		handover: null,
		access: null,
		usage: null,
	});
	await deleteInstanceKey(database, row.id, now);
	await deleteMounts(database, row.id);
	await deleteKeysOf(database, row.id, now);
	await deleteOpenTasks(database, row.id);
	const end = {kind: 'instance', id: row.id} as const;
	await endCopies(database, await copiesInto(database, end), now);
	await abandonCopies(database, await copiesFrom(database, end), now);
	await deleteJobsOf(database, row.id);
	await endIncreasesOf(database, row.id);
	for (const name of momentsOf(row.id)) await forgetMoment(database, name);
}

/**
 * Settings without the texts that the renter wrote for this instance: any of them may hold a
 * password.
 */
function withoutSecrets(settings: InstanceSettings): InstanceSettings {
	return {
		...settings,
		env: [],
		onstart: '',
		args: [],
		jupyter_token: '',
		image_login: '',
		extra_filters: {},
	};
}
