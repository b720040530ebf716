/** Reliability of machines from their record, which their offers show. */
import type {Report} from '../../contract/nouns/host-work.ts';
import {dayNumberOf} from '../ledger/metering-rules.ts';
import {trustedOffer, COUNTED_SECONDS, reliabilityOf} from './rules.ts';
import {refreshOffers} from '../lifecycle/claims-store.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow, MachineRow} from '../database/instance-tables.ts';
import {findPersonAccountId} from '../billing/debts-store.ts';
import {findMachine} from '../lifecycle/machines-store.ts';
import {hastenTests, planTest, maintenanceOf} from './store.ts';
import {readMoment, writeMoment} from '../database/moments.ts';
import {changeOffer, offersOn} from '../offers/store.ts';
import * as store from './store.ts';
import {writing, writingOn} from '../database/writing.ts';
import {notifyAccount} from '../notifications/notify-renter.ts';
import {DAY} from '../../contract/rules/durations.ts';

/** The most machines judged in a sweep. */
const MOST_AT_ONCE = 100;

/** Judges machines that were not judged today, or that have new evidence. */
export async function keepReliability(database: Database, now: number): Promise<void> {
	const today = dayNumberOf(now);
	if (dayNumberOf(await readMoment(database, store.JUDGED)) === today) return;
	const ids = await store.unjudgedMachines(database, today, MOST_AT_ONCE);
	for (const id of ids) {
		await writingOn(database, {machines: [id], payers: false}, async transaction =>
			judge(transaction, id, now),
		);
	}
	if (ids.length < MOST_AT_ONCE) {
		await writing(database, async transaction => {
			const left = await store.unjudgedMachines(transaction, today, 1);
			if (left.length === 0) await writeMoment(transaction, store.JUDGED, now);
		});
	}
}

/** Smallest change that is written to a machine's offers. */
const LEAST_CHANGE = 0.0002;

async function judge(database: Database, id: number, now: number): Promise<void> {
	const machine = await findMachine(database, id);
	if (machine === undefined || machine.known_since === null) return;
	const since = now - COUNTED_SECONDS;
	const silences = await store.silencesOf(database, id, since);
	const {contact, heard_at: heard} = machine;
	const open = contact === 'heard' || heard === null ? [] : [{since: heard, until: now}];
	const failed = await store.failedStarts(database, id, since);
	const own = failed.filter(({accountId}) => accountId === machine.account_id);
	const rentals = (await store.countRentals(database, id, since)) + own.length;
	const {value, dueSeconds, silentSeconds} = reliabilityOf({
		knownSince: machine.known_since,
		now,
		silences: [...silences.filter(({excused}) => excused === 0), ...open],
		excused: [
			...silences.filter(({excused}) => excused === 1),
			...(await maintenanceOf(database, id)).map(({start_at, end_at: until}) => ({
				since: start_at,
				until,
			})),
		],
		rentals,
		failed: failed.length,
	});
	await store.writeDay(database, {
		machine_id: id,
		day: dayNumberOf(now),
		reliability: value,
		due_seconds: dueSeconds,
		silent_seconds: silentSeconds,
		rentals,
		failed: failed.length,
	});
	if (Math.abs(value - (machine.reliability ?? 0)) < LEAST_CHANGE) return;
	await store.changeTrust(database, id, {reliability: value});
	await showTrust(database, id, now);
}

/** Writes a machine's reliability and verification into its offers. */
export async function showTrust(database: Database, id: number, now: number): Promise<void> {
	const machine = await findMachine(database, id);
	if (machine === undefined) return;
	for (const offer of await offersOn(database, id)) {
		if (offer.listed === 1) await changeOffer(database, trustedOffer(offer, machine));
	}
	await refreshOffers(database, id, now);
}

/** Absence after which a machine is tested at once, because it may have been replaced. */
const LOST_SECONDS = 600;

type Returned = Pick<MachineRow, 'id' | 'contact' | 'heard_at' | 'known_since'>;

/** Records the silences of machines that are heard again. Call it in a transaction. */
export async function noteReturns(
	database: Database,
	machines: readonly Returned[],
	{listeningSince = () => -Infinity}: {readonly listeningSince?: () => number},
	now: number,
): Promise<void> {
	const strangers = machines.filter(({known_since: known}) => known === null);
	await store.noteKnown(
		database,
		strangers.map(({id}) => id),
		now,
	);
	const silences = machines.flatMap(({id, contact, heard_at: heard, known_since: known}) => {
		if (contact === 'heard' || heard === null || known === null) return [];
		// Time in which the market was down does not count.
		const since = Math.max(heard, listeningSince());
		return since < now ? [{machine_id: id, since, until: now, excused: 0 as const}] : [];
	});
	await store.insertSilences(database, silences);
	const lost = silences.filter(({since, until}) => until - since >= LOST_SECONDS);
	await hastenTests(
		database,
		lost.map(({machine_id: id}) => id),
		now,
	);
	await store.judgeAgain(
		database,
		[...strangers.map(({id}) => id), ...silences.map(silence => silence.machine_id)],
		now,
	);
}

