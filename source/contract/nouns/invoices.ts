/** Invoices as clients of the first version of the service read them. */
import * as z from 'zod/mini';
import {parseInvoiceSearch, printInvoiceSearch, type InvoiceSearch} from './billing-query.ts';
import {dependentBody} from '../grammar/dependent-body.ts';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals} from '../grammar/errors.ts';
import {FilterError} from '../grammar/filter.ts';
import {bareList} from '../grammar/list-reply.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {dollars, figure, id, instant} from '../grammar/values.ts';

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
		/** Credit before and after it, in dollars. */
		balance_before: dollars,
		balance_after: dollars,
		/** Money came in. */
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

/** The most invoices that one call answers: the latest. */
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
