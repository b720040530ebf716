import type {Contract} from '../../contract/index.ts';
import {DEFAULT_VOLUME_GB} from '../../contract/nouns/volume-search.ts';
import * as listing from './listing.ts';
import {cloneVolume} from './clones.ts';
import {createVolume, deleteVolume} from './volumes.ts';
import {Refusal} from '../base/refusal.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {agreedPrice, volumeOfferRecorder, volumeRecorder, volumeOfferQuery} from './room-store.ts';
import {listVolumes, mountsOfVolumes, offersOfVolumes, findRoom} from './store.ts';
import type {Handler} from '../http/handler.ts';

type Calls = Contract['volumes'];

export const search: Handler<Calls['search']> = async ({body}, {database, clock, searchLimit}) => {
	const now = clock.now();
	const {columns, record} = volumeOfferRecorder(body, now);
	const rows = await findRoom(database, columns, volumeOfferQuery(body, now, searchLimit));
	return {offers: rows.map(record)};
};

export const list: Handler<Calls['list']> = async (
	{query},
	{database, clock, caller: {accountId}},
) => {
	// Network volumes, reachable from several machines, do not exist here.
	if (query.type === 'network_volume') return {volumes: []};
	const {columns, record} = volumeRecorder(clock.now());
	const volumes = await listVolumes(database, accountId);
	const offers = await offersOfVolumes(database, ['id', ...columns], accountId);
	const offersById = new Map(offers.map(offer => [offer.id, offer]));
	const mounts = Map.groupBy(await mountsOfVolumes(database, accountId), ({volumeId}) => volumeId);
	return {
		volumes: volumes.map(volume => {
			const instances = (mounts.get(volume.id) ?? []).map(({instanceId}) => instanceId);
			return record(volume, offersById.get(volume.ask_id), instances);
		}),
	};
};

export const create: Handler<Calls['create']> = async (
	{body: {id, size, name}},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const volume = await createVolume(database, {
		offerId: id,
		accountId,
		sizeGb: size ?? DEFAULT_VOLUME_GB,
		name: name ?? undefined,
		now: clock.now(),
	});
	workSignal.send(volume.host_account_id);
	return {success: true, volume_name: `V.${volume.id}`, volume_id: volume.id};
};

export const copy: Handler<Calls['copy']> = async (
	{body: {src_id: sourceId, dst_id: offerId, size, name, most_storage_cost: most, wish}},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const {volume, isKnown} = await cloneVolume(database, {
		accountId,
		sourceId,
		offerId,
		sizeGb: size ?? undefined,
		name: name ?? undefined,
		mostMicros: most === undefined || most === null ? undefined : Math.round(most * 1e6),
		wish: wish ?? undefined,
		now: clock.now(),
	});
	if (!isKnown) workSignal.send(volume.host_account_id);
	const of = `clone V.${volume.id} of volume ${volume.clone_of ?? sourceId}`;
	return {
		success: true,
		volume_id: volume.id,
		volume_name: `V.${volume.id}`,
		msg: isKnown
			? `This request has made ${of} before.`
			: `Making ${of}: it is charged for from now on.`,
		disk_space: volume.size_gb,
		...agreedPrice(volume),
	};
};

const remove: Handler<Calls['delete']> = async (
	{query, body},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const id = query.id ?? body.id ?? undefined;
	if (id === undefined || (query.id !== undefined && (body.id ?? id) !== id)) {
		throw new Refusal('badArguments', 'Please provide a valid volume ID.');
	}
	const volume = await deleteVolume(database, {id, accountId}, clock.now());
	workSignal.send(volume.host_account_id);
	return {success: true, msg: `Volume ${id} was deleted.`};
};

export {remove as delete};

/** Default price in dollars per GB and month. */
const USUAL_PRICE = 0.1;

export const offerRoom: Handler<Calls['offerRoom']> = async (
	{body: {machine: machines, size, price_disk: price}},
	{database, clock, caller: {accountId}},
) => {
	const terms = {machines, sizeGb: size ?? DEFAULT_VOLUME_GB, price: price ?? USUAL_PRICE};
	const rooms = await listing.offerRoom(database, accountId, terms, clock.now());
	return {
		success: true,
		msg: `Listed room for volumes on ${rooms.length} machines.`,
		volume_offers: rooms.map(room => ({
			id: room.offerId,
			machine_id: room.machineId,
			size: Math.floor(room.freeGb),
			price_disk: room.storageMicros / MICROS_PER_DOLLAR,
			end_date: room.offeredUntil,
		})),
	};
};

export const unlistRoom: Handler<Calls['unlistRoom']> = async (
	{body: {id}},
	{database, clock, caller: {accountId}},
) => {
	await listing.unlistRoom(database, {id, accountId}, clock.now());
	return {success: true, msg: `Unlisted Volume ${id}.`};
};
