/** The operator's actions on accounts and their money. */
import type {verdicts} from '../../contract/nouns/operator.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {Refusal} from '../base/refusal.ts';
import {readBalances, knownAccount} from '../ledger/accounts-store.ts';
import {MARKET} from '../database/account-tables.ts';
import type {Database} from '../database/database.ts';
import {createKey, deleteKeyRow, listKeys} from '../api-keys/store.ts';
import {bookSum, sumsOfAll} from '../ledger/store.ts';
import {findMachine} from '../lifecycle/machines-store.ts';
import {listMachines} from '../machines/provider-machines-store.ts';
import type {MachineDayRow, MachineMarkRow} from '../database/provider-tables.ts';
import {daysOfMachine, reliabilityMarksOf} from '../reliability/store.ts';
import {writing, writingOn} from '../database/writing.ts';
import {quarantine, release, setVerification} from '../reliability/reliability.ts';
import {insertInvitation, listAccounts, type ListedAccount} from '../accounts/people-store.ts';
import {chargeAccount} from '../billing/charging.ts';
import {enterCredit, recordPayout} from '../accounts/payments.ts';
import {closeAccount, openAccount, type AccountOpening} from '../accounts/people.ts';
import {relayCalls} from '../relay/operated.ts';
import {DAY} from '../../contract/rules/durations.ts';

/** The most accounts of a page. */
const MOST_LISTED = 1000;

type Money = {
	readonly id: number;
	readonly dollars: number;
	readonly description?: string | undefined;
};

export function operatorOf(database: Database, now: Now) {
	return {
		...accountCalls(database, now),
		...moneyCalls(database, now),
		...keyCalls(database, now),
		...machineCalls(database, now),
		...relayCalls(database, now),
	};
}

type Now = () => number;

function accountCalls(database: Database, now: Now) {
	return {
		async accounts(after = 0) {
			const rows = await listAccounts(database, {after, most: MOST_LISTED});
			const next = rows.length < MOST_LISTED ? null : (rows.at(-1)?.id ?? null);
			return {accounts: rows.map(recordOf), next_after: next};
		},
		async addAccount(opening: Omit<AccountOpening, 'now'>) {
			const {id, keyId, key} = await openAccount(database, {
				...opening,
				isEmailProven: true,
				now: now(),
			});
			return {success: true, id, key_id: keyId, api_key: key} as const;
		},
		async closeAccount(id: number) {
			await closeAccount(database, id, now());
			const {creditMicros, earnedMicros} = await readBalances(database, id);
			const left = `${dollarsOf(creditMicros)} of credit, ${dollarsOf(earnedMicros)} of earnings`;
			const msg: string = `Account ${id} is closed. It has ${left}.`;
			return {success: true as const, msg};
		},
		async invite({email, kind, days}: Invited) {
			const created_at = now();
			const expires_at = created_at + days * DAY;
			const whom = {email: email?.toLowerCase() ?? null, kind: kind ?? null};
			const token = await writingOn(database, {}, async transaction =>
				insertInvitation(transaction, {created_at, expires_at, ...whom}),
			);
			return {success: true, token, expires_at} as const;
		},
	};
}

function moneyCalls(database: Database, now: Now) {
	return {
		async giveCredit({id, dollars, description = 'Credit', reference}: PaymentEntry) {
			await knownAccount(database, id);
			await chargeAccount(database, id, now());
			const credit = {micros: microsOf(dollars), description, now: now()};
			const named = reference === undefined ? {} : {reference: `operator ${reference}`};
			const entered = await enterCredit(database, id, {...credit, ...named});
			const {creditMicros} = await readBalances(database, id);
			return {success: true, entered, credit: creditMicros / MICROS_PER_DOLLAR} as const;
		},
		async payOut({id, dollars, description = 'Payout', toCredit}: Money & {toCredit: boolean}) {
			const {kind} = await knownAccount(database, id);
			if (kind === 'operator') {
				throw new Refusal('badArguments', 'An operator’s account has no money.');
			}
			const micros = microsOf(dollars);
			if (micros <= 0) throw new Refusal('badArguments', 'amount must be more than nothing');
			await recordPayout(database, {accountId: id, micros, description, toCredit, now: now()});
			const {earnedMicros} = await readBalances(database, id);
			return {success: true, earnings: earnedMicros / MICROS_PER_DOLLAR} as const;
		},
		async balance() {
			const sums = await sumsOfAll(database);
			return {
				share: (await bookSum(database, MARKET, 'share')) / MICROS_PER_DOLLAR,
				received: -(await bookSum(database, MARKET, 'outside')) / MICROS_PER_DOLLAR,
				credit: sums.credit / MICROS_PER_DOLLAR,
				earnings: sums.earned / MICROS_PER_DOLLAR,
				unpaid: sums.unpaid / MICROS_PER_DOLLAR,
				deposits: sums.deposits / MICROS_PER_DOLLAR,
				open: sums.open / MICROS_PER_DOLLAR,
			};
		},
	};
}

