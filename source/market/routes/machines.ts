import type {Contract} from '../../contract/index.ts';
import {
	offerMachineOn,
	ownMachine,
	setFloor as setLeastBid,
	unlist as takeOff,
} from '../operations/listing.ts';
import {providerMachine} from '../rules/provider-machine.ts';
import type {Database} from '../store/database.ts';
import {listingsOf} from '../store/listings.ts';
import {
	earnedSince,
	providedMachines,
	providedOffers,
	rentalsOn,
	volumesUse,
} from '../store/provider-machines.ts';
import type {Handler} from './handler.ts';

type Calls = Contract['machines'];

const DAY = 86_400;

/** Records of all machines of an account, or of one. */
async function recordsOf(
	database: Database,
	{accountId, machineId, now}: {accountId: number; machineId?: number; now: number},
) {
	const wanted = {accountId, machineId};
	const machines = await providedMachines(database, wanted);
	const offers = Map.groupBy(await providedOffers(database, wanted), row => row.machine_id);
	const rentals = Map.groupBy(await rentalsOn(database, wanted), row => row.machine_id);
	const volumes = new Map((await volumesUse(database, accountId)).map(use => [use.machineId, use]));
	const listings = new Map(
		(await listingsOf(database, accountId)).map(row => [row.machine_id, row]),
	);
	const earned = await earnedSince(database, accountId, now - DAY);
	return machines.map(machine =>
		providerMachine(
			{
				machine,
				listing: listings.get(machine.id),
				offers: offers.get(machine.id) ?? [],
				rentals: rentals.get(machine.id) ?? [],
				volumes: volumes.get(machine.id) ?? {gb: 0, monthly: 0},
				earnedMicros: earned.get(machine.id) ?? 0,
			},
			now,
		),
	);
}

export const list: Handler<Calls['list']> = async (_, {database, clock, caller: {accountId}}) => ({
	machines: await recordsOf(database, {accountId, now: clock.now()}),
});

export const show: Handler<Calls['show']> = async (
	{params: {id}},
	{database, clock, caller: {accountId}},
) => {
	await ownMachine(database, {id, accountId});
	return recordsOf(database, {accountId, machineId: id, now: clock.now()});
};

export const offer: Handler<Calls['offer']> = async (
	{body},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const extended = await offerMachineOn(database, accountId, body, clock.now());
	workSignal.send(accountId);
	return {success: true, extended, you_sent: body};
};

export const unlist: Handler<Calls['unlist']> = async (
	{params: {id}},
	{database, clock, caller: {accountId}},
) => {
	await takeOff(database, {id, accountId}, clock.now());
	return {success: true, machine_id: id, user_id: accountId};
};

export const setFloor: Handler<Calls['setFloor']> = async (
	{params: {id}, body: {price}},
	{database, clock, caller: {accountId}},
) => {
	await setLeastBid(database, {id, accountId}, {price, now: clock.now()});
	return {success: true, you_sent: {price}};
};
