/** Balance of an account at a moment between two charges. */
import {billLimits, type ContactTimeouts} from '../lifecycle/contact-rules.ts';
import {amountMicros, dayNumberOf, diskQuantity, toMs} from '../ledger/metering-rules.ts';
import {readAccount} from '../ledger/accounts-store.ts';
import type {ChangeNumbers} from '../database/changes.ts';
import {
	MOST_DEBT_MICROS,
	type Bill,
	type ChargedUsage,
	type PricedCharge,
} from '../ledger/charge-prices-store.ts';
import {priceBills, priceWhole} from '../ledger/charges-store.ts';
import type {Database} from '../database/database.ts';
import {instancesBilledTo, volumesBilledTo} from '../ledger/unbilled-store.ts';
import {instanceBill, volumeBill} from '../lifecycle/bills.ts';
import {DAY_MS} from '../../contract/rules/durations.ts';

type Moment = {readonly patience: ContactTimeouts; readonly now: number};

type OpenCharge = {readonly day: number; readonly micros: number};

type Balance = {
	readonly creditMicros: number;
	/** Charges already subtracted from the balance and not yet written. */
	readonly open: readonly OpenCharge[];
};

/** Cached uncharged usage of an account on a day, so that it is not read at each moment. */
type OpenLines = {
	readonly version: number;
	readonly day: number;
	/** Time at which the first machine counts as silent without a heartbeat. */
	readonly until: number;
	readonly lines: readonly OpenLine[];
	/** Deposits by bill, which pay for lines before the credit does. */
	readonly deposits: ReadonlyMap<number, number>;
};

/** A charge that grows for as long as its day and its machine last. */
type OpenLine = Pick<PricedCharge['row'], 'item' | 'day' | 'rate_micros'> & {
	readonly gb: number;
	readonly fromMs: number;
	readonly untilMs: number;
	/** Quantity and cost already charged. */
	readonly quantity: number;
	readonly micros: number;
	/** Additional cost until its end. */
	readonly addedMicros: number;
	/** Index of the bill, if a deposit pays for it. */
	readonly bill: number | undefined;
	/** Number of identical charges, this one included. */
	count: number;
};

/** The most accounts whose lines are cached. */
const MOST_ACCOUNTS = 1000;

export type Balances = {
	/** Balance of an account as if all usage were charged at this moment. Writes nothing. */
	readonly read: (accountId: number, moment: Moment) => Promise<Balance>;
};

/** Balances whose open charges are read again only after a change of the account. */
export function createBalances(database: Database, changes: ChangeNumbers): Balances {
	const kept = new Map<number, OpenLines>();

	async function linesOf(accountId: number, moment: Moment): Promise<OpenLines> {
		const version = changes.ofAccount(accountId);
		const known = kept.get(accountId);
		kept.delete(accountId);
		const isCurrent =
			known?.version === version &&
			known.day === dayNumberOf(moment.now) &&
			moment.now < known.until;
		const lines = isCurrent ? known : {version, ...(await readLines(database, accountId, moment))};
		kept.set(accountId, lines);
		const [oldest] = kept.keys();
		if (kept.size > MOST_ACCOUNTS && oldest !== undefined) kept.delete(oldest);
		return lines;
	}

	async function read(accountId: number, moment: Moment): Promise<Balance> {
		await changes.catchUp();
		const {creditMicros} = await readAccount(database, accountId);
		const lines = await linesOf(accountId, moment);
		const whole = openAt(lines, moment.now);
		// With enough credit, no charge is cut.
		const open =
			sumOf(whole) <= creditMicros + debtOf(lines)
				? whole
				: await limitedOpen(database, accountId, moment);
		const again = await readAccount(database, accountId);
		// The account was charged meanwhile, so open charges may count twice.
		if (again.creditMicros !== creditMicros) return read(accountId, moment);
		return {creditMicros: creditMicros - sumOf(open), open};
	}

	return {read};
}

/** Debt up to which no charge of these lines is reduced. */
function debtOf({lines}: OpenLines): number {
	return lines.some(({item}) => item === 'gpu') ? 0 : MOST_DEBT_MICROS;
}

function sumOf(open: readonly OpenCharge[]): number {
	return open.reduce((sum, {micros}) => sum + micros, 0);
}

/** Uncharged usage of an account's instances and volumes, priced until the end of the day. */
async function readLines(
	database: Database,
	accountId: number,
	{patience, now}: Moment,
): Promise<Omit<OpenLines, 'version'>> {
	const day = dayNumberOf(now);
	const midnight = ((day + 1) * DAY_MS) / 1000;
	const {bills, sizes, machines} = await readBills(database, accountId, {patience, now: midnight});
	const priced = await priceWhole(database, bills);
	const deposits = new Map(
		bills.flatMap(({deposit}, bill) =>
			deposit === undefined ? [] : [[bill, deposit.micros] as const],
		),
	);
	const lines = priced.flatMap((used, index) => {
		const bill = deposits.has(index) ? index : undefined;
		return used.map(({charge, usage}) => lineOf(charge, usage, {bill, gb: sizes[index] ?? 0}));
	});
	return {day, until: silenceOf(machines, patience), lines: together(lines), deposits};
}

