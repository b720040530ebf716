/** The end of instances: what they cost until then, and all that they leave to others. */
import {printSettings, readSettings, type InstanceSettings} from '../rules/instance-settings.ts';
import {copiesFrom, copiesInto} from '../store/copies.ts';
import type {Database} from '../store/database.ts';
import type {InstanceRow} from '../store/instance-tables.ts';
import {updateInstance} from '../store/instances.ts';
import {deleteKeysOf} from '../store/instance-ssh-keys.ts';
import {deleteInstanceKey} from '../store/keys.ts';
import {endIncreasesOf} from '../store/price-increases.ts';
import {deleteJobsOf} from '../store/scheduled-jobs.ts';
import {deleteOpenTasks} from '../store/tasks.ts';
import {deleteMounts} from '../store/volumes.ts';
import {abandonCopies} from './copies.ts';
import {endCopies} from './copy-orders.ts';
import {settleMachinesOf} from './act.ts';
import {changeInstance} from './change.ts';
import {returnDeposit} from './deposits.ts';

/** Destroys instances. Call it in a transaction, and tell their hosts afterwards. */
export async function destroyInstances(
	database: Database,
	rows: readonly InstanceRow[],
	now: number,
): Promise<void> {
	for (const row of rows) await destroyInstance(database, row, now);
	await settleMachinesOf(database, rows, now);
}

/** Destroys an instance, but keeps its charges, and the order to its host to remove it. */
async function destroyInstance(database: Database, row: InstanceRow, now: number): Promise<void> {
	const ended = await changeInstance(database, row, {kind: 'destroy'}, now);
	await returnDeposit(database, ended, now);
	await updateInstance(database, row.id, {
		destroyed_at: now,
		settings: printSettings(withoutSecrets(readSettings(row.settings))),
		handover: null,
		access: null,
		usage: null,
	});
	await deleteInstanceKey(database, row.id, now);
	await forgetWhatWasIts(database, row.id, now);
}

/**
 * Settings without the texts that were written for this instance alone, for any of them may hold a
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

/** Its volumes are free, its own SSH keys are gone, and nobody waits for its answers. */
async function forgetWhatWasIts(database: Database, id: number, now: number): Promise<void> {
	await deleteMounts(database, id);
	await deleteKeysOf(database, id, now);
	await deleteOpenTasks(database, id);
	const end = {kind: 'instance', id} as const;
	await endCopies(database, await copiesInto(database, end), now);
	await abandonCopies(database, await copiesFrom(database, end), now);
	await deleteJobsOf(database, id);
	await endIncreasesOf(database, id);
}
