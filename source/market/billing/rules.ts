/** Billing records made from charges and payments. */
import type {BillingRecord, LedgerLine, RecordItem, Invoice} from '../../contract/nouns/billing.ts';
import type {BalancedInvoice, PaymentRow, SourceFacts} from '../database/account-tables.ts';
import type {ChargeItem, ChargeRow} from '../database/instance-tables.ts';
import {unitsOf} from '../ledger/metering-rules.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {DAY_MS} from '../../contract/rules/durations.ts';

/** Names of charge items: title, unit of the quantity, and form of the rate. */
const words: Readonly<Record<ChargeItem, Words>> = {
	gpu: {name: 'computing', unit: 'hour', per: 'an hour'},
	disk: {name: 'disk', unit: 'GB month', per: 'per GB and month'},
	bwd: {name: 'traffic in', unit: 'GB', per: 'per GB'},
	bwu: {name: 'traffic out', unit: 'GB', per: 'per GB'},
	end: {name: 'discount returned at an early end', unit: 'dollar', per: 'a dollar'},
};

type Words = {readonly name: string; readonly unit: string; readonly per: string};

type Source = Pick<ChargeRow, 'source' | 'source_id'>;

/** Cost of a stretch of time. */
type Sum = {readonly micros: number; readonly start: number; readonly end: number};

export function chargeRecord(
	row: Source & Sum & {readonly day: number},
	facts: SourceFacts,
	charges: readonly ChargeRow[],
): BillingRecord {
	return {
		...sourceItem(row, facts.name),
		metadata: {[`${row.source}_id`]: row.source_id, ...facts, day: dayText(row.day)},
		items: charges.map(chargeItem),
	};
}

/** Record of a source, without its charges. */
function sourceItem(row: Source & Sum, name: string | undefined) {
	return {
		...spanOf(row),
		type: row.source,
		source: `${row.source}-${row.source_id}`,
		description: describeSource(row, name),
		amount: dollarsOf(row.micros),
		metadata: {},
		items: [],
	} satisfies RecordItem;
}

function chargeItem(row: ChargeRow): RecordItem {
	const {item, quantity, rate_micros: rate} = row;
	const {name, unit, per} = words[item];
	return {
		...spanOf({start: row.first_at, end: row.last_at}),
		type: item,
		source: null,
		description: `${name}, $${dollarsOf(rate)} ${per}`,
		quantity: unitsOf(item, quantity),
		rate: dollarsOf(rate),
		amount: dollarsOf(row.amount_micros),
		metadata: {unit},
		items: [],
	};
}

/** Span in whole seconds, for existing clients. */
function spanOf({start, end}: Pick<Sum, 'start' | 'end'>) {
	return {start: Math.floor(start), end: Math.ceil(end)};
}

type Payment = Pick<PaymentRow, 'id' | 'at' | 'description' | 'service' | 'source'> & {
	readonly type: PaymentRow['kind'];
	readonly micros: number;
};

/** Record of a payment, negative for one from the account. */
export function paymentRecord(payment: Payment): BillingRecord {
	const {id, at, type, micros, description, service, source} = payment;
	return {
		start: at,
		end: at,
		type,
		source: source ?? 'credit',
		description,
		amount: dollarsOf(micros),
		metadata: {invoice_id: id, service},
		items: [],
	};
}

/**
 * Record of a day's usage, negative for the account, without usage that was paid ahead, which has an
 * invoice already.
 */
export function usageRecord(
	day: number,
	sums: ReadonlyArray<Sum & {readonly prepaid: number}>,
): BillingRecord {
	const ahead = sums.reduce((sum, {prepaid}) => sum + prepaid, 0);
	const start = Math.min(...sums.map(sum => sum.start));
	const end = Math.max(...sums.map(sum => sum.end));
	return {
		...spanOf({start, end}),
		type: 'charge',
		source: 'usage',
		description: `All that was used on ${dayText(day)}${ahead > 0 ? ' and not paid ahead' : ''}`,
		amount: -dollarsOf(sums.reduce((sum, {micros}) => sum + micros, -ahead)),
		metadata: {invoice_id: invoiceNumber(day), service: 'usage'},
		items: [],
	};
}

/** Invoice of a payment or a day in cents, with the credit before and after it. Today's is unpaid. */
export function invoiceOf(
	row: BalancedInvoice,
	{accountId, today}: {readonly accountId: number; readonly today: number},
): Invoice {
	const {at, micros, balance, service} = row;
	const cents = Math.round(Math.abs(micros) / (MICROS_PER_DOLLAR / 100));
	const isPayout = row.kind === 'payout';
	const isOpen = row.kind === 'usage' && row.id >= today;
	return {
		id: row.kind === 'usage' ? invoiceNumber(row.id) : row.id,
		user_id: accountId,
		when: at,
		paid_on: isOpen ? null : at,
		payment_expected: null,
		amount_cents: cents,
		original_amount: cents,
		cut_amount: 0,
		cut_percent: 0,
		balance_before: dollarsOf(isPayout ? balance : balance - micros),
		balance_after: dollarsOf(balance),
		is_credit: micros > 0 && !isPayout,
		is_delayed: false,
		failed: false,
		refunded: false,
		is_check: false,
		service,
		description: row.description ?? `All that was used on ${dayText(row.id)}`,
		event_id: null,
		paypal_email: null,
		transfer_group: null,
		extra: null,
		stripe_charge: null,
		stripe_refund: null,
		stripe_payout: null,
		error: null,
	};
}

/** Line of a charge. The amount is without the part paid ahead, which has its own line. */
export function chargeLine(row: ChargeRow, name: string | undefined): LedgerLine {
	const {item, quantity, rate_micros: rate, source, source_id: id, prepaid_micros: ahead} = row;
	const paid = ahead > 0 ? `, $${dollarsOf(ahead)} of it paid ahead` : '';
	return {
		timestamp: row.last_at,
		type: 'charge',
		amount: dollarsOf(row.amount_micros - ahead),
		description: `${describeSource(row, name)}, ${words[item].name}${paid}`,
		quantity: unitsOf(item, quantity),
		rate: dollarsOf(rate),
		unit: words[item].unit,
		instance_id: source === 'instance' ? id : null,
		volume_id: source === 'volume' ? id : null,
	};
}

export function paymentLine({at, amount_micros, description}: PaymentRow): LedgerLine {
	const amount = dollarsOf(amount_micros);
	const nothing = {instance_id: null, volume_id: null};
	return {
		timestamp: at,
		type: 'payment',
		amount,
		description,
		quantity: 1,
		rate: amount,
		...nothing,
	};
}

function describeSource({source, source_id: id}: Source, name: string | undefined): string {
	const what = source === 'instance' ? `Instance ${id}` : `Volume ${id}`;
	return name === undefined ? what : `${what} (${name})`;
}

export function dollarsOf(micros: number): number {
	return micros / MICROS_PER_DOLLAR;
}

/** Number of a day's invoice: the date in digits. */
function invoiceNumber(day: number): number {
	return Number(dayText(day).replaceAll('-', ''));
}

/** Date of a day since 1970. */
function dayText(day: number): string {
	return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