type Failure = Pick<Report, 'status_msg' | 'fault'>;

/** Records a failed start. Call it in a transaction. */
export async function noteFailedStart(
	database: Database,
	row: InstanceRow,
	{status_msg: message, fault}: Failure,
	now: number,
): Promise<void> {
	const isMachines = fault === 'machine' || (await isProven(database, row, now));
	await store.insertFailedStart(database, {
		machine_id: row.machine_id,
		account_id: row.account_id,
		instance_id: row.id,
		image: row.image,
		at: now,
		message: message ?? '',
		counts: isMachines ? 1 : 0,
	});
	await store.judgeAgain(database, [row.machine_id], now);
	const machine = await findMachine(database, row.machine_id);
	if (machine === undefined || machine.made_up === 1 || machine.quarantine !== null) return;
	const released = await store.lastMarked(database, machine.id, 'released');
	const since = Math.max(now - QUARANTINE_SECONDS, released);
	const provider = await findPersonAccountId(database, machine.account_id);
	const failed = await withPersons(database, await store.failedStarts(database, machine.id, since));
	const others = failed.filter(({person}) => person !== provider);
	const renters = new Set(others.map(({person}) => person)).size;
	if (others.length < QUARANTINE_STARTS || renters < QUARANTINE_RENTERS) return;
	const why = `${others.length} rentals of ${renters} renters could not start within a day.`;
	await quarantine(database, machine, {saidBy: 'market', why, now});
	await planTest(database, machine.id, now);
}

/** True if the same order recently ran on another machine, neither rented by nor from this renter. */
async function isProven(database: Database, row: InstanceRow, now: number): Promise<boolean> {
	const person = await findPersonAccountId(database, row.account_id);
	for (const {renter, provider} of await store.ranElsewhere(database, row, now - COUNTED_SECONDS)) {
		const persons = [
			await findPersonAccountId(database, renter),
			await findPersonAccountId(database, provider),
		];
		if (!persons.includes(person)) return true;
	}
	return false;
}

async function withPersons(database: Database, starts: readonly store.FailedStart[]) {
	const persons = starts.map(async start => ({
		...start,
		person: await findPersonAccountId(database, start.accountId),
	}));
	return Promise.all(persons);
}

/** Failed starts, of several renters within a day, that put a machine into quarantine. */
const QUARANTINE_SECONDS = DAY;
const QUARANTINE_STARTS = 3;
const QUARANTINE_RENTERS = 2;

type Word = {
	readonly saidBy: 'market' | 'operator';
	readonly why: string;
	readonly now: number;
};

/**
 * Puts a machine into quarantine: it cannot be rented, and rentals go on. Call it in a transaction.
 */
export async function quarantine(
	database: Database,
	{id, account_id: accountId}: MachineRow,
	{saidBy, why, now}: Word,
): Promise<void> {
	await store.changeTrust(database, id, {quarantine: why});
	await store.insertReliabilityMark(database, {
		machine_id: id,
		at: now,
		mark: 'quarantined',
		said_by: saidBy,
		why,
	});
	await refreshOffers(database, id, now);
	await notifyAccount(database, accountId, {
		kind: 'host:machine_error',
		subject: `Nobody can rent machine ${id} until it passes its test`,
		message: why,
		at: now,
	});
}

/** Lets a machine out of quarantine. Call it in a transaction. */
export async function release(
	database: Database,
	{id}: Pick<MachineRow, 'id'>,
	{saidBy, why, now}: Word,
): Promise<void> {
	await store.changeTrust(database, id, {quarantine: null});
	await store.insertReliabilityMark(database, {
		machine_id: id,
		at: now,
		mark: 'released',
		said_by: saidBy,
		why,
	});
	await refreshOffers(database, id, now);
}

/** Marks a machine and its offers. The operator's mark stands until the operator withdraws it. */
export async function setVerification(
	database: Database,
	{id, verification: before}: Pick<MachineRow, 'id' | 'verification'>,
	mark: 'verified' | 'unverified' | 'deverified',
	{saidBy, why, now}: Word,
): Promise<void> {
	const known = await store.lastVerdict(database, id);
	if (before === mark && known?.said_by === saidBy) return;
	await store.changeTrust(database, id, {verification: mark});
	await store.insertReliabilityMark(database, {
		machine_id: id,
		at: now,
		mark,
		said_by: saidBy,
		why,
	});
	await showTrust(database, id, now);
}
