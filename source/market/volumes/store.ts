/**
 * Volumes, and searches for volume space. A machine's volume space is the disk of its own offer,
 * the one with the most GPUs, less that of its volumes and instances; it has that offer's id.
 */
import {randomUUID} from 'node:crypto';
import {sql, type Insertable, type RawBuilder} from 'kysely';
import {
	searchableVolumes,
	type VolumeField,
	type VolumeSearch,
} from '../../contract/nouns/volume-search.ts';
import type {Database} from '../database/database.ts';
import type {VolumeRow, VolumesTable} from '../database/instance-tables.ts';
import type {OfferTableColumn, OfferRow} from '../database/schema.ts';
import {conditionsSql, orderSql} from '../database/search-sql.ts';
import {freeGb, LEAST_GB, volumeSpaceMicros, volumeSpaceOffer} from '../lifecycle/asks-store.ts';
import {countrySql, fieldSql, tieSql} from '../offers/query-store.ts';
import {selectOffers} from '../offers/store.ts';
import {volumeTerms, type VolumeSpaceRow} from './record-rules.ts';

type Sql = RawBuilder<unknown>;

/** Conditions for offers that represent their machine's volume space. */
function isRoom(now: number): readonly Sql[] {
	const standing = volumeSpaceOffer(sql.ref('offers.machine_id'), sql.val(now));
	// Cheapest to rule out: it leaves fewer offers to check.
	return [sql`listed = 1`, sql`offers.id = ${standing}`];
}

/** Finds offers of volume space at a moment. `most` is the most that any search returns. */
export async function searchVolumeSpace(
	database: Database,
	columns: readonly OfferTableColumn[],
	search: VolumeSearch,
	{now, most}: {readonly now: number; readonly most: number},
): Promise<readonly VolumeSpaceRow[]> {
	const terms = {...volumeTerms(search), now};
	const sqlOf = (field: VolumeField) => {
		if (field === 'disk_space') return freeGb;
		return field === 'storage_cost' ? sql`(${volumeSpaceMicros} / 1e6)` : fieldSql(field, terms);
	};
	const fields = {types: searchableVolumes.fields, sqlOf, country: countrySql};
	return findRoom(database, columns, {
		// Last, because it is the slowest condition.
		where: [
			...conditionsSql(search.filter, fields),
			...isRoom(now),
			sql`${freeGb} >= ${search.sizeGb ?? LEAST_GB}`,
		],
		orderBy: orderSql(search.order, sqlOf, tieSql(search.order[0]?.[0], terms)),
		limit: Math.min(search.limit, most),
	});
}

export type VolumeSpaceKey = {readonly offerId: number} | {readonly machineId: number};

/** The volume space of an offer, or of a machine, however little. */
export async function findVolumeSpace(
	database: Database,
	of: VolumeSpaceKey,
	now: number,
): Promise<VolumeSpaceRow | undefined> {
	const isMeant = 'offerId' in of ? sql`id = ${of.offerId}` : sql`machine_id = ${of.machineId}`;
	const columns = ['id', 'machine_id', 'end_date'] as const;
	const query = {where: [isMeant, ...isRoom(now)], orderBy: [sql`id`], limit: 1};
	return (await findRoom(database, columns, query))[0];
}

/** Only the named columns are read. */
async function findRoom(
	database: Database,
	columns: readonly OfferTableColumn[],
	query: Parameters<typeof selectOffers>[2],
): Promise<readonly VolumeSpaceRow[]> {
	const room = [freeGb.as('free_gb'), volumeSpaceMicros.as('room_micros')] as const;
	return selectOffers(database, columns, query).select(room).execute();
}

/** Present volumes of an account. */
export async function listVolumes(
	database: Database,
	accountId: number,
): Promise<readonly VolumeRow[]> {
	return selectPresent(database).where('account_id', '=', accountId).orderBy('id').execute();
}

