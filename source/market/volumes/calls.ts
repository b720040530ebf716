import type {Contract} from '../../contract/index.ts';
import {DEFAULT_VOLUME_GB} from '../../contract/nouns/volume-search.ts';
import {writing} from '../database/writing.ts';
import {findOwnMachine} from '../lifecycle/machines-store.ts';
import {ownMachine} from '../lifecycle/own-machine.ts';
import {listingOf} from '../machines/listing-rules.ts';
import {putOnList, findListingTerms} from '../machines/listing.ts';
import {readVolumeSpace, refuseTooLarge, type VolumeSpace} from './volume-space.ts';
import {cloneVolume} from './clones.ts';
import {createVolume, deleteVolume} from './volumes.ts';
import {Refusal} from '../base/refusal.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {agreedPrice, volumeOfferRecorder, volumeRecorder} from './record-rules.ts';
import {
	searchVolumeSpace,
	listVolumes,
	mountsOfVolumes,
	offersOfVolumes,
	volumesOn,
} from './store.ts';
import type {Handler} from '../http/handler.ts';

type Calls = Contract['volumes'];

export const search: Handler<Calls['search']> = async ({body}, {database, clock, searchLimit}) => {
	const now = clock.now();
	const {columns, record} = volumeOfferRecorder(body, now);
	const rows = await searchVolumeSpace(database, columns, body, {now, most: searchLimit});
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
	{body: {id, size, name, most_storage_cost: most}},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const volume = await createVolume(database, {
		offerId: id,
		accountId,
		sizeGb: size ?? DEFAULT_VOLUME_GB,
		name: name ?? undefined,
		mostMicros: microsOf(most),
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
		mostMicros: microsOf(most),
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

function microsOf(dollars: number | null | undefined): number | undefined {
	return typeof dollars === 'number' ? Math.round(dollars * MICROS_PER_DOLLAR) : undefined;
}

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
	const sizeGb = size ?? DEFAULT_VOLUME_GB;
	const now = clock.now();
	const rooms = await writing(database, async transaction => {
		const offered: VolumeSpace[] = [];
		for (const id of machines) {
			const machine = await ownMachine(transaction, {id, accountId});
			const before = await findListingTerms(transaction, machine, now);
			if (machine.listed === 0 || before === undefined) {
				throw new Refusal('badArguments', `Machine ${id} is not listed: offer it first.`);
			}
			// The offered size includes existing volumes.
			const taken = (await volumesOn(transaction, id)).reduce((gb, {size_gb}) => gb + size_gb, 0);
			const whole = {vol_size: Math.ceil(taken) + sizeGb, vol_price: price ?? USUAL_PRICE};
			await putOnList(transaction, machine, listingOf({machine: id, ...whole}, before, now), now);
			const room = await readVolumeSpace(transaction, {machineId: id}, now);
			if (room === undefined) throw new Refusal('badArguments', `Machine ${id} has no room.`);
			refuseTooLarge(sizeGb, room.freeGb);
			offered.push(room);
		}
		return offered;
	});
	return {
		success: true,
		msg: `Listed room for volumes on ${rooms.length} machines.`,
		volume_offers: rooms.map(({offerId, machineId, freeGb, storageMicros, offeredUntil}) => ({
			id: offerId,
			machine_id: machineId,
			size: Math.floor(freeGb),
			price_disk: storageMicros / MICROS_PER_DOLLAR,
			end_date: offeredUntil,
		})),
	};
};

export const unlistRoom: Handler<Calls['unlistRoom']> = async (
	{body: {id}},
	{database, clock, caller: {accountId}},
) => {
	const now = clock.now();
	await writing(database, async transaction => {
		const room = await readVolumeSpace(transaction, {offerId: id}, now);
		const machine = room && (await findOwnMachine(transaction, {id: room.machineId, accountId}));
		const before = machine && (await findListingTerms(transaction, machine, now));
		if (machine === undefined || before?.volume_gb === 0) {
			throw new Refusal('badArguments', 'Volume listing does not exist');
		}
		// Space that volumes already use stays theirs.
		const given = {machine: machine.id, vol_size: 0};
		await putOnList(transaction, machine, listingOf(given, before, now), now);
	});
	return {success: true, msg: `Unlisted Volume ${id}.`};
};
