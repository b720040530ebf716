/** Notifies accounts of approaching ends, of idle GPUs and of low credit. */
import {isOn} from '../../contract/nouns/people.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import type {Database} from '../database/database.ts';
import {leasesEndingSoon, type EndingLease} from '../leases/store.ts';
import {forgetMoment, readMoment, writeMoment} from '../database/moments.ts';
import {
	accountsWithWebhook,
	lowCreditMoment,
	type AccountWithWebhook,
} from '../ledger/unbilled-store.ts';
import {writing} from '../database/writing.ts';
import {formatInstanceName, notifyAccount, type News} from '../notifications/notify-renter.ts';
import {idleMoment} from '../notifications/rules.ts';
import {idleInstances, instancesEndingSoon, listingsEndingSoon} from './notices-store.ts';
import {DAY} from '../../contract/rules/durations.ts';

/** Seconds before the end of a lease at which its account is notified, twice. */
const AHEAD_SECONDS = [3600, 600] as const;

/** Hours of all rentals' cost below which credit is low. */
const LOW_HOURS = 24;

type Notice = News & {readonly accountId: number};

/**
 * Notifications that come due by time, each sent once: the name under which the last time is
 * stored, and those due since.
 */
const dated = {
	'leases told': async (database, last, now) =>
		(await leasesEndingSoon(database, {ahead: AHEAD_SECONDS, last, now})).map(lease => ({
			accountId: lease.accountId,
			kind: 'client:lease_ending',
			subject: `${formatInstanceName(lease)} ends in ${minutes(lease.endsAt - now)}`,
			message: `By its lease it is ${actWords[lease.action]} then.`,
			at: now,
		})),
	'contracts told': async (database, last, now) =>
		(await instancesEndingSoon(database, {ahead: DAY, last, now})).map(instance => ({
			accountId: instance.accountId,
			kind: 'client:contract_expiring',
			subject: `${formatInstanceName(instance)} can be kept until ${dateOf(instance.endsAt)}`,
			message: 'Its contract ends then: it is stopped.',
			at: now,
		})),
	'listings told': async (database, last, now) =>
		(await listingsEndingSoon(database, {ahead: 7 * DAY, last, now})).map(machine => ({
			accountId: machine.accountId,
			kind: 'host:listing_ending',
			subject: `Machine ${machine.id} is offered until ${dateOf(machine.endsAt)}`,
			message: 'Nobody can rent it from then on.',
			at: now,
		})),
} satisfies Readonly<
	Record<string, (database: Database, last: number, now: number) => Promise<readonly Notice[]>>
>;

/** Notifies accounts with a webhook, the only ones that would receive it. */
export async function notifyAhead(database: Database, now: number): Promise<void> {
	const isAny =
		(await datedNotices(database, now)).length > 0 ||
		(await idleInstances(database, now - DAY)).length > 0 ||
		(await changedNeeds(database)).length > 0;
	if (!isAny) return;
	await writing(database, async transaction => {
		for (const {name, notices} of await datedNotices(transaction, now)) {
			for (const {accountId, ...news} of notices) await notifyAccount(transaction, accountId, news);
			await writeMoment(transaction, name, now);
		}
		for (const instance of await idleInstances(transaction, now - DAY)) {
			await forgetMoment(transaction, idleMoment(instance.id));
			await notifyAccount(transaction, instance.accountId, {
				kind: 'client:gpu_idle',
				subject: `The GPUs of ${formatInstanceName(instance)} do nothing`,
				message: 'They have done nothing for a day, and are paid for.',
				at: now,
			});
		}
		for (const account of await changedNeeds(transaction)) {
			await tellCredit(transaction, account, now);
		}
	});
}

async function datedNotices(database: Database, now: number) {
	const due: Array<{readonly name: string; readonly notices: readonly Notice[]}> = [];
	for (const [name, find] of Object.entries(dated)) {
		const notices = await find(database, await readMoment(database, name), now);
		if (notices.length > 0) due.push({name, notices});
	}
	return due;
}

function dateOf(seconds: number): string {
	return new Date(seconds * 1000).toISOString();
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

type AccountInNeed = AccountWithWebhook & {readonly isLow: boolean};

/** Accounts whose credit has become low, or has recovered, since their last notification. */
async function changedNeeds(database: Database): Promise<readonly AccountInNeed[]> {
	const accounts = await accountsWithWebhook(database);
	return accounts
		.map(account => ({...account, isLow: isLow(account)}))
		.filter(account => account.isLow !== account.isTold);
}

/** True for credit that lasts for less than a day, or is below the owner's threshold. */
function isLow({creditMicros, hourlyMicros, details}: AccountWithWebhook): boolean {
	const lasts = hourlyMicros === 0 || creditMicros >= hourlyMicros * LOW_HOURS;
	return !lasts || creditMicros < thresholdMicros(details);
}

function thresholdMicros(details: string | null): number {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	const set = JSON.parse(details ?? '{}') as Readonly<Record<string, string>>;
	const least = Number(set['balance_threshold']);
	const isAsked = isOn(set['balance_threshold_enabled'] ?? '') && !Number.isNaN(least);
	return !isAsked ? -Infinity : least * MICROS_PER_DOLLAR;
}

async function tellCredit(
	database: Database,
	{id, isLow: isNeeded, creditMicros, hourlyMicros}: AccountInNeed,
	now: number,
): Promise<void> {
	if (!isNeeded) return forgetMoment(database, lowCreditMoment(id));
	const [credit, hourly] = [dollars(creditMicros), dollars(hourlyMicros)];
	const left = Math.max(0, creditMicros / hourlyMicros);
	const lasts = left < 1 ? 'less than an hour' : `about ${Math.floor(left)} hours`;
	const words =
		hourlyMicros === 0
			? {subject: `Credit is down to ${credit}`, message: 'Nothing is rented that uses it up.'}
			: {
					subject: `Credit lasts for ${lasts}`,
					message: `${credit} are left; all that is rented costs at most ${hourly} an hour. Without credit it is stopped.`,
				};
	await notifyAccount(database, id, {kind: 'client:low_credit', ...words, at: now});
	return writeMoment(database, lowCreditMoment(id), now);
}

function dollars(micros: number): string {
	return `$${(micros / MICROS_PER_DOLLAR).toFixed(2)}`;
}
