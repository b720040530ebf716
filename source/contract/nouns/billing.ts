/**
 * Billing records: payments and charges, and invoices in the form of the first version's clients.
 */
import * as z from 'zod/mini';
import {
	parseLedgerSearch,
	parseRecordSearch,
	printLedgerSearch,
	printRecordSearch,
	type LedgerSearch,
	type RecordSearch,
	parseInvoiceSearch,
	printInvoiceSearch,
	type InvoiceSearch,
} from './billing-query.ts';
import {dependentBody, tolerant} from '../grammar/tolerant.ts';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {comparable, FilterError, readNumber} from '../grammar/filter.ts';
import {listReply, bareList} from '../grammar/list-reply.ts';
import {dollars, figure, id, instant, pathUser} from '../grammar/values.ts';

const period = {start: instant, end: instant};
const said = {type: z.string(), source: z.string(), description: z.string()};
const details = z.record(z.string(), z.unknown());

/** Part of a record: a charge for computing, disk or traffic, or the cost of one source. */
const recordItem = tolerant(
	{amount: dollars},
	{
		...period,
		...said,
		/** Hours of computing (`gpu`), GB-months of `disk`, GB in (`bwd`) and out (`bwu`). */
		quantity: figure,
		/** Dollars for a unit of the quantity. */
		rate: dollars,
		metadata: details,
	},
);

/** A payment or a charge over a time range. Unknown fields are kept. */
const billingRecord = tolerant(
	{amount: dollars},
	{...period, ...said, metadata: details, items: z.array(recordItem)},
);

export type RecordItem = z.output<typeof recordItem>;
export type BillingRecord = z.output<typeof billingRecord>;

const ledgerLine = tolerant(
	{},
	{
		timestamp: instant,
		/** `charge` or `payment`. */
		type: z.string(),
		/** Dollars, which some services write as text. */
		amount: z.union([dollars, z.string()]),
		description: z.string(),
		quantity: figure,
		rate: dollars,
		instance_id: id,
	},
);

export type LedgerLine = z.output<typeof ledgerLine>;

const text = z.optional(z.string());
const pageQuery = {select_filters: text, latest_first: text, limit: text, after_token: text};

function recordSearch(column: 'when' | 'day', takes: Readonly<Record<string, z.ZodMiniType>>) {
	return dependentBody<RecordSearch>({
		throws: [FilterError],
		read: query => parseRecordSearch(column, query),
		write: search => printRecordSearch(column, search),
		takes,
	});
}

const ledgerSearch = dependentBody<LedgerSearch>({
	throws: [FilterError],
	read: parseLedgerSearch,
	write: printLedgerSearch,
	takes: {sdate: text, edate: text, inc_charges: text},
});

const page = z.looseObject({
	/** False, with the reason in `error`, for a request without a time range. */
	success: z.optional(z.boolean()),
	error: z.nullish(z.string()),
	msg: z.nullish(z.string()),
	/** Records on this page, and on all pages. */
	count: z.optional(z.number()),
	total: z.optional(z.number()),
	next_token: z.nullish(z.string()),
	results: z.optional(z.array(billingRecord)),
});

const records = listReply(page, {name: 'results', record: billingRecord});

export const invoices = endpoint({
	method: 'GET',
	path: '/api/v1/invoices/',
	summary: 'List payments and what was charged by the day, page by page',
	query: recordSearch('when', pageQuery),
	replies: {200: records, ...recordRefusals},
	failsAs200: true,
	permission: 'billing_read',
	thresholdSeconds: 3,
	unfit: 'badRequest',
	refusesAs: 'bills',
});

export const charges = endpoint({
	method: 'GET',
	path: '/api/v0/charges/',
	summary: 'List what each instance and volume cost on each day, page by page',
	query: recordSearch('day', {...pageQuery, format: text}),
	replies: {200: records, ...recordRefusals},
	failsAs200: true,
	permission: 'billing_read',
	thresholdSeconds: 1,
	unfit: 'badRequest',
	refusesAs: 'bills',
});

/** The most lines in a reply: the latest. */
export const MOST_BILLING_LINES = 10_000;