/**
 * Joins identical lines, which have run since midnight on equal terms, so that they are priced
 * once.
 */
function together(lines: readonly OpenLine[]): readonly OpenLine[] {
	const known = new Map<string, OpenLine>();
	for (const [index, line] of lines.entries()) {
		// A line with a deposit stays apart.
		const name = line.bill === undefined ? Object.values(line).join() : `line ${index}`;
		const same = known.get(name);
		if (same === undefined) known.set(name, {...line});
		else same.count += 1;
	}
	return [...known.values()];
}

/** Charges of an account whose credit does not cover all of them. */
async function limitedOpen(
	database: Database,
	accountId: number,
	moment: Moment,
): Promise<readonly OpenCharge[]> {
	const {bills} = await readBills(database, accountId, moment);
	const charges = await priceBills(database, bills);
	return charges.map(({row: {day}, addedMicros, prepaidMicros}) => ({
		day,
		micros: addedMicros - prepaidMicros,
	}));
}

type ReadBills = {
	readonly bills: readonly Bill[];
	/** GB of the disk of each bill. */
	readonly sizes: readonly number[];
	readonly machines: readonly Heard[];
};

/**
 * Bills of an account until a moment, if its machines send no heartbeat meanwhile.
 */
async function readBills(
	database: Database,
	accountId: number,
	{patience, now}: Moment,
): Promise<ReadBills> {
	const instances = await instancesBilledTo(database, accountId);
	const volumes = await volumesBilledTo(database, accountId);
	// Silence counts even before it is recorded.
	const bills = [
		...instances.map(row => instanceBill(row, billLimits(row, patience), now)),
		...volumes.map(row => volumeBill(row, {...row, ...billLimits(row, patience)}, now)),
	];
	const sizes = [...instances.map(row => row.disk_gb), ...volumes.map(row => row.size_gb)];
	return {bills, sizes, machines: [...instances, ...volumes]};
}

type Heard = {readonly heard_at: number | null; readonly disk_until: number | null};

function silenceOf(machines: readonly Heard[], {silentAfter}: ContactTimeouts): number {
	return machines.reduce(
		(first, {heard_at: heardAt, disk_until: noted}) =>
			heardAt === null || noted !== null ? first : Math.min(first, heardAt + silentAfter),
		Infinity,
	);
}

function lineOf(
	{row, addedMicros}: PricedCharge,
	usage: ChargedUsage,
	of: Pick<OpenLine, 'bill' | 'gb'>,
): OpenLine {
	return {
		...of,
		item: row.item,
		day: row.day,
		rate_micros: row.rate_micros,
		fromMs: toMs(usage.from),
		untilMs: toMs(usage.until),
		quantity: row.quantity - usage.quantity,
		micros: row.amount_micros - addedMicros,
		addedMicros,
		count: 1,
	};
}

/** Uncharged usage at a moment, by day. */
function openAt({lines, deposits}: OpenLines, now: number): readonly OpenCharge[] {
	const nowMs = toMs(now);
	const byDay = new Map<number, number>();
	const left = new Map(deposits);
	let [day, sum] = [0, 0];
	for (const line of lines) {
		if (line.day !== day) {
			byDay.set(day, (byDay.get(day) ?? 0) + sum);
			[day, sum] = [line.day, 0];
		}
		sum += line.count * ofCredit(microsAt(line, nowMs), line.bill, left);
	}
	byDay.set(day, (byDay.get(day) ?? 0) + sum);
	return [...byDay].map(([ofDay, micros]) => ({day: ofDay, micros}));
}

/** Part of a cost that the credit pays, beyond the deposit. */
function ofCredit(micros: number, bill: number | undefined, left: Map<number, number>): number {
	const deposit = bill === undefined ? undefined : left.get(bill);
	if (bill === undefined || deposit === undefined) return micros;
	const paid = Math.min(deposit, micros);
	left.set(bill, deposit - paid);
	return micros - paid;
}

/** Growth of a charge until a moment. */
function microsAt(line: OpenLine, nowMs: number): number {
	const {item, fromMs, untilMs, quantity, micros} = line;
	if (nowMs >= untilMs) return line.addedMicros;
	if (nowMs <= fromMs) return 0;
	const midnight = line.day * DAY_MS;
	const used =
		item === 'gpu' ? nowMs - fromMs : diskQuantity(fromMs - midnight, nowMs - midnight, line.gb);
	return used === 0 ? 0 : amountMicros(item, quantity + used, line.rate_micros) - micros;
}