export async function volumesOn(
	database: Database,
	machineId: number,
): Promise<readonly VolumeRow[]> {
	return selectPresent(database).where('machine_id', '=', machineId).orderBy('id').execute();
}

/** The offers that the volumes of an account were made from. */
export async function offersOfVolumes(
	database: Database,
	columns: readonly OfferTableColumn[],
	accountId: number,
): Promise<readonly OfferRow[]> {
	return database
		.selectFrom('offers')
		.select(columns)
		.where('id', 'in', query =>
			query
				.selectFrom('volumes')
				.select('ask_id')
				.where('account_id', '=', accountId)
				.where('destroyed_at', 'is', null),
		)
		.execute();
}

type Mount = {readonly volumeId: number; readonly instanceId: number};

/** Mounts of an account's volumes in present instances. */
export async function mountsOfVolumes(
	database: Database,
	accountId: number,
): Promise<readonly Mount[]> {
	return selectMounts(database)
		.innerJoin('volumes', 'volumes.id', 'mounts.volume_id')
		.where('volumes.account_id', '=', accountId)
		.where('volumes.destroyed_at', 'is', null)
		.execute();
}

/** The present instances that have a volume. */
export async function instancesWith(
	database: Database,
	volumeId: number,
): Promise<readonly number[]> {
	const mounts = await selectMounts(database).where('mounts.volume_id', '=', volumeId).execute();
	return mounts.map(({instanceId}) => instanceId);
}

function selectMounts(database: Database) {
	return database
		.selectFrom('mounts')
		.innerJoin('instances', 'instances.id', 'mounts.instance_id')
		.select(['mounts.volume_id as volumeId', 'mounts.instance_id as instanceId'])
		.where('instances.destroyed_at', 'is', null)
		.orderBy('mounts.instance_id');
}

type VolumeName = {readonly id: number; readonly accountId: number};

export async function findVolume(
	database: Database,
	{id, accountId}: VolumeName,
): Promise<VolumeRow | undefined> {
	return selectPresent(database)
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.executeTakeFirst();
}

export async function insertVolume(
	database: Database,
	volume: Insertable<VolumesTable>,
): Promise<VolumeRow> {
	const values = {serial: randomUUID(), ...volume};
	return database.insertInto('volumes').values(values).returningAll().executeTakeFirstOrThrow();
}

export async function updateVolume(
	database: Database,
	id: number,
	change: Partial<Pick<VolumeRow, 'message' | 'agreed_micros' | 'storage_micros'>>,
): Promise<void> {
	await database.updateTable('volumes').set(change).where('id', '=', id).execute();
}

/** The volume of an account's request with an idempotency mark, deleted ones included. */
export async function findVolumeByRequestMark(
	database: Database,
	{accountId, wish}: {readonly accountId: number; readonly wish: string},
): Promise<VolumeRow | undefined> {
	return database
		.selectFrom('volumes')
		.selectAll()
		.where('account_id', '=', accountId)
		.where('wish', '=', wish)
		.executeTakeFirst();
}

export async function endVolume(
	database: Database,
	id: number,
	{now, revision}: {readonly now: number; readonly revision: number},
): Promise<void> {
	await database
		.updateTable('volumes')
		.set({destroyed_at: now, revision})
		.where('id', '=', id)
		.execute();
}

type NewMount = Mount & {readonly path: string};

export async function insertMount(
	database: Database,
	{instanceId, volumeId, path}: NewMount,
): Promise<void> {
	await database
		.insertInto('mounts')
		.values({instance_id: instanceId, volume_id: volumeId, path})
		.execute();
}

export async function deleteMounts(database: Database, instanceId: number): Promise<void> {
	await database.deleteFrom('mounts').where('instance_id', '=', instanceId).execute();
}

function selectPresent(database: Database) {
	return database.selectFrom('volumes').selectAll().where('destroyed_at', 'is', null);
}