export const userInvoices = endpoint({
	method: 'GET',
	path: '/api/v0/users/{user_id}/invoices/',
	summary: 'List the latest charges and payments one by one, and what there is to spend',
	params: pathUser,
	query: ledgerSearch,
	replies: {
		200: listReply(
			z.looseObject({
				invoices: z.array(ledgerLine),
				/** Charges of today so far, and the remaining credit. */
				current: z.optional(tolerant({}, {charges: dollars, total: dollars, credit: dollars})),
			}),
			{name: 'invoices', record: ledgerLine},
		),
		...commonRefusals,
	},
	permission: 'billing_read',
	thresholdSeconds: undefined,
	unfit: 'badRequest',
});

/** Instances as charges name them, destroyed ones included. */
const contractRecord = tolerant(
	{id},
	{
		label: z.string(),
		image: z.string(),
		machine_id: id,
		start_date: instant,
		/** Time of destruction. */
		end_date: instant,
	},
);

export type ContractSearch = {
	/** Undefined for any. */
	readonly label: string | undefined;
	/** Undefined for all instances, of which the reply has the latest. */
	readonly ids: readonly number[] | undefined;
};

const contractSearch = dependentBody<ContractSearch>({
	throws: [FilterError],
	read: ({label, contract_ids: ids}) => ({label: readLabel(label), ids: readIds(ids)}),
	write: ({label, ids}) => ({
		...(label !== undefined && {label}),
		...(ids !== undefined && {contract_ids: ids}),
	}),
	takes: {label: z.nullish(z.string()), contract_ids: z.nullish(z.array(z.nullable(id)))},
});

function readLabel(value: unknown): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === 'string') return comparable(value);
	throw new FilterError('label must be text');
}

function readIds(value: unknown): readonly number[] | undefined {
	if (value === undefined || value === null) return undefined;
	if (!Array.isArray(value) || value.length > MOST_BILLING_LINES) {
		throw new FilterError(`contract_ids must be a list of at most ${MOST_BILLING_LINES} ids`);
	}
	// Charges for volumes, and payments, have null as their instance.
	return value
		.filter(item => item !== null)
		.map(item => {
			const number = readNumber(item);
			if (number !== undefined && Number.isSafeInteger(number)) return number;
			throw new FilterError('contract_ids must be whole numbers');
		});
}

export const contracts = endpoint({
	method: 'POST',
	path: '/api/v0/contracts/fetch/',
	summary: 'Find the instances that charges are for, by label',
	onlyReads: true,
	body: contractSearch,
	same: {'body.ids': 'contracts.id'},
	replies: {
		200: listReply(z.looseObject({contracts: z.array(contractRecord)}), {
			name: 'contracts',
			record: contractRecord,
		}),
		...commonRefusals,
	},
	permission: 'billing_read',
	thresholdSeconds: undefined,
});

/** A payment or a day's charges, in cents. */
const invoice = tolerant(
	{id},
	{
		user_id: id,
		when: instant,
		paid_on: instant,
		payment_expected: instant,
		amount_cents: figure,
		original_amount: figure,
		cut_amount: figure,
		cut_percent: figure,
		/** Credit before and after the invoice, in dollars. */
		balance_before: dollars,
		balance_after: dollars,
		/** True for a payment, false for charges. */
		is_credit: z.boolean(),
		is_delayed: z.boolean(),
		failed: z.boolean(),
		refunded: z.boolean(),
		is_check: z.boolean(),
		service: z.string(),
		description: z.string(),
	},
);

export type Invoice = z.output<typeof invoice>;

/** The most invoices in a reply: the latest. */
export const MOST_INVOICES = 1000;

const invoiceSearch = dependentBody<InvoiceSearch>({
	throws: [FilterError],
	read: parseInvoiceSearch,
	write: printInvoiceSearch,
	takes: {select_filters: z.optional(z.string())},
});

export const latestInvoices = endpoint({
	method: 'GET',
	path: '/api/v0/invoices/',
	summary: 'List the latest payments and what was charged by the day, with the credit after each',
	query: invoiceSearch,
	replies: {200: bareList('invoices', invoice), ...commonRefusals},
	permission: 'billing_read',
	thresholdSeconds: 3,
	unfit: 'badRequest',
});
