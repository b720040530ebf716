/** A host takes what changed of its work, and waits where nothing did. */
import type {CopyWork} from '../../contract/copies.ts';
import type {Env} from '../../contract/env.ts';
import type {Task, VolumeWork, Work} from '../../contract/host-work.ts';
import type {WorkSignal} from '../work-signal.ts';
import {stateOf} from '../rules/lifecycle.ts';
import {taskOf, volumeWorkOf, workOf, type InstanceWork} from '../rules/work-record.ts';
import {databaseTrouble} from '../store/database-trouble.ts';
import type {Database} from '../store/database.ts';
import {keysOfCopies} from '../store/copies.ts';
import {findInstance} from '../store/instances.ts';
import {listSecrets} from '../store/secrets.ts';
import {
	changedCopies,
	changedInstances,
	changedKeys,
	changedMounts,
	changedVolumes,
	openTasks,
	readRevision,
	type Revisions,
	type Share,
} from '../store/work.ts';
import {wantedOf} from './change.ts';
import {routesInto} from './copies.ts';

export type HostWork = {
	readonly revision: number;
	readonly work: Work[];
	readonly volumes: VolumeWork[];
	readonly tasks: Task[];
	readonly copies: CopyWork[];
};

/** Another process may have changed the database, and sends no signal here. */
const LOOK_AGAIN_MS = 1000;

type Waiting = {
	readonly accountId: number;
	/** @default all of the account's machines */
	readonly share?: Share;
	/** The revision that the host has. */
	readonly after: number;
	readonly waitMs: number;
	readonly signal: AbortSignal;
};

/** Work newer than a revision, at once or as soon as there is some, even if the database is away meanwhile. */
export async function takeWork(
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
			const pauseMs = workSignal.isShared ? restMs : Math.min(restMs, LOOK_AGAIN_MS);
			// Before it is read: a change meanwhile sends the signal.
			let signalled = workSignal.wait(accountId, pauseMs, ended);
			try {
				const until = await readRevision(database, {accountId, after});
				if (until !== after || restMs === 0) {
					return await readSince(database, {accountId, share, after, until});
				}
			} catch (error) {
				// It may be back before the host would have to ask again.
				if (databaseTrouble(error) === undefined || restMs === 0) throw error;
				signalled = workSignal.wait(accountId, Math.min(restMs, LOOK_AGAIN_MS), ended);
			}
			isOver = !(await signalled);
		}
	} finally {
		enough.abort();
	}
}

async function readSince(
	database: Database,
	{after, until, ...rest}: Omit<Revisions, 'withGone'>,
): Promise<HostWork> {
	// A host that is ahead has its number from a market that is no more, and all it has with it.
	const since = until < after ? 0 : after;
	return readWork(database, {...rest, after: since, until, withGone: since > 0});
}

/** Reads a host's work. Later changes have a later revision, and are not missed. */
async function readWork(database: Database, revisions: Revisions): Promise<HostWork> {
	const {until, after} = revisions;
	if (until === after) return {revision: until, work: [], volumes: [], tasks: [], copies: []};
	return {
		revision: until,
		work: (await readInstances(database, revisions)).map(workOf),
		volumes: (await changedVolumes(database, revisions)).map(volumeWorkOf),
		tasks: (await openTasks(database, revisions)).map(taskOf),
		copies: await readCopies(database, revisions),
	};
}

async function readInstances(
	database: Database,
	revisions: Revisions,
): Promise<readonly InstanceWork[]> {
	const rows = await changedInstances(database, revisions);
	const ofCopies = keysOfCopies(
		database,
		rows.map(({id}) => id),
	);
	const keys = byInstance([...(await changedKeys(database, revisions)), ...(await ofCopies)]);
	const mounts = byInstance(await changedMounts(database, revisions));
	const secrets = await secretsOf(database, new Set(rows.map(row => row.account_id)));
	return rows.map(({num_gpus: machineGpus, ...row}) => ({
		row,
		wanted: wantedOf(stateOf(row)),
		machineGpus,
		secrets: secrets.get(row.account_id) ?? [],
		publicKeys: keys.get(row.id)?.map(key => key.public_key) ?? [],
		mounts: mounts.get(row.id) ?? [],
	}));
}

async function readCopies(database: Database, revisions: Revisions): Promise<CopyWork[]> {
	const copies: CopyWork[] = [];
	for (const row of await changedCopies(database, revisions)) {
		const {id, target_id, source_id, account_id, source_path, target_path, ended_at} = row;
		const source = await findInstance(database, {id: source_id, accountId: account_id});
		const isOver = ended_at !== null || source === undefined;
		copies.push({
			id,
			instance_id: target_id,
			wanted: isOver ? 'gone' : 'done',
			path: target_path,
			source_path,
			routes: isOver ? [] : routesInto(source).map(({host, port}) => ({host, port})),
		});
	}
	return copies;
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
