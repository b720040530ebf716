import {Refusal} from '../base/refusal.ts';
import {listingOf} from '../machines/listing-rules.ts';
import type {Database} from '../database/database.ts';
import {findOwnMachine} from '../lifecycle/machines-store.ts';
import {volumesOn} from './store.ts';
import {writing} from '../database/writing.ts';
import {ownMachine, type Named} from '../lifecycle/own-machine.ts';
import {readRoom, refuseTooLarge, type Room} from './room.ts';
import {putOnList, termsOf} from '../machines/listing.ts';

export type RoomTerms = {
	readonly machines: readonly number[];
	readonly sizeGb: number;
	/** Dollars per GB and month. */
	readonly price: number;
};

/**
 * Offers room for volumes on listed machines of an account, on all of them or on none; answers the
 * offers of that room.
 *
 * @throws Refusal where a machine is not the account's, is not listed, or has less room.
 */
export async function offerRoom(
	database: Database,
	accountId: number,
	{machines, sizeGb, price}: RoomTerms,
	now: number,
): Promise<readonly Room[]> {
	return writing(database, async transaction => {
		const rooms: Room[] = [];
		for (const id of machines) {
			const machine = await ownMachine(transaction, {id, accountId});
			const before = await termsOf(transaction, machine, now);
			if (machine.listed === 0 || before === undefined) {
				throw new Refusal('badArguments', `Machine ${id} is not listed: offer it first.`);
			}
			// What is offered counts volumes that are there already.
			const taken = (await volumesOn(transaction, id)).reduce((gb, {size_gb}) => gb + size_gb, 0);
			const given = {machine: id, vol_size: Math.ceil(taken) + sizeGb, vol_price: price};
			await putOnList(transaction, machine, listingOf(given, before, now), now);
			const room = await readRoom(transaction, {machineId: id}, now);
			if (room === undefined) throw new Refusal('badArguments', `Machine ${id} has no room.`);
			refuseTooLarge(sizeGb, room.freeGb);
			rooms.push(room);
		}
		return rooms;
	});
}

/**
 * Offers room no longer; what volumes take of it stays.
 *
 * @throws Refusal where the account offers no such room.
 */
export async function unlistRoom(
	database: Database,
	{id, accountId}: Named,
	now: number,
): Promise<void> {
	await writing(database, async transaction => {
		const room = await readRoom(transaction, {offerId: id}, now);
		const machine = room && (await findOwnMachine(transaction, {id: room.machineId, accountId}));
		const before = machine && (await termsOf(transaction, machine, now));
		if (machine === undefined || before?.volume_gb === 0) {
			throw new Refusal('badArguments', 'Volume listing does not exist');
		}
		const given = {machine: machine.id, vol_size: 0};
		await putOnList(transaction, machine, listingOf(given, before, now), now);
	});
}
