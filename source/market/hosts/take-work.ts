/** Changed work of a host, which waits if there is none. */
import {hash} from 'node:crypto';
import type {CopyWork, ListenerWork, HeldPath} from '../../contract/nouns/copies.ts';
import {type Env, MARK_VARIABLE} from '../../contract/rules/env.ts';
import type {HostTask, VolumeWork, Work} from '../../contract/nouns/host-work.ts';
import type {WorkSignal} from '../base/work-signal.ts';
import {lifecycleStateOf} from '../lifecycle/rules.ts';
import {serialOf, taskOf, volumeWorkOf, workOf, type InstanceWork} from './rules.ts';
import {databaseTrouble} from '../database/database-trouble.ts';
import type {Database} from '../database/database.ts';
import type {CopyRow} from '../database/instance-tables.ts';
import {listSecrets} from '../secrets/store.ts';
import {findVolume} from '../volumes/store.ts';
import {
	changedCopies,
	listChangedListeners,
	changedInstances,
	changedKeys,
	changedMounts,
	changedVolumes,
	openTasks,
	readRevision,
	type Revisions,
	type MachineSelection,
} from './store.ts';
import {wantedOf} from '../lifecycle/change.ts';
import type {StoredListener} from '../copies/copies.ts';
import type {InstanceSettings} from '../lifecycle/instance-rules.ts';

type HostWork = {
	readonly revision: number;
	readonly work: Work[];
	readonly volumes: VolumeWork[];
	readonly tasks: HostTask[];
	readonly copies: CopyWork[];
	readonly copy_doors: ListenerWork[];
};

/** Poll interval, if other processes' writes send no signal here. */
const POLL_MS = 1000;

type Waiting = {
	readonly accountId: number;
	/** @default all of the account's machines */
	readonly share?: MachineSelection;
	/** The revision that the host has. */
	readonly after: number;
	readonly waitMs: number;
	readonly signal: AbortSignal;
};

/** Work newer than a revision, as soon as some exists. Waits while the database is unreachable. */
export async function waitForWork(
	{database, workSignal}: {readonly database: Database; readonly workSignal: WorkSignal},
	{accountId, share = {}, after, waitMs, signal}: Waiting,
): Promise<HostWork> {
	const endsAt = performance.now() + waitMs;
	const enough = new AbortController();
	const ended = AbortSignal.any([signal, enough.signal]);
	let isOver = false;
	try {
		for (;;) {
			const restMs = isOver ? 0 : Math.max(0, endsAt - performance.now());
			const pauseMs = workSignal.isShared ? restMs : Math.min(restMs, POLL_MS);
			// Subscribe before the read, so that no change in between is missed.
			let signalled = workSignal.wait(accountId, pauseMs, ended);
			try {
				const until = await readRevision(database, {accountId, after});
				if (until !== after || restMs === 0) {
					// A host that is ahead has its number, and its instances, from an earlier market.
					const since = until < after ? 0 : after;
					const revisions = {accountId, share, after: since, until, withGone: since > 0};
					return await readWork(database, revisions);
				}
			} catch (error) {
				// The database may return within the host's wait.
				if (databaseTrouble(error) === undefined || restMs === 0) throw error;
				signalled = workSignal.wait(accountId, Math.min(restMs, POLL_MS), ended);
			}
			isOver = !(await signalled);
		}
	} finally {
		enough.abort();
	}
}

/** Reads a host's work. Later changes have a later revision, and are not missed. */
async function readWork(database: Database, revisions: Revisions): Promise<HostWork> {
	const {until, after} = revisions;
	if (until === after) {
		return {revision: until, work: [], volumes: [], tasks: [], copies: [], copy_doors: []};
	}
	return {
		revision: until,
		work: (await readInstances(database, revisions)).map(workOf),
		volumes: (await changedVolumes(database, revisions)).map(volumeWorkOf),
		tasks: (await openTasks(database, revisions)).map(taskOf),
		copies: await readCopies(database, revisions),
		copy_doors: await readDoors(database, revisions),
	};
}

async function readInstances(
	database: Database,
	revisions: Revisions,
): Promise<readonly InstanceWork[]> {
	const rows = await changedInstances(database, revisions);
	const keys = byInstance(await changedKeys(database, revisions));
	const mounts = byInstance(await changedMounts(database, revisions));
	const secrets = await secretsOf(database, new Set(rows.map(row => row.account_id)));
	return rows.map(({num_gpus: machineGpus, ...row}) => ({
		row,
		wanted: wantedOf(lifecycleStateOf(row)),
		machineGpus,
		secrets: secrets.get(row.account_id) ?? [],
		publicKeys: keys.get(row.id)?.map(key => key.public_key) ?? [],
		mounts: mounts.get(row.id) ?? [],
	}));
}

async function readCopies(database: Database, revisions: Revisions): Promise<CopyWork[]> {
	const copies: CopyWork[] = [];
	for (const row of await changedCopies(database, revisions)) {
		const target = await heldPlace(database, row, 'target');
		const source = await heldPlace(database, row, 'source');
		const isHere = row.source_machine_id === row.machine_id;
		copies.push({
			id: row.id,
			wanted: row.ended_at === null ? 'done' : 'gone',
			target,
			path: row.target_path,
			source_path: row.source_path,
			...(isHere && {source}),
			...(row.door !== null && {
				door: {...readDoor(row.door), public_key: row.public_key ?? ''},
			}),
		});
	}
	return copies;
}

async function readDoors(database: Database, revisions: Revisions): Promise<ListenerWork[]> {
	const doors: ListenerWork[] = [];
	for (const row of await listChangedListeners(database, revisions)) {
		const source = await heldPlace(database, row, 'source');
		const wanted = row.ended_at === null ? 'done' : 'gone';
		doors.push({id: row.id, wanted, source, public_key: row.public_key ?? ''});
	}
	return doors;
}

async function heldPlace(
	database: Database,
	row: CopyRow,
	end: 'source' | 'target',
): Promise<HeldPath> {
	const id = row[`${end}_id`];
	if (row[`${end}_kind`] === 'instance') return {instance_id: id};
	const volume = await findVolume(database, {id, accountId: row.account_id});
	const machine_id = end === 'source' ? row.source_machine_id : row.machine_id;
	const {size_gb: size, serial} = volume ?? {size_gb: 0, serial: null};
	return {volume_id: id, machine_id, size, ...serialOf({serial})};
}

function readDoor(text: string): StoredListener {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	return JSON.parse(text) as StoredListener;
}

function byInstance<Row extends {readonly instance_id: number}>(
	rows: readonly Row[],
): ReadonlyMap<number, readonly Row[]> {
	return Map.groupBy(rows, row => row.instance_id);
}

/** The variables of each account that rents. */
async function secretsOf(database: Database, accountIds: ReadonlySet<number>) {
	const secrets = new Map<number, Env>();
	for (const id of accountIds) {
		const known = await listSecrets(database, id);
		secrets.set(
			id,
			known.map(({name, value}) => [name, value] as const),
		);
	}
	return secrets;
}

/**
 * Hash of everything that an instance's start depends on, without its own secrets, to recognise
 * equal orders.
 */
export function orderHash(image: string, settings: InstanceSettings): string {
	const {jupyter_token: _token, extra_filters: _filters, env, ...rest} = settings;
	const same = env.filter(([name]) => name !== MARK_VARIABLE);
	return hash('sha256', JSON.stringify([image, same, rest]));
}
