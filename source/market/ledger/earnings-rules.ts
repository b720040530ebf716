/** Earnings of a provider as it reads them: by machine, by day, and what is owed. */
import type {ChargeItem} from '../database/instance-tables.ts';
import {Refusal} from '../base/refusal.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';

type Query = Partial<Readonly<Record<'sday' | 'eday' | 'last_days', number | null | undefined>>>;

const MOST_DAYS = 366;
const USUAL_DAYS = 30;

/**
 * Days that a query means, both ends among them.
 *
 * @throws Refusal for days that cannot be.
 */
export function daysOf({sday, eday, last_days: last}: Query, today: number) {
	const count = Math.floor(last ?? USUAL_DAYS);
	const isSpan = last === undefined || last === null;
	const end = isSpan && eday !== undefined && eday !== null ? Math.floor(eday) : today;
	const start = isSpan && sday !== undefined && sday !== null ? Math.floor(sday) : end - count + 1;
	if (count >= 1 && start <= end && end - start < MOST_DAYS) return {first: start, last: end};
	throw new Refusal('badArguments', `The days must be at least one, and at most ${MOST_DAYS}.`);
}

type Earned = {
	readonly day: number;
	readonly machineId: number;
	readonly item: ChargeItem;
	readonly micros: number;
};

type Account = {
	readonly owed: {readonly grossMicros: number; readonly shareMicros: number};
	readonly account: {
		readonly username: string | null;
		readonly email: string | null;
		readonly fullname: string | null;
		readonly creditMicros: number;
		/** What its owner has set about it. */
		readonly details: Readonly<Record<string, unknown>>;
	};
};

export function earningsRecord(earned: readonly Earned[], {owed, account}: Account) {
	const {gpu_earn, sto_earn, bwu_earn, bwd_earn} = sums(earned);
	const byMachine = Map.groupBy(earned, ({machineId}) => machineId);
	const byDay = Map.groupBy(earned, ({day}) => day);
	const {grossMicros, shareMicros} = owed;
	return {
		summary: {
			total_gpu: gpu_earn,
			total_stor: sto_earn,
			total_bwu: bwu_earn,
			total_bwd: bwd_earn,
		},
		current: {
			balance: dollars(grossMicros),
			service_fee: dollars(shareMicros),
			total: dollars(grossMicros - shareMicros),
			credit: dollars(account.creditMicros),
		},
		per_machine: [...byMachine].map(([id, rows]) => ({machine_id: id, ...sums(rows)})),
		per_day: [...byDay]
			.toSorted(([one], [other]) => one - other)
			.map(([day, rows]) => ({day, ...sums(rows)})),
		username: account.username ?? '',
		email: account.email ?? '',
		fullname: account.fullname ?? '',
		...addressIn(account.details),
	};
}

/** The address for bills, as far as it was set. */
function addressIn(details: Account['account']['details']) {
	const field = (name: string) => {
		const text = details[`billaddress_${name}`];
		return typeof text === 'string' ? text : '';
	};
	return {
		address1: field('line1'),
		address2: field('line2'),
		city: field('city'),
		zip: field('zip'),
		country: field('country'),
		taxinfo: field('taxinfo'),
	};
}

function sums(rows: readonly Earned[]) {
	const sumOf = (...wanted: readonly ChargeItem[]) =>
		dollars(rows.reduce((sum, {item, micros}) => (wanted.includes(item) ? sum + micros : sum), 0));
	return {
		gpu_earn: sumOf('gpu', 'end'),
		sto_earn: sumOf('disk'),
		bwu_earn: sumOf('bwu'),
		bwd_earn: sumOf('bwd'),
	};
}

function dollars(micros: number): number {
	return micros / MICROS_PER_DOLLAR;
}
