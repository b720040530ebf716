import {MOST_BILLING_LINES, MOST_INVOICES} from '../../contract/nouns/billing.ts';
import {meetsBound, type RecordSearch} from '../../contract/nouns/billing-query.ts';
import type {Contract} from '../../contract/index.ts';
import {chargeAccount} from './charging.ts';
import {accountNamed} from '../ledger/accounts-store.ts';
import {Refusal} from '../base/refusal.ts';
import {
	chargeLine,
	chargeRecord,
	dollarsOf,
	invoiceOf,
	paymentLine,
	paymentRecord,
	usageRecord,
} from './rules.ts';
import {dayNumberOf} from '../ledger/metering-rules.ts';
import {readPageToken, writePageToken, type PageKey} from '../base/page-token.ts';
import {balancedInvoices, findSourceFacts, findContracts} from './charged-sources-store.ts';
import {
	allSourceDays,
	findCharges,
	countInvoices,
	countSourceDays,
	invoiceRows,
	latestCharges,
	latestPayments,
	sourceDays,
	spentOn,
	type Days,
	type InvoiceKey,
	type SourceDayKey,
} from './bills-store.ts';
import type {Handler} from '../http/handler.ts';
import type {Balances} from './balance.ts';
import type {ContactTimeouts} from '../lifecycle/contact-rules.ts';

type Calls = Contract['billing'];

type Needs = {readonly balances: Balances; readonly patience: ContactTimeouts};

const badRange = 'Invalid date range';
const noDays = "Must provide both 'day' gte and lte filters for instance charges";

export const charges: Handler<Calls['charges']> = async (
	{query},
	{database, clock, caller: {accountId}},
) => {
	const {range, types, latestFirst, limit} = query;
	if (range === undefined) throw new Refusal('badRequest', noDays);
	await chargeAccount(database, accountId, clock.now());
	const sources = (['instance', 'volume'] as const).filter(
		name => types?.some(type => type === name || type === name.charAt(0)) ?? true,
	);
	const wanted = {accountId, days: daysOf(range), sources};
	const after = readAfter(query, isSourceDayKey);
	const found = await sourceDays(database, wanted, {latestFirst, limit: limit + 1, after});
	const rows = found.slice(0, limit);
	const [facts, items] = [
		await findSourceFacts(database, rows),
		await findCharges(database, {
			accountId,
			days: spanOf(rows.map(({day}) => day)),
			sourceIds: [...new Set(rows.map(({source_id}) => source_id))],
		}),
	];
	const byRow = Map.groupBy(items, nameOfRow);
	const results = rows.map(row => chargeRecord(row, facts(row), byRow.get(nameOfRow(row)) ?? []));
	const last = found.length > limit ? rows.at(-1) : undefined;
	const total = await countSourceDays(database, wanted);
	return pageOf(query, results, total, last && [last.day, last.source, last.source_id]);
};

type RowName = {readonly day: number; readonly source: string; readonly source_id: number};

function nameOfRow({day, source, source_id}: RowName): string {
	return `${day} ${source} ${source_id}`;
}

function isSourceDayKey(key: PageKey): key is SourceDayKey {
	const [day, source, id, ...more] = key;
	const isSource = source === 'instance' || source === 'volume';
	return isSource && Number.isFinite(day) && Number.isFinite(id) && more.length === 0;
}

export const invoices: Handler<Calls['invoices'], Needs> = async (
	{query},
	{database, clock, caller: {accountId}},
) => {
	const {range, types, latestFirst, limit} = query;
	// Existing clients expect this refusal under the status of a success.
	if (range === undefined) {
		const nothing = {count: 0, total: 0, results: [], next_token: null};
		return {success: false, error: badRange, msg: badRange, ...nothing};
	}
	await chargeAccount(database, accountId, clock.now());
	const wanted = {accountId, ...range, days: daysOf(range), types};
	const after = readAfter(query, isInvoiceKey);
	const found = await invoiceRows(database, wanted, {latestFirst, limit: limit + 1, after});
	const rows = found.slice(0, limit);
	const days = spanOf(rows.filter(({kind}) => kind === 'usage').map(({id}) => id));
	const sources = ['instance', 'volume'] as const;
	const used = await allSourceDays(database, {accountId, days, sources});
	const byDay = Map.groupBy(used, ({day}) => day);
	const results = rows.map(row =>
		row.kind === 'payment' ? paymentRecord(row) : usageRecord(row.id, byDay.get(row.id) ?? []),
	);
	const last = found.length > limit ? rows.at(-1) : undefined;
	const total = await countInvoices(database, wanted);
	return pageOf(query, results, total, last && [last.at, last.kind, last.id]);
};

