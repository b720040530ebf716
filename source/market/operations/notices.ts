/** Tells accounts of what comes: a lease that ends soon, and credit that is nearly used up. */
import type {Database} from '../store/database.ts';
import {leasesEndingSoon, type EndingLease} from '../store/leases.ts';
import {forgetMoment, readMoment, writeMoment} from '../store/moments.ts';
import {accountsInNeed, lowCreditMoment, type AccountInNeed} from '../store/unbilled.ts';
import {writing} from '../store/writing.ts';
import {nameOf, notifyAccount} from './notify-renter.ts';

/** So long before its end a lease is told of, and once more when it is near. */
const AHEAD_SECONDS = [3600, 600] as const;

/** Credit is low where it lasts for less than a day at what all rentals cost. */
const LOW_HOURS = 24;

/** Tells what is near. Only accounts with a webhook are looked at: nobody else hears of it. */
export async function tellAhead(database: Database, now: number): Promise<void> {
	const last = await readMoment(database, 'leases told');
	const isAny =
		(await leasesEndingSoon(database, {ahead: AHEAD_SECONDS, last, now})).length > 0 ||
		(await changedNeeds(database)).length > 0;
	if (!isAny) return;
	await writing(database, async transaction => {
		await tellLeases(transaction, now);
		for (const account of await changedNeeds(transaction)) {
			await tellCredit(transaction, account, now);
		}
	});
}

async function tellLeases(database: Database, now: number): Promise<void> {
	const last = await readMoment(database, 'leases told');
	const ending = await leasesEndingSoon(database, {ahead: AHEAD_SECONDS, last, now});
	for (const lease of ending) {
		await notifyAccount(database, lease.accountId, {
			kind: 'client:lease_ending',
			subject: `${nameOf(lease)} ends in ${minutes(lease.endsAt - now)}`,
			message: `By its lease it is ${actWords[lease.action]} then.`,
			at: now,
		});
	}
	if (ending.length > 0) await writeMoment(database, 'leases told', now);
}

const actWords: Readonly<Record<EndingLease['action'], string>> = {
	stop: 'stopped',
	destroy: 'destroyed',
	'stop-destroy': 'stopped, and destroyed an hour later,',
};

function minutes(seconds: number): string {
	const count = Math.max(1, Math.round(seconds / 60));
	return count === 1 ? 'a minute' : `${count} minutes`;
}

/** Accounts that have become low and were not told, or are low no longer. */
async function changedNeeds(database: Database): Promise<readonly AccountInNeed[]> {
	const accounts = await accountsInNeed(database, LOW_HOURS);
	return accounts.filter(({isLow, isTold}) => isLow !== isTold);
}

async function tellCredit(
	database: Database,
	{id, isLow, creditMicros, hourlyMicros}: AccountInNeed,
	now: number,
): Promise<void> {
	if (!isLow) return forgetMoment(database, lowCreditMoment(id));
	const left = Math.max(0, creditMicros / hourlyMicros);
	await notifyAccount(database, id, {
		kind: 'client:low_credit',
		subject: `Credit lasts for ${left < 1 ? 'less than an hour' : `about ${Math.floor(left)} hours`}`,
		message: `${dollars(creditMicros)} are left; all that is rented costs at most ${dollars(hourlyMicros)} an hour. Without credit it is stopped.`,
		at: now,
	});
	return writeMoment(database, lowCreditMoment(id), now);
}

function dollars(micros: number): string {
	return `$${(micros / 1e6).toFixed(2)}`;
}