function keyCalls(database: Database, now: Now) {
	return {
		async keys(id: number) {
			await knownAccount(database, id);
			return listKeys(database, {accountId: id, memberId: 'anybody'});
		},
		async addKey(id: number, name: string) {
			const key = await writingOn(database, {accounts: [id]}, async transaction => {
				await knownAccount(transaction, id);
				return createKey(transaction, {accountId: id, name, now: now()});
			});
			return {success: true, key_id: key.id, api_key: key.value} as const;
		},
		async deleteKey(accountId: number, id: number) {
			await writing(database, async transaction => {
				await knownAccount(transaction, accountId);
				const name = {id, accountId, memberId: 'anybody'} as const;
				if (await deleteKeyRow(transaction, name, now())) return;
				throw new Refusal('noSuchKey', `Account ${accountId} has no API key ${id}.`);
			});
			const msg: string = `API key ${id} has ended.`;
			return {success: true as const, msg};
		},
	};
}

/** The most marks and days of a machine in a reply. */
const MOST_SHOWN = 100;

function machineCalls(database: Database, now: Now) {
	return {
		async machines(after = 0) {
			const rows = await listMachines(database, {after, most: MOST_LISTED});
			const next = rows.length < MOST_LISTED ? null : (rows.at(-1)?.id ?? null);
			const machines = rows.map(({verification, listed, ...row}) => {
				return {...row, listed: listed === 1, verification: verification ?? 'unverified'};
			});
			return {machines, next_after: next};
		},
		async machine(id: number) {
			const {verification, quarantine: why} = await providedMachine(database, id);
			return {
				id,
				verification: verification ?? 'unverified',
				quarantine: why,
				marks: (await reliabilityMarksOf(database, id, MOST_SHOWN)).map(shownMark),
				days: (await daysOfMachine(database, id, MOST_SHOWN)).map(shownDay),
			};
		},
		async markMachine({id, verification, quarantined, why = ''}: Marking) {
			await writing(database, async transaction => {
				const machine = await providedMachine(transaction, id);
				const word = {saidBy: 'operator', why: why || 'The operator says so.', now: now()} as const;
				if (verification === 'tested') {
					const market = {...word, saidBy: 'market'} as const;
					await setVerification(transaction, machine, 'unverified', market);
				} else if (verification !== undefined) {
					await setVerification(transaction, machine, verification, word);
				}
				const isKept = machine.quarantine !== null;
				if (quarantined === true && !isKept) await quarantine(transaction, machine, word);
				if (quarantined === false && isKept) await release(transaction, machine, word);
			});
			const msg: string = `Machine ${id} is marked.`;
			return {success: true as const, msg};
		},
	};
}

function shownMark({at, mark, said_by, why}: MachineMarkRow) {
	const record: Record<'mark' | 'said_by' | 'why', string> = {mark, said_by, why};
	return {at, ...record};
}

function shownDay({day, reliability, due_seconds, silent_seconds, ...starts}: MachineDayRow) {
	const {rentals, failed} = starts;
	return {day, reliability, due_seconds, silent_seconds, rentals, failed};
}

type Marking = {
	readonly id: number;
	readonly verification?: (typeof verdicts)[number] | undefined;
	readonly quarantined?: boolean | undefined;
	readonly why?: string | undefined;
};

/** Made-up machines cannot be changed. */
async function providedMachine(database: Database, id: number) {
	const machine = await findMachine(database, id);
	if (machine !== undefined && machine.made_up === 0 && machine.removed_at === null) return machine;
	throw new Refusal('noSuchMachine', 'No such machine id', {fields: {machine_id: id}});
}

type PaymentEntry = Money & {readonly reference?: string | undefined};

type Invited = {
	readonly email?: string | undefined;
	readonly kind?: 'renter' | 'provider' | 'both' | undefined;
	readonly days: number;
};

function recordOf(row: ListedAccount) {
	const {credit_micros: credit, earned_micros: earned, parent_id, owner_id, ...rest} = row;
	return {
		...rest,
		keys: row.keys ?? 0,
		parent_id: parent_id ?? owner_id,
		credit: credit / MICROS_PER_DOLLAR,
		earnings: earned / MICROS_PER_DOLLAR,
	};
}

function microsOf(dollars: number): number {
	return Math.round(dollars * MICROS_PER_DOLLAR);
}

function dollarsOf(micros: number): string {
	return `$${(micros / MICROS_PER_DOLLAR).toFixed(2)}`;
}