export const latestInvoices: Handler<Calls['latestInvoices'], Needs> = async (
	{query},
	{database, clock, caller: {accountId}},
) => {
	const now = clock.now();
	await chargeAccount(database, accountId, now);
	const rows = await balancedInvoices(database, {...query, accountId, most: MOST_BILLING_LINES});
	const numbers = query.bounds.filter(({column}) => column === 'id');
	return rows
		.map(row => invoiceOf(row, {accountId, today: dayNumberOf(now)}))
		.filter(({id}) => numbers.every(bound => meetsBound(id, bound)))
		.slice(0, MOST_INVOICES);
};

function isInvoiceKey(key: PageKey): key is InvoiceKey {
	const [at, kind, id, ...more] = key;
	const isKind = kind === 'payment' || kind === 'usage';
	return isKind && Number.isFinite(at) && Number.isFinite(id) && more.length === 0;
}

export const userInvoices: Handler<Calls['userInvoices'], Needs> = async (
	{params, query: {range, withCharges}},
	{database, balances, clock, patience, caller},
) => {
	const accountId = await accountNamed(database, params.user_id, caller.accountId);
	const now = clock.now();
	await chargeAccount(database, accountId, now);
	const wanted = {accountId, ...range, days: daysOf(range), most: MOST_BILLING_LINES};
	const payments = await latestPayments(database, wanted);
	const charged = withCharges ? await latestCharges(database, wanted) : [];
	const facts = await findSourceFacts(database, charged);
	const lines = [
		...payments.map(paymentLine),
		...charged.map(row => chargeLine(row, facts(row).name)),
	];
	const byTime = lines.toSorted((one, other) => (one.timestamp ?? 0) - (other.timestamp ?? 0));
	const balance = await balances.read(accountId, {patience, now});
	const today = await spentOn(database, accountId, dayNumberOf(now));
	const open = balance.open.filter(({day}) => day === dayNumberOf(now));
	const spent = dollarsOf(open.reduce((sum, {micros}) => sum + micros, today));
	return {
		invoices: byTime.slice(-MOST_BILLING_LINES),
		current: {charges: spent, total: spent, credit: dollarsOf(balance.creditMicros)},
	};
};

export const contracts: Handler<Calls['contracts']> = async (
	{body: {label, ids}},
	{database, caller: {accountId}},
) => {
	if (ids?.length === 0) return {contracts: []};
	const rows = await findContracts(database, {accountId, label, ids, most: MOST_BILLING_LINES});
	return {
		contracts: rows.map(({created_at, destroyed_at, ...row}) => ({
			...row,
			start_date: created_at,
			end_date: destroyed_at,
		})),
	};
};

function daysOf({from, until}: NonNullable<RecordSearch['range']>): Days {
	return {first: dayNumberOf(from), last: dayNumberOf(until)};
}

function spanOf(days: readonly number[]): Days {
	return days.length === 0
		? {first: 0, last: -1}
		: {first: Math.min(...days), last: Math.max(...days)};
}

/** Parts of a search that decide which rows follow, for the page token. */
function pagedBy({range, types, latestFirst}: RecordSearch) {
	return {range, types, latestFirst};
}

function readAfter<Key extends PageKey>(
	search: RecordSearch,
	isKey: (key: PageKey) => key is Key,
): Key | undefined {
	if (search.after === undefined) return undefined;
	return readPageToken(search.after, pagedBy(search), isKey);
}

function pageOf<Result>(
	search: RecordSearch,
	results: Result[],
	total: number,
	last: PageKey | undefined,
) {
	return {
		success: true,
		count: results.length,
		total,
		next_token: last === undefined ? null : writePageToken(pagedBy(search), last),
		results,
	};
}
